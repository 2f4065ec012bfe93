import { sorted } from "../../base/order.ts";
import { isClosed, namesOf, ownTools } from "../../4-fit/own-tools.ts";

/** Claude Code's own tools, which the Claude Agent SDK has too. */
export const CLAUDE_TOOLS = ownTools(
  {
    seenIn: "Claude Code 2.1.326",
    shells: ["bash", "powershell"],
    varies: "with some models, at a terminal, on Windows (`PowerShell`), with plugins (`LSP`) and in newer versions",
  },
  {
    runs: "Bash PowerShell Monitor Skill",
    writes: "Write Edit NotebookEdit EnterWorktree ExitWorktree",
    "reaches out": "WebFetch WebSearch",
    reads: "Read Grep Glob LSP",
    keeps:
      "AskUserQuestion CronCreate CronDelete CronList EnterPlanMode ExitPlanMode ReportFindings ScheduleWakeup TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoWrite ToolSearch",
    "hands work on": "Agent ListAgents RemoteTrigger SendMessage Task Workflow",
    "reads resources": "ListMcpResourcesTool ReadMcpResourceDirTool ReadMcpResourceTool",
  },
);

/**
 * For roles that don't govern them or hold them all: an exact list takes away whatever isn't in it. Whether tools wait
 * behind `ToolSearch` is the host's own choice.
 */
export const BUILT_IN: readonly string[] = sorted(
  namesOf(CLAUDE_TOOLS, (can) => !isClosed(can)).filter((name) => name !== "ToolSearch"),
);

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS: readonly string[] = namesOf(CLAUDE_TOOLS, (can) => can === "reads resources");
