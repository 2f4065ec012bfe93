import type { HostChoice, NamedTemplate, Template, TemplatePart, Transport } from "../3-plan/types.ts";
import { asAssumed, isNowhere, NOWHERE } from "./assumed.ts";
import type { Spelt } from "./types.ts";

/** `${...}` in a host's own spelling. Nothing is ever expanded here: what a host can't spell is told, never guessed. */

/** Where a host reads references. */
export type Where = "url" | "headers" | "env" | "command" | "cwd";

export interface Spelling {
  /** `${NAME}`; undefined: the host has no such thing. */
  plain(name: string): string;
  /** `${NAME:-text}` with plain text. Left out: the host has no defaults. */
  withDefault?(name: string, text: string): string;
  /** Places in which the host looks for references at all; elsewhere a reference would stay as it is written. */
  readonly places: readonly Where[];
  /** Plain text that the host would take for a reference, and has no way to escape. */
  readonly taken: RegExp;
}

export type SpeltTransport =
  | {
      readonly kind: "http" | "sse";
      readonly url: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly kind: "stdio";
      readonly command: readonly string[];
      readonly env: readonly (readonly [name: string, value: string])[];
      readonly cwd: string | undefined;
    };

/** One way to a server, as the host is told it. */
export function spellTransport(written: Transport, spelling: Spelling, choice: HostChoice): Spelt<SpeltTransport> {
  const transport = asAssumed(written, choice);
  const problems: string[] = isNowhere(transport) ? [NOWHERE] : [];
  const one = ({ parts }: Template, where: Where): string => {
    const spelt = spell(parts, where, spelling);
    if (spelt.problem !== undefined) problems.push(spelt.problem);
    return spelt.value ?? "";
  };
  const named = (entries: readonly NamedTemplate[], where: Where) =>
    entries.map(({ name, value }) => [name, one(value, where)] as const);
  const value: SpeltTransport =
    transport.kind === "stdio"
      ? {
          kind: "stdio",
          command: transport.command.map((word) => one(word, "command")),
          env: named(transport.env, "env"),
          cwd: transport.cwd && one(transport.cwd, "cwd"),
        }
      : { kind: transport.kind, url: one(transport.url, "url"), headers: named(transport.headers, "headers") };
  return problems[0] === undefined ? { value } : { problem: problems[0] };
}

function spell(parts: readonly TemplatePart[], where: Where, spelling: Spelling): Spelt<string> {
  let text = "";
  for (const part of parts) {
    const spelt = typeof part === "string" ? plainText(part, spelling) : reference(part, where, spelling);
    if (spelt.problem !== undefined) return spelt;
    text += spelt.value;
  }
  return { value: text };
}

function plainText(text: string, { taken }: Spelling): Spelt<string> {
  return taken.test(text) ? { problem: `would take a part of \`${text}\` for a reference` } : { value: text };
}

function reference(
  { name, form, word }: Exclude<TemplatePart, string>,
  where: Where,
  spelling: Spelling,
): Spelt<string> {
  if (!spelling.places.includes(where)) return { problem: `reads no reference in ${WORDS[where]}: \`\${${name}}\`` };
  if (form !== "default") return { value: spelling.plain(name) };
  const fallback = spell(word, where, spelling);
  if (fallback.problem !== undefined) return fallback;
  if (word.some((part) => typeof part !== "string") || /[{}]/.test(fallback.value))
    return { problem: `can't spell the default of \`${name}\`` };
  if (spelling.withDefault === undefined) return { problem: `knows no defaults: \`\${${name}:-...}\`` };
  return { value: spelling.withDefault(name, fallback.value) };
}

const WORDS: Readonly<Record<Where, string>> = {
  url: "a URL",
  headers: "headers",
  env: "`env`",
  command: "a command",
  cwd: "`cwd`",
};
