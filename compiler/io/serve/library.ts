import type { JsonObject } from "../../base/json.ts";
import { serverLibrary } from "../libraries.ts";

/** What we use of the protocol's server library, written by hand: checking the library's own types takes seconds. */

export interface Message {
  readonly id?: number | string | undefined;
  readonly method?: string | undefined;
  readonly [key: string]: unknown;
}

/** What the library takes for a transport. */
export interface ServerTransport {
  start(): Promise<void>;
  send(message: Message): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: Message) => void) | undefined;
}

export interface Implementation {
  readonly name?: unknown;
  readonly version?: unknown;
}

/** What it knows of one request. */
export interface RequestContext {
  readonly mcpReq: {
    readonly id: number | string;
    readonly signal: AbortSignal;
    readonly _meta?: JsonObject | undefined;
    /** Of the newer protocol, where each request says what the older one said once. */
    readonly envelope?: { readonly [key: string]: unknown } | undefined;
    /** What a request brings back that was told to come again, verified. */
    requestState(): unknown;
    notify(notification: { readonly method: string; readonly params: object }): Promise<void>;
  };
}

export interface McpRequest {
  readonly params?: { readonly name?: string; readonly arguments?: JsonObject; readonly uri?: string } | undefined;
}

/** One client's server. */
export interface McpServer {
  setRequestHandler(
    method: string,
    handler: (request: McpRequest, context: RequestContext) => Promise<JsonObject> | JsonObject,
  ): void;
  getNegotiatedProtocolVersion(): string | undefined;
  /** Of a client of the older protocol. */
  getClientVersion(): Implementation | undefined;
  projectCallToolResult(result: JsonObject, outputSchema: JsonObject | undefined): JsonObject;
  sendToolListChanged(): Promise<void>;
  sendResourceListChanged(): Promise<void>;
  getCapabilities(): { readonly [capability: string]: unknown };
  sendResourceUpdated(about: { readonly uri: string }): Promise<void>;
}

/** Answers requests of either era, each by itself. */
export interface WebHandler {
  fetch(request: Request, options: { readonly authInfo: AuthInfo; readonly parsedBody?: unknown }): Promise<Response>;
  readonly notify: { toolsChanged(): void };
  close(): Promise<void>;
}

interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
}

/** Texts that nobody else can make: signed, and valid for a time. */
export interface StateCodec {
  mint(payload: JsonObject): Promise<string>;
  verify(state: string): Promise<unknown>;
}

export interface ServerLibrary {
  readonly Server: new (about: { readonly name: string; readonly version: string }, options: object) => McpServer;
  readonly ProtocolError: new (code: number, message: string, data?: JsonObject) => Error;
  readonly createRequestStateCodec: (options: { readonly key: Uint8Array; readonly ttlSeconds: number }) => StateCodec;
  readonly isSpecType: { readonly ContentBlock: (value: unknown) => boolean };
  readonly serveStdio: (
    factory: () => McpServer,
    options: { readonly transport: ServerTransport; readonly onerror: (error: Error) => void },
  ) => { close(): Promise<void> };
  readonly createMcpHandler: (
    factory: (context: { readonly era: "legacy" | "modern"; readonly authInfo?: AuthInfo }) => McpServer,
    options: {
      readonly legacy: "stateless";
      readonly maxSubscriptions: number;
      readonly onerror: (error: Error) => void;
    },
  ) => WebHandler;
}

export const loadServerLibrary = (): ServerLibrary => serverLibrary() as ServerLibrary;
