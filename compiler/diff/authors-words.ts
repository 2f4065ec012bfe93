import type { JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Plan, Tool } from "../3-plan/types.ts";

/** By server and tool, the hints and labels that count: the author's words stand over the server's, and no digest has them. */
export type AuthorsWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function authorsWords({ servers }: Plan): AuthorsWords {
  return new Map(servers.map(({ name, tools }) => [name, new Map(tools.map((tool) => [tool.name, wordsOf(tool)]))]));
}

/** With what is said of some tools instead. */
export function wordsWith(words: AuthorsWords, others: AuthorsWords): AuthorsWords {
  const all = new Map(words);
  for (const [server, tools] of others) all.set(server, new Map([...(words.get(server) ?? []), ...tools]));
  return all;
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

/** The labels that were there, and of the hints only what both say: by these hosts ask no less, and nothing more is sent again. */
export function stricterOf(before: JsonValue, after: JsonValue): string | undefined {
  const [was, is] = [wordsIn(before), wordsIn(after)];
  if (was === undefined || is === undefined) return undefined;
  const hints = {
    readOnly: was.hints.readOnly && is.hints.readOnly,
    destructive: was.hints.destructive || is.hints.destructive,
    idempotent: was.hints.idempotent && is.hints.idempotent,
    openWorld: was.hints.openWorld || is.hints.openWorld,
  };
  return wordsOf({ hints, labels: was.labels });
}
