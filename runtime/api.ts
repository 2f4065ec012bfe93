import type { CallMeta, CallOptions, ContentBlock, Effect, JsonValue, Role, ToolResult } from "./contract.ts";
import type { OfferedResources, ReadResource } from "./resource-api.ts";

/** The runtime's door, as types: what an app hands to `team()` and what it gets back. */

export interface TeamOptions {
  /** Asked at each connection, never kept. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>> | EnvLookup | undefined;
  /** Left out, every tool that is asked is refused. Only `true` or `{ yes: true }` is a yes. */
  readonly ask?: ((request: AskRequest) => AskAnswer | Promise<AskAnswer>) | undefined;
  /** A yes that takes longer is a no. Default 5 minutes. */
  readonly askTimeoutMs?: number | undefined;
  /**
   * Path of a JSONL file (`{run}` is replaced by the run's id), or a function that takes each line as an object; what it
   * promises is awaited at `close()`, and that it fails is said once, until it works again. A file is
   * written every 200 ms, at `close()`, and when the process exits, crashes or gets SIGINT, SIGTERM or SIGHUP; at 10 MB it
   * becomes `.1`, and five are kept. Several processes may write one file. A sink is given one line after the other.
   */
  readonly record?: string | ((line: RecordLine) => unknown) | RecordSink | undefined;
  readonly run?: string | undefined;
  readonly recordArguments?: "full" | "hash" | "none" | undefined;
  /** Observe each call; they change nothing, and what they throw is an event. */
  readonly before?: ((call: ObservedCall) => void | Promise<void>) | undefined;
  readonly after?: ((call: ObservedCall, outcome: ObservedOutcome) => void | Promise<void>) | undefined;
  readonly on?: ((event: RuntimeEvent) => unknown) | undefined;
  /** One for all servers, or by server; rate-limiter-flexible's limiters fit. Default: in memory, per team. */
  readonly limiter?: RateLimiter | ((server: string, ratePerMinute: number) => RateLimiter) | undefined;
  /** `true` lets `$connections()` hand out how servers are reached, with the values of secrets. Default: it rejects. */
  readonly connections?: boolean | undefined;
  readonly start?: "lazy" | "eager" | undefined;
  /**
   * What relative commands and `cwd` of servers, and a relative `root`, start from. Default: the project's folder, which is
   * the nearest one above the generated code (or its bundle) that has a rolecall.yaml.
   */
  readonly root?: string | undefined;
  /**
   * For tests: servers that answer in place of the real ones, as `fakeServer` of `rolecall/testing` makes them. Only
   * `http://` addresses of this machine; nothing of the real connection goes there, and every rule stays in force. Each is
   * told by an event, and calls that it answers by `faked` in the record.
   */
  readonly fakes?: readonly FakedServer[] | undefined;
  readonly clock?: Clock | undefined;
}

/** Where an app keeps its record, such as a table. What fails is said once, and fails no call. */
export interface RecordSink {
  /** Called with the next line once this promise is over, whatever came of it. Lines wait, 8 million characters of them. */
  write(line: RecordLine): unknown;
  /** Called in the same way with what `team.report` is told; left out, that isn't kept. */
  report?(line: ReportLine): unknown;
  /** Called at `close()`, behind the last line, and awaited: 5 s for all of it. */
  flush?(): unknown;
}

export interface FakedServer {
  readonly server: string;
  readonly url: string;
}

export type EnvLookup = (name: string) => string | undefined | Promise<string | undefined>;
/** Undefined: nobody answered, which is a no that nobody gave. */
export type AskAnswer = boolean | undefined | { readonly yes: boolean; readonly by?: string | undefined };

