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
  const bare = new Map<string, NamedTool | "unclear">();
  const governed: Governed = { servers: new Set(), dark: new Set(), tools: new Set(), alone: new Set(), longest: 0 };
  let isWhole = true;
  for (const [server, load] of governedServers(session)) {
    const use = await loadServer(session.team, server, load).catch(() => undefined);
    if (use === undefined) isWhole = false;
    enterLetters(governed, server, use === undefined ? [] : toolsOf(server, use, session));
    // Without a manifest, or its data, the server may have a tool of any name.
    if (use === undefined || !isPinned(use)) governed.dark.add(lettersOf(server));
    if (use !== undefined) enterNames({ names, bare }, server, use, session);
  }
  const find = (name: unknown): NamedTool | "unclear" | undefined => {
    if (typeof name !== "string" || name.trim() === "") return "unclear";
    const known = names.get(name);
    if (known === undefined && name.length > LONGEST_NAME) return "unclear";
    if (known === undefined && HOSTS_OWN.has(name)) return mayBeJoined(governed, name) ? "unclear" : undefined;
    if (known === undefined && (mayMean(governed, name) || mayBeCut(governed, name))) return "unclear";
    if (known === undefined) return bare.get(name) ?? (mayBeAlone(governed, name) ? "unclear" : undefined);
    return known !== "unclear" && mayBeOfDark(governed, known.server, name) ? "unclear" : known;
  };
  return { find, isWhole };
}

/** No host joins a longer one, and to look for all servers in each of its parts takes time by its square. */
const LONGEST_NAME = 1_000;

function governedServers({ team, role }: SessionState): typeof team.loaders {
  const own = [...role.servers].flatMap(([server, { load }]) => (load === undefined ? [] : [[server, load] as const]));
  return new Map([...team.loaders, ...own]);
}

function isPinned({ tools }: ServerUse): boolean {
  return [...tools.values()].some(({ digest }) => digest !== null);
}

type Names = Map<string, NamedTool | "unclear">;

/** `bare`: without the server, as some hosts write them. */
function enterNames(
  { names, bare }: { readonly names: Names; readonly bare: Names },
  server: string,
  use: ServerUse,
  session: SessionState,
): void {
  const enter = (to: Names, name: string, tool: string) =>
    to.set(name, to.has(name) ? "unclear" : { server, tool, use });
  for (const tool of toolsOf(server, use, session)) {
    for (const name of joinedNames(server, tool)) enter(names, name, tool);
    for (const name of new Set(spelledNames(tool))) enter(bare, name, tool);
  }
}

function toolsOf(server: string, use: ServerUse, { role }: SessionState): ReadonlySet<string> {
  return new Set([...(role.servers.get(server)?.tools.keys() ?? []), ...use.tools.keys(), ...use.notHeld]);
}

/** As hosts join them; most write another character for what they don't take, and one cuts. Sets: spellings may coincide. */
function joinedNames(server: string, tool: string): ReadonlySet<string> {
  const spelled = spelledNames(tool);
  const forms = spelled.flatMap((text) => [`${server}-${text}`, `${server}_${text}`, `mcp__${server}__${text}`]);
  return new Set([...forms, `${server}/${tool}`, `${server}.${tool}`, `${server}-${spelled[1]}`.slice(0, 64)]);
}

/** As it is, with dashes, with underscores. */
function spelledNames(tool: string): readonly string[] {
  return [tool, tool.replace(/[^A-Za-z0-9_-]/g, "-"), tool.replace(/[^A-Za-z0-9_-]/g, "_")];
}

/** Governed servers as letters and digits alone: how a name is parted says nothing. */
interface Governed {
  readonly servers: Set<string>;
  readonly dark: Set<string>;
  /** Each with its server before it. */
  readonly tools: Set<string>;
  /** Each without it. */
  readonly alone: Set<string>;
  longest: number;
}

function enterLetters(governed: Governed, server: string, tools: Iterable<string>): void {
  const own = lettersOf(server);
  const joined = Array.from(tools, lettersOf).filter((letters) => letters !== "");
  governed.servers.add(own);
  for (const letters of joined) {
    governed.tools.add(own + letters);
    governed.alone.add(letters);
  }
  governed.longest = Math.max(governed.longest, own.length, ...joined.map(({ length }) => own.length + length));
}

function lettersOf(name: string): string {
  return nameWords(name).join("");
}

/** Of `githubMerge` before `M`, of `GITHUBmerge` on either side of the `B`. */
const CASE_CHANGES = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[a-z])/;

function nameWords(name: string): string[] {
  const pieces = name.match(/[A-Za-z0-9]+/g) ?? [];
  return pieces.flatMap((piece) => piece.split(CASE_CHANGES)).map((word) => word.toLowerCase());
}

/** No model is offered a tool with other signs in its name, and what is drawn like a letter may be meant for it. */
const UNUSUAL = /[^ -~]/;

/**
 * Whether a name that no known tool has may be meant for a governed server: the server's name stands in it as whole words,
 * with more beside it, or the names of the server and a tool of its. What begins in the tool of `mcp__server__tool` is of
 * that server.
 */
function mayMean({ servers, tools, longest }: Governed, name: string): boolean {
  if (UNUSUAL.test(name)) return true;
  const { words, begins } = readName(name);
  const isMore = !/^[A-Za-z0-9].*[A-Za-z0-9]$|^.$/.test(name);
  return words.slice(0, begins).some((_, first) => {
    let letters = "";
    for (let next = first; next < words.length && letters.length < longest; next++) {
      letters += words[next]!;
      const isAll = !isMore && first === 0 && next === words.length - 1;
      if (tools.has(letters) || (servers.has(letters) && !isAll)) return true;
    }
    return false;
  });
}

