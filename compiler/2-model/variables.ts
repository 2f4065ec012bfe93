import { sortedBy } from "../base/order.ts";
import type { Preset } from "../../schemas/types.ts";
import type { Template, TemplatePart, Transport, Variable } from "./types.ts";

type KnownVariable = NonNullable<Preset["variables"]>[number];

/** Every variable that a connection refers to, sorted, with what the preset says of it. */
export function linkVariables(
  connect: readonly Transport[],
  root: Template | undefined,
  known: readonly KnownVariable[],
): Variable[] {
  const found = new Map<string, Variable>();
  for (const template of templatesOf(connect, root)) {
    for (const { reference, isNeeded } of neededIn(template.parts, [])) {
      const before = found.get(reference.name);
      const about = known.find((variable) => variable.name === reference.name);
      found.set(reference.name, {
        name: reference.name,
        default: before?.default ?? (reference.form === "default" ? plainText(reference.word) : undefined),
        required: (before?.required ?? false) || isNeeded,
        purpose: about?.for,
        url: about?.url,
        acceptedNames: about?.also ?? [],
      });
    }
  }
  return sortedBy(found.values(), (variable) => variable.name);
}

/** Within `${NAME:+text}` NAME is set: what the text says of it asks nobody to set it. */
function* neededIn(parts: readonly TemplatePart[], set: readonly string[]): Generator<Needed> {
  for (const part of parts) {
    if (typeof part === "string") continue;
    const { name, form, word } = part;
    yield { reference: part, isNeeded: (form === "plain" || form === "required") && !set.includes(name) };
    yield* neededIn(word, form === "if-set" ? [...set, name] : set);
  }
}

interface Needed {
  readonly reference: Exclude<TemplatePart, string>;
  readonly isNeeded: boolean;
}

export function templatesOf(connect: readonly Transport[], root: Template | undefined): Template[] {
  const inConnect = connect.flatMap((transport) =>
    transport.kind === "stdio"
      ? [...transport.command, ...transport.env.map((entry) => entry.value), ...(transport.cwd ? [transport.cwd] : [])]
      : [transport.url, ...transport.headers.map((header) => header.value)],
  );
  return root ? [...inConnect, root] : inConnect;
}

function plainText(parts: readonly TemplatePart[]): string | undefined {
  return parts.every((part) => typeof part === "string") ? parts.join("") : undefined;
}
