import type { Server, Tool } from "../3-plan/types.ts";
import type { HostFacts, KeptNames, LeftOut } from "./types.ts";

/** Names that are a host's own: a server or a tool that would be read as one of them stays away from there. */

export function keptNames(seenIn: string, words: Partial<Record<keyof Omit<KeptNames, "seenIn">, string>>): KeptNames {
  const list = (text = ""): string[] => (text === "" ? [] : text.split(" "));
  return {
    seenIn,
    servers: list(words.servers),
    tools: list(words.tools),
    joined: list(words.joined),
    settings: list(words.settings),
  };
}

/** What a host keeps, made ready once to be asked of many tools. Each answer completes "because ..."; undefined: it isn't kept. */
export interface Kept {
  /** Nothing of this server can be there. */
  server(server: Server): string | undefined;
  /** `joined`: the name that the model sees there. */
  tool(server: string, name: string, joined: string): string | undefined;
}

export function keptBy(host: HostFacts): Kept {
  const { kept, abilities } = host;
  const servers = new Set(kept.servers.map(alike));
  const beginnings = [...servers].map((name) => alike(host.joinedName(name, ""))).filter((name) => name !== "");
  const tools = new Set(kept.tools);
  const settings = kept.settings.map((word) => word.toLowerCase());
  const words = wordsOf(host).map((word) => word.toLowerCase());
  const [whole, begun] = [new Set(words), words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1))];
  // Most servers' names have nothing to do with any: it is asked of each tool.
  const known = new Map<string, readonly string[]>();
  const near = (server: string): readonly string[] => {
    const before = known.get(server);
    if (before !== undefined) return before;
    const own = alike(host.joinedName(server, ""));
    const found = beginnings.filter((one) => one.startsWith(own) || own.startsWith(one));
    known.set(server, found);
    return found;
  };
  const isWord = (joined: string, server: string): boolean => {
    const lower = joined.toLowerCase();
    if (whole.has(lower) || begun.some((word) => lower.startsWith(word))) return true;
    return near(server).some((one) => alike(joined).startsWith(one));
  };
  return {
    server: ({ name, tools: all }) => {
      if (servers.has(alike(name))) return "a server of that name is the host's own there";
      const own = host.joinedName(name, "").toLowerCase();
      if (!settings.some((word) => word.startsWith(own))) return undefined;
      const key = (tool: Tool) => host.joinedName(name, tool.name);
      const taken = all.find((tool) => settings.includes(key(tool).toLowerCase()));
      return taken && `its tool \`${taken.name}\` would be \`${key(taken)}\`, a key of the host's own permissions`;
    },
    tool: (server, name, joined) => {
      if (name === "") return "without a name it may stand for every tool of its server there";
      if (name === "*" && tools.has(name)) return "`*` stands for every tool there";
      if (tools.has(name)) return "a tool of that name can't be told from the host's own there";
      if (abilities.splitsNames?.test(name)) return "its name would be read as more than one there";
      return isWord(joined, server) ? `\`${joined}\` is a word of the host's own` : undefined;
    },
  };
}

function wordsOf({ kept, ownTools }: HostFacts): string[] {
  return [...kept.joined, ...kept.settings, ...(ownTools?.tools.keys() ?? []), ...(ownTools?.under?.keys() ?? [])];
}

/** Hosts take `-`, `_`, a space and capitals of a server's name for the same, each in its own way. */
function alike(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9/]/g, "_");
}

type Refusal = Pick<LeftOut, "because" | "why" | "rules" | "declared">;

/** Why a tool can't have its name there; undefined: it can. */
export function nameRefusal(
  { name }: Pick<Tool, "name">,
  joined: string,
  { abilities }: HostFacts,
  kept: Kept,
  server: Pick<Server, "name" | "place">,
): Refusal | undefined {
  const refused = (why: string): Refusal => ({ because: "name", why, rules: [], declared: [server.place] });
  const why = kept.tool(server.name, name, joined);
  if (why !== undefined) return refused(why);
  return abilities.longestName !== undefined && joined.length > abilities.longestName
    ? refused(`names of more than ${abilities.longestName} characters are cut there`)
    : undefined;
}
