import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** What is said over the inbox: what waits for a person, and the answers. */

/** One call that a role wants to make: the runtime's AskRequest, and who makes it. */
export interface CallItem {
  readonly kind: "call";
  readonly id: string;
  /** Over all of the request: a yes is about exactly this. */
  readonly hash: string;
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  readonly args: JsonValue;
  readonly plan: string | null;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** As the client tells it: anybody can tell anything. */
  readonly client: string | null;
  /** Over HTTP, by its token. */
  readonly caller: string | null;
}

/** A build that opens something, or reaches a server in another way. */
export interface BuildItem {
  readonly kind: "build";
  readonly id: string;
  /** Over all that would be served. */
  readonly hash: string;
  readonly changes: readonly JsonObject[];
  /** The same for people, as `rolecall diff` says it: who is given more of what, and by which line. */
  readonly says: readonly string[];
  readonly reconnected: readonly string[];
  /** Where variables come from in place of another file, from the next start on: `before`, `after`, `isMissing`. */
  readonly envFile: JsonObject | null;
  /** Servers that are reached in another way by what their variables hold, and where each of these is from. */
  readonly moved: readonly JsonObject[];
  /** What of `serve` and `state` opens something, that file and approvers among it: `key`, `before`, `after`. */
  readonly settings: readonly JsonObject[];
  /** From where a yes would be taken beyond today. */
  readonly approvers: readonly string[];
  /** Keys of `serve` by which who comes in over HTTP isn't who came before. */
  readonly door: readonly string[];
  /** What hosts are given more of what their roles hold: `host`, `role`, `tools` as `server.tool`, `reads`. */
  readonly hosts: readonly JsonObject[];
}

export type InboxItem = CallItem | BuildItem;

/** An answer to one is an answer to the other: of several processes each asks about the same build. */
export function answeredAs(one: InboxItem, other: InboxItem): boolean {
  return one.id === other.id || (one.kind === "build" && other.kind === "build" && one.hash === other.hash);
}

export interface InboxAnswer {
  readonly id: string;
  readonly hash: string;
  readonly yes: boolean;
  /** Who answers, for the record. */
  readonly by: string;
}

/** Undefined: it is none. Only `true` is a yes, and only `false` is a no. */
export function readAnswer(line: string): InboxAnswer | undefined {
  const told = readObject(line);
  if (told === undefined) return undefined;
  const [id, hash, yes, by] = ["id", "hash", "yes", "by"].map((key) => own(told, key));
  if (typeof id !== "string" || typeof hash !== "string" || typeof yes !== "boolean") return undefined;
  return { id, hash, yes, by: typeof by === "string" ? by.slice(0, 200) : "" };
}

/** A line of the daemon's that is something to be asked; undefined: it is another one. */
export function readItem(line: string): InboxItem | undefined {
  const told = readObject(line);
  const kind = told === undefined ? undefined : own(told, "kind");
  // A daemon of an older version says less.
  if (kind === "call") return { caller: null, ...told } as unknown as CallItem;
  return kind === "build"
    ? ({ says: [], moved: [], envFile: null, settings: [], ...told } as unknown as BuildItem)
    : undefined;
}

export function readObject(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
