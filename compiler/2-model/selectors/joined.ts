import { exactName, type Selector } from "./parse.ts";

/** A server that such a text can speak of. */
export interface JoinedServer {
  readonly name: string;
  readonly title?: string | undefined;
  readonly set: { readonly byName: { has(tool: string): boolean } };
}

interface JoinedList {
  readonly under: JoinedServer | undefined;
  readonly servers: readonly JoinedServer[];
}

/**
 * Other systems name tools as a host shows them: `github_create_issue`, `github-create_issue`, `github.create_issue`. A text
 * of theirs is taken so only where no tool has the name as it is written, and where one tool alone can be meant.
 */
export function unjoined(selector: Selector | undefined, written: string, list: JoinedList): Selector | undefined {
  const { under, servers } = list;
  const name = selector === undefined ? written : exactName(selector);
  if (name === undefined) return selector;
  const meant = under === undefined ? meantInRule(selector, servers) : [under];
  if (meant.some(({ set }) => set.byName.has(name))) return selector;
  const found = meant.flatMap((server) => behindName(name, server).map((tool) => ({ server: server.name, tool })));
  const [one, another] = found;
  if (one === undefined || another !== undefined) return selector;
  return {
    server: under === undefined ? one.server : undefined,
    parts: [{ kind: "name", name: one.tool }],
    meaningless: [],
  };
}

/** A text without a dot says no server; one before the dot is a server only where there is one of that name. */
function meantInRule(selector: Selector | undefined, servers: readonly JoinedServer[]): readonly JoinedServer[] {
  return selector?.server === undefined ? servers : servers.filter(({ name }) => name === selector.server);
}

function behindName(text: string, { name, title, set }: JoinedServer): string[] {
  const names = new Set([name, ...(title === undefined ? [] : [title])]);
  return [...names].flatMap((server) => {
    const tool = text.slice(server.length + 1);
    return text.startsWith(server) && /[_.-]/.test(text[server.length] ?? "") && set.byName.has(tool) ? [tool] : [];
  });
}
