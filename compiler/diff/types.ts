import type { JsonValue } from "../base/json.ts";
import type { Opening } from "./compare-rules.ts";

/** One way in which access isn't what it was. Words, places and examples are added by whoever shows it. */
export interface AccessChanged {
  readonly direction: Direction;
  readonly kind: ChangeKind;
  readonly role: string | undefined;
  readonly server: string | undefined;
  readonly tool: string | undefined;
  /** What stood there, as `access.json` has it; null: nothing. */
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Of conditions that let more through than they did: by what. */
  readonly openings: readonly Opening[];
  /** Of a host: what it is given that it wasn't, and the other way round, as `role: server.tool` and `role: to role`. */
  readonly given?: { readonly more: readonly string[]; readonly less: readonly string[] };
}

/** `changed`: the same grant of something that isn't the same. */
export type Direction = "widens" | "changed" | "narrows";

export type ChangeKind =
  | "tool"
  | "effect"
  | "condition"
  | "definition"
  | "instructions"
  | "destination"
  | "root"
  | "guard"
  | "delegate"
  | "builtin"
  | "resource"
  | "role"
  | "host";

export type Verdict = Direction | "same";

export interface AccessDifference {
  /** The gravest of all. */
  readonly verdict: Verdict;
  /** By role, server, tool and kind. */
  readonly changes: readonly AccessChanged[];
  /** A role that went and one that came with the same access: judged as both, and said to be one. */
  readonly renamed: readonly { readonly kind: "role" | "server"; readonly before: string; readonly after: string }[];
  /** Of the change alone: the same for whoever makes the same change from the same access. */
  readonly digest: string;
}
