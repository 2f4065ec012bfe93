import type { JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Plan, Tool } from "../3-plan/types.ts";

/** By server and tool, the hints and labels that count: the author's words stand over the server's, and no digest has them. */
export type AuthorsWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function authorsWords({ servers }: Plan): AuthorsWords {
  return new Map(servers.map(({ name, tools }) => [name, new Map(tools.map((tool) => [tool.name, wordsOf(tool)]))]));
}

export type Worded = Pick<Tool, "hints" | "labels">;

export function wordsOf({ hints, labels }: Worded): string {
  return stableText([{ ...hints }, sorted(labels)]);
}

/** Undefined: it is the digest of a definition. */
export function wordsIn(text: JsonValue): Worded | undefined {
  if (typeof text !== "string" || !text.startsWith("[")) return undefined;
  const [hints, labels] = JSON.parse(text) as [Worded["hints"], readonly string[]];
  return { hints, labels };
}

/** The same labels, and hints by which hosts ask no less, and nothing more is sent again. */
export function areStricter(before: JsonValue, after: JsonValue): boolean {
  const [was, is] = [wordsIn(before), wordsIn(after)];
  if (was === undefined || is === undefined || stableText(was.labels) !== stableText(is.labels)) return false;
  return (
    (["readOnly", "idempotent"] as const).every((hint) => was.hints[hint] || !is.hints[hint]) &&
    (["destructive", "openWorld"] as const).every((hint) => !was.hints[hint] || is.hints[hint])
  );
}
