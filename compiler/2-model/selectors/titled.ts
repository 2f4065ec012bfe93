import { globMatcher, isGlob } from "../../base/glob.ts";
import { slug } from "../../base/slug.ts";

interface TitledServer {
  readonly name: string;
  readonly title?: string | undefined;
}

/**
 * A line of another system's file names servers as they are called there. The same line for each that is called otherwise
 * here, or in whose name there is a dot, with that server's name.
 */
export function titledSelectors(written: string, servers: readonly TitledServer[]): string[] {
  const line = written.toLowerCase();
  const patterns = patternsIn(written);
  const found = servers.flatMap(({ name, title }) => {
    if (title === undefined) return [];
    const theirs = title.toLowerCase();
    const head = `${asWritten(title).toLowerCase()}.`;
    const tools = patterns.flatMap(({ matches, tool }) => (matches(theirs) ? [tool] : []));
    return [...(line.startsWith(head) ? [written.slice(head.length)] : []), ...tools].flatMap((tool) =>
      tool === "" ? [] : [`${name}.${tool}`],
    );
  });
  return [...new Set(found)].filter((one) => one !== written);
}

/** Whether a server here has the name, or is called so in its own file. */
export function isServerMeant(name: string, servers: readonly TitledServer[]): boolean {
  if (!isGlob(name)) return servers.some((one) => one.name === name);
  const matches = globMatcher(name);
  return servers.some((one) => matches(one.name)) || titledSo(name, servers).length > 0;
}

/** Servers whose own names a pattern finds, whatever the project calls them. */
export function titledSo(pattern: string, servers: readonly TitledServer[]): string[] {
  const matches = globMatcher(pattern);
  return servers.flatMap(({ name, title }) => (title !== undefined && matches(title.toLowerCase()) ? [name] : []));
}

/** Dots in a pattern up to which a server's name may reach. */
const MOST_DOTS = 10;

/** The line's beginnings up to a dot that are patterns over names of servers, each with what is left behind it. */
function patternsIn(written: string): { readonly matches: (name: string) => boolean; readonly tool: string }[] {
  const found = [];
  for (let dot = written.indexOf("."), i = 0; dot > 0 && i < MOST_DOTS; dot = written.indexOf(".", dot + 1), i++) {
    const pattern = written.slice(0, dot).toLowerCase();
    if (isGlob(pattern)) found.push({ matches: globMatcher(pattern), tool: written.slice(dot + 1) });
  }
  return found;
}

/** In a line a server is what stands before the first dot. */
function asWritten(title: string): string {
  const dot = title.indexOf(".");
  return dot <= 0 ? slug(title) : slug(title.slice(0, dot)) + title.slice(dot);
}
