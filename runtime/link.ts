import type { Clock, EnvLookup, RuntimeEvent } from "./api.ts";
import type { Credentials } from "./connect/library.ts";
import type { JsonValue } from "./contract.ts";
import type { Secrets } from "./secrets.ts";
import type { ServerData } from "./server-data.ts";

/**
 * One live connection to one server: what the session's side knows of it. It connects when it is first used, falls from
 * one transport to the next, compares the live tools with their pins, and reconnects. It knows no roles, no limits and no
 * asking: those come before it.
 */
export interface Link {
  readonly server: ServerData;
  /** Connects unless it is connected; every caller waits for the same attempt. Rejects with a RolecallError. */
  connect(): Promise<LinkInfo>;
  /** Sends `tools/call`. Connects first when needed. Rejects with a RolecallError; a result with `isError` resolves. */
  call(tool: string, args: JsonValue, options: LinkCallOptions): Promise<LinkResult>;
  /** The same for another question that changes nothing, such as `resources/read`. */
  ask(method: string, params: JsonValue, options: LinkCallOptions): Promise<LinkResult>;
  /** Why the tool can't be called as it was pinned: a changed definition, or one that is gone. Known after `connect()`. */
  changed(tool: string): string | undefined;
  /** Grows with every comparison of the live list: while it stands still the list has, too. */
  readonly compared: number;
  /** Up, and its list is compared: `connect()` would have nothing to do. */
  readonly settled: boolean;
  readonly state: "idle" | "connecting" | "up" | "down";
  /** Milliseconds for which it stays away from the server, after a failure or because it was asked to; 0: it doesn't. */
  readonly waitMs: number;
  readonly info: LinkInfo | undefined;
  /** Graceful, then by force; no process is left. */
  close(): Promise<void>;
}

export interface LinkInfo {
  readonly transport: "http" | "sse" | "stdio";
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
}

export interface LinkCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Goes along as `_meta`. */
  readonly meta?: { readonly [key: string]: string } | undefined;
  /** Hears how far the server says it is: without it no server is asked to say so. */
  readonly progress?: ((progress: object) => void) | undefined;
}

export interface LinkResult {
  /** The result as the server sent it. */
  readonly raw: JsonValue;
  readonly info: LinkInfo;
  readonly httpStatus: number | undefined;
}

/** What a link needs of the team. */
export interface LinkWorld {
  readonly env: EnvLookup;
  readonly root: string;
  readonly clock: Clock;
  on(event: RuntimeEvent): void;
  /** A connection that was up has ended by itself. */
  lost?(why: string): void;
  /** The team's one masker. It learns the values of references, and a server's text is masked by it before it is cut. */
  readonly secrets: Secrets;
  /** Who answers for an address where the project writes no `Authorization`; nobody when left out. */
  credentials?(url: string): Credentials | undefined;
}

export type OpenLink = (server: ServerData, world: LinkWorld) => Link;
