import type { JsonObject } from "../../../base/json.ts";
import { spellTransport, type Spelling, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { Spelt } from "../../../4-fit/types.ts";
import type { HostChoice, Transport } from "../../../3-plan/types.ts";
import { mapOf, present } from "../host-text.ts";

/** Variables are put into the text of the whole file before it is read. */
const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command"],
  taken: /\$/,
};

/** The host takes of a URL its scheme, host, port and path. */
const LOST: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]+:\/\/[^/]*@/i, "would lose what stands before the `@` of its URL"],
  [/[?#]/, "would lose what stands behind the path of its URL"],
];

export function tell(transport: Transport, choice: HostChoice): Spelt<SpeltTransport> {
  const spelt = spellTransport(transport, spelling, choice);
  if (spelt.problem !== undefined) return spelt;
  const { value } = spelt;
  if (value.kind === "stdio")
    return value.cwd === undefined ? spelt : { problem: "has no place for the folder that a process starts in" };
  const [, problem] = LOST.find(([part]) => part.test(value.url)) ?? [];
  return problem === undefined ? spelt : { problem };
}

export function targetOf(name: string, told: SpeltTransport): JsonObject {
  if (told.kind === "stdio") {
    const [cmd = "", ...args] = told.command;
    const env = told.env.map(([key, text]) => [escaped(key), text] as const);
    return { name, stdio: present({ cmd, args, env: mapOf(env) }) as JsonObject };
  }
  const set = mapOf(told.headers.map(([key, text]) => [escaped(key), text] as const));
  const policies = set === undefined ? {} : { policies: { requestHeaderModifier: { set } } };
  return { name, [told.kind === "http" ? "mcp" : "sse"]: { host: told.url }, ...policies };
}

/** Text in which nothing is a variable. */
export function escaped(text: string): string {
  return text.replaceAll("$", () => "$$");
}
