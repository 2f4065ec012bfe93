import { isServedRole } from "../4-fit/given.ts";
import type { FittedRole } from "../4-fit/types.ts";
import { isTrouble } from "../io/login/types.ts";
import { orderAll, SHORT_ANSWER_MS } from "../io/serve/orders.ts";
import { servePlace } from "../io/serve/place.ts";
import type { Context } from "./command.ts";

/** What became of what was built last, where not all of it counts in the process that serves; as it tells it. */
export function standingWords(build: unknown): string | undefined {
  const why = typeof build === "string" ? WORDS.get(build) : undefined;
  return why && `${why}; until then only what it takes away counts`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["waits", "what was built last waits for your yes: rolecall asks"],
  ["refused", "you said no to what was built last; a change of mind is rolecall serve --accept"],
  [
    "unjudged",
    "what was built last can't be judged by the process that serves: rolecall build, or rolecall serve --stop and start its clients again",
  ],
]);

/** Of a role that is reached through it, where one serves now. */
export async function standingOf({ dir, terminal }: Context, role: FittedRole): Promise<string | undefined> {
  if (!isServedRole(role)) return undefined;
  try {
    const [first] = await orderAll(servePlace(dir, terminal.env), "status", SHORT_ANSWER_MS);
    return standingWords(first?.["build"]);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return undefined;
  }
}
