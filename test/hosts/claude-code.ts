import { writeFileSync } from "node:fs";
import path from "node:path";
import { runBounded, type Ended } from "./bounded-process.ts";
import { CLI } from "./cli.ts";
import { surroundings } from "./host.ts";
import type { Begin, Host, Place, ServerTool } from "./host.ts";

/** mcp__server__tool, and what isn't a letter, a digit, `_` or `-` is `_`. */
export const claudeName = ({ server, tool }: ServerTool): string =>
  `mcp__${server}__${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`;

/** The model's address, and nothing that would leave the machine. Searched tools wouldn't show in a request. */
export const claudeSurroundings = (place: Place): Record<string, string> =>
  surroundings(place, {
    ANTHROPIC_BASE_URL: place.modelUrl,
    ANTHROPIC_API_KEY: "mock",
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ENABLE_TOOL_SEARCH: "false",
    // It would wait half a minute for a silent server before it ends.
    MCP_TIMEOUT: "5000",
  });

/** What a role sees of Claude Code, whoever starts it. */
export const CLAUDE = {
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  keeps: ["workspace"],
  resources: "closed",
  // As a run without any restriction offers them, less what hands work on.
  ownTools:
    "Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree Monitor NotebookEdit Read ReportFindings ScheduleWakeup Skill TaskCreate TaskGet TaskList TaskStop TaskUpdate WebFetch WebSearch Write".split(
      " ",
    ),
  shown: claudeName,
  readResource: (server: string) => [
    { name: "ListMcpResourcesTool", args: { server } },
    { name: "ReadMcpResourceTool", args: { server, uri: `note://${server}/one` } },
    { name: "ReadMcpResourceDirTool", args: { server, uri: `note://${server}/` } },
  ],
  handOver: (agent: string, prompt: string) => ({
    name: "Agent",
    args: { description: "probe", prompt, subagent_type: agent },
  }),
  ownAgents: ["general-purpose", "Explore"],
} as const satisfies Partial<Host>;

export const claudeCode: Host = {
  ...CLAUDE,
  id: "claude-code",
  packages: { "@anthropic-ai/claude-code": "2.1.326" },
  delegation: "opened",
  rolesByName: true,
  startsByRolecall: true,
  overrule: ({ folder }, role) =>
    writeFileSync(path.join(folder, ".claude", "agents", "aaa.md"), `---\nname: ${role}\ndescription: x\n---\nHi.\n`),
  start: (place, begin) => startClaude(place, begin, path.join("mcp", "hosts", "claude-code")),
};

/** With the files of the role that lie in this folder. */
export function startClaude(place: Place, begin: Begin, folder: string): Promise<Ended> {
  const { role, filesOf, prompt, byRolecall } = begin;
  const files = path.join(folder, filesOf);
  const chosen = ["--mcp-config", `${files}.mcp.json`, "--strict-mcp-config", "--settings", `${files}.settings.json`];
  const bin = path.join(place.packages, "node_modules", ".bin");
  const env = claudeSurroundings(place);
  const ours = [CLI, "start", role, "--host", "claude-code", "--", "-p", prompt];
  return runBounded({
    ...(byRolecall === true
      ? { file: process.execPath, args: ours, env: { ...env, PATH: `${bin}:${env["PATH"]}` } }
      : { file: path.join(bin, "claude"), args: ["-p", prompt, ...chosen, "--agent", role], env }),
    cwd: place.folder,
    timeoutMs: place.timeoutMs,
  });
}
