import { plainEntries } from "../../5-artifacts/managed/plain-front-matter.ts";
import { keyLibraries } from "../libraries.ts";

/**
 * What an agent's file calls it: the `name` of its front matter, else `otherwise`. Where that isn't sound YAML, hosts make
 * of it what they can: every `name` in it counts, and one with an escape may be any, which is undefined.
 */
export function agentName(text: string, otherwise: string | undefined): readonly (string | undefined)[] {
  const header = /^\uFEFF?\s*---[^\n]*\n([^]*?)(?<=\n)---/.exec(text)?.[1] ?? "";
  const named = plainName(header) ?? nameIn(header) ?? namesIn(header);
  return named.length > 0 || otherwise === undefined ? named : [otherwise];
}

/** As most are written; undefined: the `yaml` package has to read it. */
function plainName(header: string): readonly string[] | undefined {
  const named = plainEntries(header)?.filter(({ key }) => key === "name");
  return named?.map(({ json }) => String(JSON.parse(json)));
}

/** Undefined: it isn't sound. */
function nameIn(header: string): readonly string[] | undefined {
  try {
    const document = keyLibraries().yaml().parseDocument(header, { prettyErrors: false, logLevel: "silent" });
    if (document.errors.length > 0) return undefined;
    const held = document.toJS({ maxAliasCount: 100 }) as { readonly name?: unknown } | null;
    return held?.name === undefined || held.name === null ? [] : [String(held.name)];
  } catch {
    return undefined;
  }
}

function namesIn(header: string): readonly (string | undefined)[] {
  return [...header.matchAll(/(?:^|[\s{,])["']?name["']?\s*:\s*["']?([^"',}\r\n]*)/g)].map(([, name = ""]) =>
    /[\\&*!|>]/.test(name) ? undefined : name.trim(),
  );
}
