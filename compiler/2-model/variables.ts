import { sortedBy } from "../base/order.ts";
import type { Preset } from "../../schemas/types.ts";
import { references } from "./template.ts";
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
    for (const reference of references(template.parts)) {
      const before = found.get(reference.name);
      const about = known.find((variable) => variable.name === reference.name);
      found.set(reference.name, {
        name: reference.name,
        default: before?.default ?? (reference.form === "default" ? plainText(reference.word) : undefined),
        required: (before?.required ?? false) || reference.form === "plain" || reference.form === "required",
        purpose: about?.for,
        url: about?.url,
        acceptedNames: about?.also ?? [],
      });
    }
  }
  return sortedBy(found.values(), (variable) => variable.name);
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
