/**
 * What generated modules, the runtime and the compiler agree on. Types only: importing this costs nothing.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A rule for one argument. All that are written must hold. */
export interface Condition {
  readonly glob?: string;
  readonly enum?: readonly JsonValue[];
  /** Must match the whole value; `u` flag. */
  readonly pattern?: string;
  /** JSON Schema. */
  readonly schema?: JsonValue;
  /** The argument may be left out. */
  readonly optional?: boolean;
}

/** All conditions on one argument, named by its path: `path`, `options.path`, `edits[].path`. */
export interface ArgumentRule {
  readonly argument: string;
  readonly conditions: readonly Condition[];
}

export type Effect = "allow" | "ask";

/**
 * A role as its module exports it. `data` is JSON text (RoleData), parsed when the role is first used;
 * `servers` is never there at run time, it carries the types.
 */
export interface Role<Name extends string, Servers> {
  readonly name: Name;
  readonly data: string;
  readonly servers?: Servers;
  /** The data of each of its servers (ServerData as JSON text), imported when it is first needed. */
  readonly load?: { readonly [server: string]: () => Promise<{ readonly data: string }> };
}

/** What `Role.data` holds once parsed. Server and tool names are keys: read them with Object.entries, into maps. */
export interface RoleData {
  readonly format: 1;
  readonly role: string;
  readonly servers: { readonly [server: string]: RoleServerData };
  /** Servers without which a session can't start. */
  readonly mustConnect?: readonly string[];
  readonly delegates: readonly string[];
}

export interface RoleServerData {
  readonly tools: { readonly [tool: string]: Effect };
  readonly where?: { readonly [tool: string]: { readonly [argument: string]: Condition | readonly Condition[] } };
  readonly resources?: ResourceRules;
}

/** What a role may read of one server: something of `include`, of every list of `within`, and nothing of `exclude`. */
export interface ResourceRules {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly within?: readonly (readonly string[])[];
}

/** An AbortSignal, told by what is used of it: a project needs neither the DOM's types nor Node's. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The second argument of every tool. */
export interface CallOptions {
  readonly signal?: CallSignal | undefined;
  /** For all that it may wait for. 0 or less is over at once. */
  readonly timeoutMs?: number | undefined;
}

/** What every tool resolves to. `structured` is what the server promised, checked before you see it. */
export interface ToolResult<Structured> {
  readonly structured: Structured;
  readonly text: string;
  readonly content: readonly ContentBlock[];
  readonly meta: CallMeta;
}

export interface ContentBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface CallMeta {
  readonly server: string;
  readonly tool: string;
  readonly durationMs: number;
  readonly transport: "http" | "sse" | "stdio";
  readonly retries: number;
  /** Answered from what an equal call got within the server's `cache`: nothing was sent. */
  readonly cached: boolean;
  /** The tool is labelled untrusted-content: what it returned may speak to the model. */
  readonly untrusted: boolean;
  readonly raw: unknown;
}
