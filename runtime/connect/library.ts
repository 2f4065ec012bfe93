import { RolecallError } from "../errors.ts";

/**
 * What we use of the client library, written by hand: checking the library's own types takes seconds, and a newer
 * TypeScript than generated code asks for.
 */

export interface Message {
  readonly id?: number | string | undefined;
  readonly method?: string | undefined;
  readonly [key: string]: unknown;
}

export interface SendOptions {
  /** Ends the request of this message, and that its stream is resumed. The event source doesn't know it. */
  readonly requestSignal?: AbortSignal | undefined;
  readonly onRequestStreamEnd?: (() => void) | undefined;
}

export interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
  terminateSession?(): Promise<void>;
  readonly sessionId?: string | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: Message) => void) | undefined;
}

export interface RequestOptions {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly onprogress?: ((progress: object) => void) | undefined;
}

export interface Client {
  connect(transport: Transport, options: RequestOptions): Promise<void>;
  request(request: Message, schema: object, options: RequestOptions): Promise<unknown>;
  setNotificationHandler(method: string, handler: () => void): void;
  getInstructions(): string | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Who answers for one address when a server asks for a login: what the library calls an auth provider. It is asked for a
 * token before each request, and told of a 401, after which what isn't a call is sent once more.
 */
export interface Credentials {
  token(): Promise<string | undefined>;
  /** Whether a token that it gave may go to this very address: a server names others for the messages to it. */
  mayGoTo(token: string, url: string): boolean;
  onUnauthorized?(context: { readonly response: Response; readonly serverUrl: URL }): Promise<void>;
}

export interface HttpOptions {
  readonly fetch: Fetch;
  readonly authProvider?: Credentials;
  readonly requestInit: { readonly headers: Record<string, string> };
  /** The stricter of its two. Our `fetch` follows none and lets it see none. */
  readonly redirectPolicy: "same-origin";
  readonly reconnectionOptions?: object;
  readonly reconnectionScheduler?: (reconnect: () => void, delayMs: number) => () => void;
}

type HttpTransport = new (url: URL, options: HttpOptions) => Transport;

export interface Library {
  readonly Client: new (about: { readonly name: string; readonly version: string }, options: object) => Client;
  readonly StreamableHTTPClientTransport: HttpTransport;
  readonly SSEClientTransport: HttpTransport;
  readonly SseError: new () => Error;
}

// `as string` keeps the compiler from following the name; a bundler still sees it.
export async function loadLibrary(): Promise<Library> {
  try {
    return await import("@modelcontextprotocol/client" as string);
  } catch (error) {
    // It may be there, and something else be in the way: too many open files, say.
    if ((error as { readonly code?: unknown } | null)?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new RolecallError("server-unavailable", "install @modelcontextprotocol/client: the runtime connects with it");
  }
}

/** The variables that the library lets a child inherit. */
export async function safeVariables(): Promise<Record<string, string>> {
  const stdio: { getDefaultEnvironment(): Record<string, string> } = await import(
    "@modelcontextprotocol/client/stdio" as string
  );
  return stdio.getDefaultEnvironment();
}
