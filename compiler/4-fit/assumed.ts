import type { HostChoice, NamedTemplate, Template, TemplatePart, Transport } from "../3-plan/types.ts";
import type { Omitted } from "./types.ts";

/**
 * A way to a server with every `:+` taken for set or unset, as the project says: for hosts that can't ask. A header, entry
 * or word that comes to nothing is left out. A `:-` stays as it is, unless the project says something of its variable.
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

/** What such a way is without, in the order of the connection. */
export function omittedFrom(transport: Transport, choice: HostChoice): Omitted[] {
  const named = (entries: readonly NamedTemplate[], of: "header" | "variable") =>
    entries.flatMap(({ name, value }) =>
      omitted(value, isEmptied(value, choice) ? `${of} \`${name}\`` : `a part of ${of} \`${name}\``, choice),
    );
  if (transport.kind !== "stdio")
    return [...omitted(transport.url, "a part of its URL", choice), ...named(transport.headers, "header")];
  return [
    ...transport.command.flatMap((word) => omitted(word, "a part of its command", choice)),
    ...named(transport.env, "variable"),
    ...(transport.cwd ? omitted(transport.cwd, "a part of its `cwd`", choice) : []),
  ];
}

function omitted({ parts }: Template, what: string, choice: HostChoice): Omitted[] {
  return unset(parts, choice).map((variable) => ({ what, variable, isChosen: choice.assumed.has(variable) }));
}

/** Variables behind a `:+` that counts as unset; those within it don't matter any more. */
function unset(parts: readonly TemplatePart[], choice: HostChoice): string[] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || part.form === "required") return [];
    const state = choice.assumed.get(part.name);
    if (part.form === "if-set" && state !== "set") return [part.name];
    return part.form === "default" && state === "set" ? [] : unset(part.word, choice);
  });
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
  const state = choice.assumed.get(part.name);
  if (part.form === "if-set") return state === "set" ? assumed(part.word, choice) : [];
  // The word of `:?` is for people.
  if (part.form !== "default") return [part];
  if (state === "set") return [{ ...part, form: "plain", word: [] }];
  return state === "unset" ? assumed(part.word, choice) : [{ ...part, word: assumed(part.word, choice) }];
}
