import { groupBy } from "../../../base/group-by.ts";
import { shown } from "../shown-names.ts";

/** Servers of `.mcp.json` that a name in another list is about. */
export interface NamedServers {
  /** As Claude Code compares them: both in the letters in which it shows them. */
  readonly meant: readonly string[];
  /** Where it finds none: the one that a person may mean, in other capitals or with other signs between the words. */
  readonly near: string | undefined;
}

export function findingServers(servers: readonly string[]): (name: string) => NamedServers {
  const byShown = grouped(servers, (name) => shown(name));
  const byWords = grouped(servers, wordsOf);
  return (name) => {
    const meant = byShown.get(shown(name)) ?? [];
    return { meant, near: meant.length > 0 ? undefined : byWords.get(wordsOf(name))?.[0] };
  };
}

function wordsOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function grouped(servers: readonly string[], keyOf: (name: string) => string): ReadonlyMap<string, readonly string[]> {
  return new Map(groupBy(servers, keyOf).map((group) => [keyOf(group[0]!), group]));
}
