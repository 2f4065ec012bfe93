import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Plan } from "../3-plan/types.ts";

/** By server and tool, the hints and labels that count: the author's words stand over the server's, and no digest has them. */
export type AuthorsWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function authorsWords({ servers }: Plan): AuthorsWords {
  return new Map(
    servers.map(({ name, tools }) => [
      name,
      new Map(tools.map((tool) => [tool.name, stableText([{ ...tool.hints }, sorted(tool.labels)])])),
    ]),
  );
}
