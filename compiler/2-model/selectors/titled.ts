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
  const dot = written.indexOf(".");
  const server = written.slice(0, Math.max(dot, 0));
  if (server === "") return [];
  if (isGlob(server))
    return titledSo(server, servers).flatMap((name) =>
      globMatcher(server)(name) ? [] : [`${name}${written.slice(dot)}`],
    );
  return servers.flatMap(({ name, title }) => {
    const head = title === undefined ? "" : `${asWritten(title)}.`;
    const tool = written.slice(head.length);
    const isIt = head !== "" && written.startsWith(head) && tool !== "" && `${name}.${tool}` !== written;
    return isIt ? [`${name}.${tool}`] : [];
  });
}

/** Servers whose own names a pattern finds, whatever the project calls them. */
export function titledSo(pattern: string, servers: readonly TitledServer[]): string[] {
  const matches = globMatcher(pattern);
  return servers.flatMap(({ name, title }) => (title !== undefined && matches(title.toLowerCase()) ? [name] : []));
}

/** In a line a server is what stands before the first dot. */
function asWritten(title: string): string {
  const dot = title.indexOf(".");
  return dot <= 0 ? slug(title) : slug(title.slice(0, dot)) + title.slice(dot);
}
