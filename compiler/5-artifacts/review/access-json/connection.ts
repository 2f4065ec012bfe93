import { canonicalText } from "../../../base/canonical.ts";
import { digestOf } from "../../../base/digest.ts";
import type { JsonValue } from "../../../base/json.ts";
import { sorted, sortedBy } from "../../../base/order.ts";
import type { NamedTemplate, Template, TemplatePart, Transport } from "../../../3-plan/types.ts";

/**
 * How a server is reached, as a reviewer needs it: where, with which command, header names and variables, as written.
 * Values aside from references stand behind one digest, so that a changed literal shows.
 */
export function connection(transport: Transport): object {
  if (transport.kind === "stdio") {
    return {
      stdio: transport.command.map((word) => word.written),
      cwd: transport.cwd?.written,
      env: namesOf(transport.env),
      variables: variablesOf([
        ...transport.command,
        ...(transport.cwd ? [transport.cwd] : []),
        ...valuesOf(transport.env),
      ]),
      values: digestOfValues(transport.env),
    };
  }
  return {
    [transport.kind]: transport.url.written,
    headers: namesOf(transport.headers),
    variables: variablesOf([transport.url, ...valuesOf(transport.headers)]),
    values: digestOfValues(transport.headers),
  };
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
