import { saysSecret } from "../base/secret-names.ts";
import type { TemplateData, TransportData } from "../../runtime/server-data.ts";

/** What a reference stood for when a server was asked. */
export interface ReferenceValue {
  readonly name: string;
  readonly value: string;
  /** In a header or in the child's environment, where secrets lie, or by its name. */
  readonly hidden: boolean;
}

/** `read`: what was set of all that the transport asked for. */
export function valuesRead(entry: TransportData, read: ReadonlyMap<string, string>): ReferenceValue[] {
  const pairs = entry.kind === "stdio" ? entry.env : entry.headers;
  const hidden = new Set(pairs.flatMap(([, template]) => [...namesIn(template)]));
  return [...read].map(([name, value]) => ({ name, value, hidden: hidden.has(name) || saysSecret(name) }));
}

function* namesIn(template: TemplateData): Generator<string> {
  for (const part of template) {
    if (typeof part === "string") continue;
    yield part.name;
    yield* namesIn(part.word);
  }
}
