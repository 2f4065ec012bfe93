import type { HostChoice, NamedTemplate, Template, TemplatePart, Transport } from "../../3-plan/types.ts";

/**
 * A way to a server with every `:+` taken for set or unset, as the project says: for hosts that can't ask. A header, entry
 * or word that comes to nothing is left out.
 */
export function asAssumed(transport: Transport, choice: HostChoice): Transport {
  const one = (template: Template): Template => ({ ...template, parts: assumed(template.parts, choice) });
  const named = (entries: readonly NamedTemplate[]): NamedTemplate[] =>
    entries.flatMap(({ name, value }) => (isEmptied(value, choice) ? [] : [{ name, value: one(value) }]));
  if (transport.kind !== "stdio") return { ...transport, url: one(transport.url), headers: named(transport.headers) };
  return {
    ...transport,
    command: transport.command.filter((word) => !isEmptied(word, choice)).map(one),
    env: named(transport.env),
    cwd: transport.cwd && one(transport.cwd),
  };
}

export const NOWHERE = "would be told no address or command while the variable behind a `:+` counts as unset";

/** Without what has to be there: a URL, a command, or the folder that is written. */
export function isNowhere(transport: Transport): boolean {
  if (transport.kind !== "stdio") return transport.url.parts.length === 0;
  return transport.command.length === 0 || transport.cwd?.parts.length === 0;
}

function isEmptied({ parts }: Template, choice: HostChoice): boolean {
  return (
    parts.some((part) => typeof part !== "string" && part.form === "if-set") && assumed(parts, choice).length === 0
  );
}

/** Neighbouring texts are joined: what was one value with a `:+` in it may be plain text now. */
function assumed(parts: readonly TemplatePart[], choice: HostChoice): TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts.flatMap((one) => decided(one, choice))) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

function decided(part: TemplatePart, choice: HostChoice): TemplatePart[] {
  if (typeof part === "string") return part === "" ? [] : [part];
  if (part.form === "if-set") return choice.assumedSet.has(part.name) ? assumed(part.word, choice) : [];
  // The word of `:?` is for people.
  return [part.form === "default" ? { ...part, word: assumed(part.word, choice) } : part];
}