/** `begins`: so many words are before the tool, where that is certain: `mcp__a__b@c` may be the tool of a server `c`. */
function readName(name: string): { readonly words: readonly string[]; readonly begins: number } {
  const division = Math.max(0, name.lastIndexOf("__"));
  const beforeTool = name.slice(0, division);
  const isCertain = /^mcp__.+$/.test(beforeTool) && /^[\w-]*$/.test(name.slice(division + 2));
  const words = nameWords(name.replace(/^mcp/i, "$&-"));
  return { words, begins: isCertain ? nameWords(beforeTool).length : words.length };
}

/** What models and hosts write before any tool's name. */
const LEAD = /^(?:functions?|tools?|default api|multi tool use|mcp) /;

/** Whether it is a known tool's name in another spelling, with a lead before it or a number behind. */
function mayBeAlone({ alone }: Governed, name: string): boolean {
  let rest = readName(name).words.join(" ");
  for (;;) {
    const letters = rest.replaceAll(" ", "");
    if (alone.has(letters) || alone.has(letters.replace(/\d{1,2}$/, ""))) return true;
    const less = rest.replace(LEAD, "");
    if (less === rest) return false;
    rest = less;
  }
}

/** Of a tool of a host's own: whether it is spelled as one of a governed server is, which may have grown it. */
function mayBeJoined({ servers }: Governed, own: string): boolean {
  return Array.from(own.matchAll(/[^A-Za-z0-9]+/g)).some(({ index = 0 }) =>
    servers.has(lettersOf(own.slice(0, index))),
  );
}

/** Hosts cut at 63 or 64, at the end or in the middle, and some put a number behind equal names. */
const SHORTEST_CUT = 63;
const LONGEST_CUT = 66;
/** VS Code leaves 13 characters of a server's name, the number among them, and writes `_` behind. */
const LEAST_OF_SERVER = 12;

/** Whether it is as long as what hosts cut, or its server's name may be the beginning of a governed one's. */
function mayBeCut({ servers }: Governed, name: string): boolean {
  if (name.length >= SHORTEST_CUT && name.length <= LONGEST_CUT) return servers.size > 0;
  const behind = /^mcp[^A-Za-z0-9]+(.*)$/i.exec(name)?.[1] ?? "";
  return Array.from(behind.matchAll(/[^A-Za-z0-9]+/g)).some(({ 0: sign, index = 0 }) => {
    if (index + sign.length < LEAST_OF_SERVER) return false;
    const letters = lettersOf(behind.slice(0, index)).replace(/\d{1,2}$/, "");
    return [...servers].some((server) => server.length > letters.length && server.startsWith(letters));
  });
}

/** Of a known name: whether another server that may have any tool comes first in it. */
function mayBeOfDark({ dark }: Governed, server: string, name: string): boolean {
  if (dark.size === 0) return false;
  const own = lettersOf(server);
  const { words, begins } = readName(name);
  const from = words[0] === "mcp" ? 1 : 0;
  const beginnings = words
    .slice(from, Math.min(begins, words.length - 1))
    .map((_, last) => words.slice(from, from + last + 1).join(""));
  return beginnings.some((letters) => letters !== own && dark.has(letters));
}

/** Tools of hosts' own, as they are written there: `WebSearch` isn't `search` of a server `web`. */
export const HOSTS_OWN: ReadonlySet<string> = new Set(
  (
    "Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree " +
    "ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP ListAgents ListMcpResourcesTool Monitor " +
    "MultiEdit NotebookEdit NotebookRead PowerShell Read ReadMcpResourceDirTool ReadMcpResourceTool " +
    "RemoteTrigger ReportFindings ScheduleWakeup SendMessage Shell Skill SlashCommand StructuredOutput Task " +
    "TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite " +
    "ToolSearch WebFetch WebSearch Workflow Write activate_skill agent agent/runSubagent apply_patch ask_user " +
    "bash browser close_agent codesearch complete_task create create_goal custom-agent edit " +
    "edit/createDirectory edit/createFile edit/editFiles edit/editNotebook enter_plan_mode exec_command " +
    "execute execute/createAndRunTask execute/getTerminalOutput execute/runInTerminal execute/runNotebookCell " +
    "execute/testFailure exit_plan_mode fetch_copilot_cli_documentation get_goal get_internal_docs githubRepo " +
    "githubTextSearch glob google_search google_web_search grep grep_search invoke_agent list list_agents " +
    "list_background_processes list_bash list_directory list_mcp_resource_templates list_mcp_resources " +
    "list_powershell local_shell lsp multiedit newWorkspace patch powershell question read " +
    "read/getNotebookSummary read/problems read/readFile read/readNotebookCellOutput read/terminalLastCommand " +
    "read/terminalSelection read_agent read_background_output read_bash read_file read_many_files " +
    "read_mcp_resource read_powershell replace report_intent request_user_input resume_agent runSubagent " +
    "run_shell_command save_memory search search/changes search/codebase search/fileSearch " +
    "search/listDirectory search/textSearch search/usages search_file_content send_input session_store_sql " +
    "skill spawn_agent sql stop_bash stop_powershell store_memory str_replace_editor task task_complete todo " +
    "todoread todos todowrite tracker_add_dependency tracker_create_task tracker_get_task tracker_list_tasks " +
    "tracker_update_task tracker_visualize update_goal update_plan update_todo update_topic view view_image " +
    "vscode/VSCodeAPI vscode/askQuestions vscode/extensions vscode/getProjectSetupInfo vscode/installExtension " +
    "vscode/runCommand wait_agent web web/fetch web_fetch web_search webfetch websearch write_agent write_bash " +
    "write_file write_powershell write_stdin write_todos"
  ).split(" "),
);
