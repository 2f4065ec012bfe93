import { loadServer } from "./servers.ts";
import type { ServerUse, SessionState } from "./types.ts";

/**
 * Which tool a host means by a joined name. Names are looked up and never split: what isn't in the table and could be
 * meant for a governed server is unclear, and nobody's.
 */
export interface NamedTool {
  readonly server: string;
  readonly tool: string;
  readonly use: ServerUse;
}

export interface ToolNames {
  /** Undefined: no name of a server that a role of this team governs, and the host's own business. */
  find(name: unknown): NamedTool | "unclear" | undefined;
  /** Every governed server's data was there. */
  readonly isWhole: boolean;
}

/** Of all servers that the team's roles govern: a name that another role's server has too isn't clear either. */
export async function readToolNames(session: SessionState): Promise<ToolNames> {
  const names = new Map<string, NamedTool | "unclear">();
  const skeletons = new Set<string>();
  const dark: string[] = [];
  const loaders = governedServers(session);
  let isWhole = true;
  for (const [server, load] of loaders) {
    const use = await loadServer(session.team, server, load).catch(() => undefined);
    if (use === undefined) isWhole = false;
    // Without a manifest, or its data, the server may have a tool of any name.
    if (use === undefined || !isPinned(use)) dark.push(server);
    if (use === undefined) continue;
    enterNames(names, server, use, session);
    for (const tool of toolsOf(server, use, session)) skeletons.add(skeletonOf(server, tool));
  }
  const longest = Math.max(0, ...[...skeletons].map(({ length }) => length));
  const find = (name: unknown): NamedTool | "unclear" | undefined => {
    if (typeof name !== "string" || name.trim() === "") return "unclear";
    const known = names.get(name);
    if (known === undefined)
      return isGlued(skeletons, name) ||
        saysGoverned(skeletons, longest, name) ||
        [...loaders.keys()].some((server) => mayBelongTo(server, name))
        ? "unclear"
        : undefined;
    if (known === "unclear") return known;
    return dark.some((server) => server !== known.server && mayBelongTo(server, name)) ? "unclear" : known;
  };
  return { find, isWhole };
}

function governedServers({ team, role }: SessionState): typeof team.loaders {
  const own = [...role.servers].flatMap(([server, { load }]) => (load === undefined ? [] : [[server, load] as const]));
  return new Map([...team.loaders, ...own]);
}

function isPinned({ tools }: ServerUse): boolean {
  return [...tools.values()].some(({ digest }) => digest !== null);
}

function enterNames(
  names: Map<string, NamedTool | "unclear">,
  server: string,
  use: ServerUse,
  session: SessionState,
): void {
  for (const tool of toolsOf(server, use, session)) {
    for (const name of joinedNames(server, tool)) names.set(name, names.has(name) ? "unclear" : { server, tool, use });
  }
}

function toolsOf(server: string, use: ServerUse, { role }: SessionState): ReadonlySet<string> {
  return new Set([...(role.servers.get(server)?.tools.keys() ?? []), ...use.tools.keys(), ...use.notHeld]);
}

/** As hosts join them; most write another character for what they don't take, and one cuts. Sets: spellings may coincide. */
function joinedNames(server: string, tool: string): ReadonlySet<string> {
  const dashed = tool.replace(/[^A-Za-z0-9_-]/g, "-");
  const underscored = tool.replace(/[^A-Za-z0-9_-]/g, "_");
  const forms = [tool, dashed, underscored].flatMap((text) => [
    `${server}-${text}`,
    `${server}_${text}`,
    `mcp__${server}__${text}`,
  ]);
  return new Set([...forms, `${server}/${tool}`, `${server}.${tool}`, `${server}-${dashed}`.slice(0, 64)]);
}

/**
 * However it is written: in capitals, with another sign between the parts or one that nobody sees within them, with
 * accents, with or without `mcp` before them.
 */
function mayBelongTo(server: string, name: string): boolean {
  return looksLike(server, name) || looksLike(server, bareName(name));
}

/**
 * Without accents and what nobody sees, and letters of other scripts as the Latin ones that they look like. A braille cell
 * without dots isn't among the ignorable ones.
 */
function bareName(name: string): string {
  const bare = name.normalize("NFKD").replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, "");
  return bare.replace(/[^\0-\x7f]/gu, (letter) => LOOKS_LIKE.get(letter) ?? letter);
}

/** A Latin letter, then those that are drawn like it. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  (
    "aаαɑАΑ bьвЬВΒʙ cсϲСϹᴄ dԁԀᴅ eеєЕΕᴇ fϝғ gɡԍɢ hһнНҺΗʜ iіιıɩɪІΙӏӀ jјЈᴊ kкκКΚᴋ lʟǀ mмМΜᴍ nпηпΝɴ oоοσОΟᴏ " +
    "pрρРΡᴘ qԛԚ rгʀ sѕЅꜱ tтτТΤᴛ uυᴜս vνѵѴᴠ wωԝԜᴡ xхχХΧ yуγУΥʏ zΖᴢ"
  )
    .split(" ")
    .flatMap(([latin, ...alike]) => alike.map((letter) => [letter, latin!] as const)),
);

function wordsOfName(name: string): string[] {
  return (
    bareName(name)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** A server and a tool of its as letters and digits alone: how the names of both are parted says nothing. */
function skeletonOf(server: string, tool: string): string {
  return [...wordsOfName(server), ...wordsOfName(tool)].join("");
}

/** Tools of hosts that are joined words, as they are written there. `WebSearch` isn't `search` of a server `web`. */
export const HOSTS_OWN: ReadonlySet<string> = new Set(
  (
    "NotebookEdit EnterWorktree ExitWorktree PowerShell WebFetch WebSearch AskUserQuestion CronCreate CronDelete CronList " +
    "EnterPlanMode ExitPlanMode ReportFindings ScheduleWakeup TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate " +
    "TodoWrite ToolSearch ListAgents RemoteTrigger SendMessage ListMcpResourcesTool ReadMcpResourceDirTool " +
    "ReadMcpResourceTool"
  ).split(" "),
);

/** A governed server and its tool without a sign between them: `githubMerge`, `mcpgithubmerge`. */
function isGlued(skeletons: ReadonlySet<string>, name: string): boolean {
  if (HOSTS_OWN.has(name)) return false;
  const [word, ...more] = wordsOfName(name);
  return word !== undefined && more.length === 0 && (skeletons.has(word) || skeletons.has(word.replace(/^mcp/, "")));
}

/**
 * Whole words that say a governed server and its tool, anywhere: `git-hub-list`, `mcp__plugin_x_github__list`. Not within
 * one word, and not within the tool of a server that is named: `mcp__other__github_list`.
 */
function saysGoverned(skeletons: ReadonlySet<string>, longest: number, name: string): boolean {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  const ofServer = server === undefined ? Infinity : wordsOfName(`mcp__${server}`).length;
  const words = wordsOfName(name);
  return words.some((_, first) => {
    if (first >= ofServer && !/__/.test(tool!)) return false;
    let joined = words[first]!;
    for (let next = first + 1; next < words.length && joined.length < longest; next++) {
      joined += words[next]!;
      if (skeletons.has(joined)) return true;
    }
    return false;
  });
}

function looksLike(server: string, name: string): boolean {
  const own = foldedName(server);
  const folded = foldedName(name);
  const bare = folded.replace(/^(?:mcp-)+/, "");
  return folded.startsWith(`${own}-`) || bare.startsWith(`${own}-`) || (bare === own && bare !== folded);
}

function foldedName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");
}
