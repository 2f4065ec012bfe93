import { isHarmless, saysSecret } from "../base/secret-names.ts";
import type { TemplateData, TransportData } from "../../runtime/server-data.ts";

/** What a reference stood for when a server was asked. */
export interface ReferenceValue {
  readonly name: string;
  readonly value: string;
  /** In a header or in the child's environment, where secrets lie, or by its name. */
  readonly hidden: boolean;
  /** Its name says so. A file that is there is none. */
  readonly secret: boolean;
  /** Its name says so, or that of its header. */
  readonly cookie?: boolean;
}

/** `read`: what was set of all that the transport asked for. `isThere`: a path leads to something. */
export function valuesRead(
  entry: TransportData,
  read: ReadonlyMap<string, string>,
  isThere: (path: string) => boolean,
): ReferenceValue[] {
  const pairs = entry.kind === "stdio" ? entry.env : entry.headers;
  const under = pairs.map(([name, template]) => [name, new Set(namesIn(template))] as const);
  return [...read].map(([name, value]) => {
    const keys = under.filter(([, names]) => names.has(name)).map(([key]) => key);
    const says = [name, ...keys].some((one) => saysSecret(one) && !isHarmless(one, value));
    const secret = says && !(isPath(value) && isThere(value));
    const cookie = [name, ...keys].some((one) => /cookie/i.test(one));
    return { name, value, hidden: keys.length > 0 || saysSecret(name), secret, cookie };
  });
}

/** By its first characters: a key may begin like one. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value);
}

function* namesIn(template: TemplateData): Generator<string> {
  for (const part of template) {
    if (typeof part === "string") continue;
    yield part.name;
    yield* namesIn(part.word);
  }
}
