/** Hosts whose own tools a role can name under `builtins`. */
export const HOSTS = [
  "copilot-sdk",
  "copilot-cli",
  "claude-code",
  "claude-agent-sdk",
  "opencode",
  "codex",
  "gemini-cli",
  "cursor",
  "vscode",
  "ai-sdk",
  "openai-agents",
] as const;
