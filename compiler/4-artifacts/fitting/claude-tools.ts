/**
 * Claude Code's own tools, for roles that don't govern them or hold them all: an exact list takes away whatever isn't in
 * it. `Agent`, `Workflow`, `SendMessage`, `ListAgents` and `RemoteTrigger` aren't here, since they hand work to agents that
 * hold more, nor are the tools that read a server's resources. Some are only offered to a person at a terminal.
 */
export const BUILT_IN: readonly string[] = [
  "AskUserQuestion",
  "Bash",
  "CronCreate",
  "CronDelete",
  "CronList",
  "Edit",
  "EnterPlanMode",
  "EnterWorktree",
  "ExitPlanMode",
  "ExitWorktree",
  "Glob",
  "Grep",
  "Monitor",
  "NotebookEdit",
  "Read",
  "ReportFindings",
  "ScheduleWakeup",
  "Skill",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskStop",
  "TaskUpdate",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
];

/** These hand work to agents that hold more. */
const HANDING_OVER: readonly string[] = ["Agent", "ListAgents", "RemoteTrigger", "SendMessage", "Task", "Workflow"];

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS: readonly string[] = [
  "ListMcpResourcesTool",
  "ReadMcpResourceDirTool",
  "ReadMcpResourceTool",
];

export const CLOSED_TOOLS: readonly string[] = [...HANDING_OVER, ...RESOURCE_TOOLS];
