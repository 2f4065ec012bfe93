/**
 * Claude Code's own tools, for roles that don't govern them or hold them all. `Agent` isn't here, since it would reach
 * agents that hold more, nor are the tools that read a server's resources.
 */
export const BUILT_IN: readonly string[] = [
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "NotebookEdit",
  "Read",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
];

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS: readonly string[] = [
  "ListMcpResourcesTool",
  "ReadMcpResourceDirTool",
  "ReadMcpResourceTool",
];
