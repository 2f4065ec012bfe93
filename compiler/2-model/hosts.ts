/** Every host that rolecall knows, sorted. */
export const HOSTS = [
  "adk",
  "ai-sdk",
  "claude-agent-sdk",
  "claude-code",
  "codex",
  "copilot-cli",
  "copilot-sdk",
  "cursor",
  "gemini-cli",
  "mcp-servers",
  "openai-agents",
  "opencode",
  "vscode",
] as const;

export type HostId = (typeof HOSTS)[number];

/** Those with tools of their own, which a role can name under `builtins`. */
export const HOSTS_WITH_TOOLS: readonly string[] = HOSTS.filter((host) => host !== "mcp-servers");