export interface Clock {
  now(): number;
  /** Resolves after the time; never keeps the process alive by itself longer than needed. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `consume` resolves when the call may go; rejects with an object that has `msBeforeNext` when it may not yet. */
export interface RateLimiter {
  consume(key: string, points?: number): Promise<unknown>;
}

export interface AskRequest {
  readonly id: string;
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  /** A frozen copy: the very arguments that will be sent. Text from models is escaped where you show it. */
  readonly args: JsonValue;
  /** SHA-256 over RFC 8785 of everything else here. A yes is about exactly this, and is used once. */
  readonly hash: string;
  /** Digest of the tool's pinned definition; null when it isn't pinned. */
  readonly plan: string | null;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

export interface Team<Roles> {
  /** A session of a role. An unknown name throws `role-unknown` and starts nothing. */
  as<Name extends keyof Roles & string>(role: Name): Session<Roles[Name]>;
  as<Name extends string, Servers>(role: Role<Name, Servers>): Session<Servers>;
  /** What models have used, as a line of the record: `rolecall state` adds it up. Without a record nothing is kept. */
  report(spent: TeamReport): void;
  /** Ends every session and server: SIGTERM, then SIGKILL. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Numbers of 0 or more; what isn't known is left out. `cost` is in whatever money the app counts in. */
export interface TeamReport {
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
  /** The role that used it; left out, it is nobody's. */
  readonly role?: string | undefined;
}

/** The servers of a role as typed functions, and what every session has. */
export type Session<Servers> = Servers & SessionMembers<Servers>;

export interface SessionMembers<Servers> {
  /** The role's name. */
  readonly $role: string;
  /** What relative commands of servers start from: the project's folder, or the `root` of `team()`. */
  readonly $root: string;
  /** For names known at run time: the same checks. */
  $call<S extends keyof Servers & string, T extends keyof Servers[S] & string>(
    server: S,
    tool: T,
    ...args: Servers[S][T] extends (...args: infer A) => unknown ? A : never
  ): Servers[S][T] extends (...args: never[]) => infer R ? R : never;
  /** A literal that isn't held doesn't compile here either: one of the two is known at run time only. */
  $call<S extends string, T extends string>(
    server: S & (string extends S ? S : keyof Servers),
    tool: T & (string extends S ? T : string extends T ? T : never),
    args?: object,
    options?: object,
  ): Promise<ToolResult<unknown>>;
  /** What a model may be shown. With a subset: those alone, and one that isn't held throws. */
  $tools(subset?: readonly ToolChoice[]): Promise<readonly OfferedTool[]>;
  /** A resource that the role may read, by its exact address. */
  $read(server: keyof Servers & string, uri: string, options?: CallOptions): Promise<ReadResource>;
  /** What it may read, as its servers list it now. What they say of it is strangers' text, which no pin holds. */
  $resources(server?: keyof Servers & string, options?: CallOptions): Promise<OfferedResources>;
  /** Connects the role's servers. Those that can't be reached are skipped; one that must connect rejects. */
  $ready(): Promise<Readonly<Record<string, "up" | "skipped">>>;
  $health(): Readonly<Record<string, ServerHealth>>;
  readonly $hooks: SessionHooks;
  /**
   * For hosts that connect by themselves, where the team was started with `connections: true`. Holds secrets: hand it to
   * the host and show it nowhere.
   */
  $connections(options?: ConnectionsOptions): Promise<readonly HostConnection[]>;
  /** Rejects with code and advice when the server can't be used. */
  $require(server: string): Promise<void>;
  $close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ToolChoice {
  /** `mcp`, where a caller names kinds of tools. */
  readonly type?: string | undefined;
  readonly server: string;
  readonly tool: string;
}

export interface OfferedTool {
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: JsonValue;
  readonly effect: Effect;
}

export interface ServerHealth {
  readonly state: "idle" | "connecting" | "up" | "down";
  readonly transport: "http" | "sse" | "stdio" | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly lastFailure: string | undefined;
  /** Until the next try; 0 when one may be made now. */
  readonly retryInMs: number;
}

export interface ConnectionsOptions {
  /** Connects to each server once, closes again, and skips those that don't answer: for hosts that would wait for them. */
  readonly probe?: boolean | undefined;
}

/** The preferred way to a server, with its references expanded. */
export type HostConnection = { readonly server: string; readonly timeoutMs: number } & (
  | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** What is written for it alone. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
);

/**
 * The shape that the Copilot SDK takes. Joined names are looked up in a table, never split. The end of a call is known by
 * its `toolCallId` where the host has one, else by its arguments, else it is that of the oldest call of the tool.
 */
export interface SessionHooks {
  onPreToolUse(input: {
    readonly toolName: string;
    readonly toolArgs: unknown;
    readonly toolCallId?: string | undefined;
  }): Promise<{ readonly permissionDecision: "deny" | "ask"; readonly permissionDecisionReason: string } | undefined>;
  onPostToolUse(input: {
    readonly toolName: string;
    readonly toolArgs?: unknown;
    readonly toolCallId?: string | undefined;
    readonly toolResult: unknown;
  }): Promise<{ readonly additionalContext: string } | undefined>;
  onPostToolUseFailure(input: {
    readonly toolName: string;
    readonly toolArgs?: unknown;
    readonly toolCallId?: string | undefined;
    readonly error: unknown;
  }): Promise<{ readonly additionalContext: string } | undefined>;
}

export interface ObservedCall {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonValue;
}

export type ObservedOutcome =
  | { readonly ok: true; readonly meta: CallMeta; readonly content: readonly ContentBlock[] }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export type RuntimeEvent =
  | { readonly type: "connected"; readonly server: string; readonly transport: "http" | "sse" | "stdio" }
  | {
      readonly type: "fell-back";
      readonly server: string;
      readonly from: "http" | "sse" | "stdio";
      readonly why: string;
    }
  | { readonly type: "down"; readonly server: string; readonly why: string; readonly retryInMs: number }
  | { readonly type: "up"; readonly server: string }
  | { readonly type: "skipped"; readonly server: string; readonly why: string }
  | {
      readonly type: "refused";
      readonly role: string;
      readonly server: string;
      readonly tool: string;
      readonly code: ErrorCode;
    }
  | { readonly type: "changed"; readonly server: string; readonly tool: string }
  /** The live server lists a tool that the manifest doesn't have: nobody holds it, and a capture would show it. */
  | { readonly type: "new-tool"; readonly server: string; readonly tool: string }
  | { readonly type: "unpinned"; readonly server: string; readonly tool: string }
  | { readonly type: "instructions-changed"; readonly server: string }
  /** A fake answers in its place, as `fakes` says. */
  | { readonly type: "faked"; readonly server: string; readonly url: string }
  | { readonly type: "rate-limited"; readonly server: string; readonly attempt: number; readonly waitMs: number }
  | { readonly type: "hook-failed"; readonly hook: FailedHook; readonly why: string };

/** What an app handed in. */
export type FailedHook = "before" | "after" | "record" | "on" | "limiter";

export type ErrorCode =
  | "role-unknown"
  | "tool-unknown"
  | "tool-denied"
  | "ask-refused"
  | "argument-refused"
  | "server-unavailable"
  | "needs-auth"
  | "auth-failed"
  | "rate-limited"
  | "timeout"
  | "cancelled"
  | "tool-changed"
  | "tool-failed"
  | "missing-variable";

/** Among the lines of calls, what an app told of its models. */
export interface ReportLine {
  readonly ts: string;
  readonly run_id: string;
  readonly role: string | null;
  readonly report: { readonly tokens?: number | undefined; readonly cost?: number | undefined };
}

/** One line of the record. Of a resource that was read `tool` is `resources/read`. */
export interface RecordLine {
  readonly ts: string;
  readonly run_id: string;
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonValue;
  readonly status: "ok" | "error";
  readonly duration_ms: number;
  readonly decision: "allow" | "ask" | "deny";
  /** `none`: a person was to be asked, and nobody answered. */
  readonly ask: "yes" | "no" | "none" | null;
  readonly transport: "http" | "sse" | "stdio" | null;
  readonly session_id: string | null;
  readonly protocol_version: string | null;
  readonly http_status: number | null;
  readonly retries: number;
  /** Only there when it waited for a rate limit, ours or the server's. It is part of `duration_ms`. */
  readonly waited_ms?: number | undefined;
  /** Only there when a time of the caller's ended it, before the server had its own: that says nothing of the server. */
  readonly hurried?: true | undefined;
  /** Only there when it was answered from what an equal call got: nothing was sent. */
  readonly cached?: true | undefined;
  /** Only there when a fake stands in the server's place. */
  readonly faked?: true | undefined;
  readonly result_bytes: number;
  readonly plan: string | null;
  readonly error: string | null;
  /** Who answered, where the answer to an ask said it. */
  readonly by?: string | undefined;
  /** Name and version that the client of a gateway told; only there for calls through `rolecall serve`. */
  readonly client?: string | undefined;
  /** Whose credential it came with; only there for calls over HTTP through `rolecall serve --http`. */
  readonly caller?: string | undefined;
  /** Of an error. */
  readonly code?: ErrorCode | undefined;
}
