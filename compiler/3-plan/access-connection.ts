import { canonicalText } from "../base/canonical.ts";
import { digestOf } from "../base/digest.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { sorted, sortedBy } from "../base/order.ts";
import type { NamedTemplate, Server, Template, TemplatePart, Transport, Variable } from "./types.ts";

/**
 * How a server is reached, as a reviewer needs it: where, with which command, header names and variables, as written.
 * Of the server: what counts for a variable that isn't set, and whether sessions share it. Values aside from references stand behind one digest, so that a changed literal shows.
 */
export function connectionAccess(
  transport: Transport,
  { variables: known, connection: shared }: Pick<Server, "variables" | "connection">,
): JsonObject {
  const connection = shared === "session" ? shared : undefined;
  if (transport.kind === "stdio") {
    return present({
      stdio: transport.command.map((word) => word.written),
      cwd: transport.cwd?.written,
      env: namesOf(transport.env),
      variables: variablesOf([
        ...transport.command,
        ...(transport.cwd ? [transport.cwd] : []),
        ...valuesOf(transport.env),
      ]),
      also: alsoOf(known),
      connection,
      values: digestOfValues(transport.env),
    });
  }
  return present({
    [transport.kind]: transport.url.written,
    headers: namesOf(transport.headers),
    variables: variablesOf([transport.url, ...valuesOf(transport.headers)]),
    also: alsoOf(known),
    connection,
    values: digestOfValues(transport.headers),
  });
}

/** Without what isn't written. */
function present(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const written = Object.entries(entries).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(written);
}

function namesOf(named: readonly NamedTemplate[]): string[] {
  return sorted(named.map((n) => n.name));
}

function valuesOf(named: readonly NamedTemplate[]): Template[] {
  return named.map((n) => n.value);
}

/** Every variable referred to, in words of references too. */
function variablesOf(templates: readonly Template[]): string[] {
  const names = new Set<string>();
  const visit = (part: TemplatePart): void => {
    if (typeof part === "string") return;
    names.add(part.name);
    part.word.forEach(visit);
  };
  for (const template of templates) template.parts.forEach(visit);
  return sorted(names);
}

/** Which other variable is read in the place of one, the first first; undefined: none is. */
function alsoOf(known: readonly Variable[]): string[] | undefined {
  const accepted = known.flatMap(({ name, acceptedNames }) => acceptedNames.map((other) => `${other} for ${name}`));
  return accepted.length === 0 ? undefined : accepted;
}

/** Undefined when there is no value at all. Which variable goes into which value counts; the message of `${N:?message}` doesn't. */
function digestOfValues(named: readonly NamedTemplate[]): string | undefined {
  if (named.length === 0) return undefined;
  const values = sortedBy(named, (n) => n.name).map((n): JsonValue => [n.name, n.value.parts.map(essence)]);
  return digestOf(canonicalText(values));
}

function essence(part: TemplatePart): JsonValue {
  if (typeof part === "string") return part;
  const plain = part.form === "plain" || part.form === "required";
  return plain ? { name: part.name } : { name: part.name, form: part.form, word: part.word.map(essence) };
}
