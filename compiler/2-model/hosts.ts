import { nearest } from "../base/nearest.ts";

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

/**
 * Programs that are given servers and can't be told which tools of one a role holds: whoever works there would have them
 * all, so nothing is written for these. By the id that somebody may look for, the program's name.
 */
export const TAKES_SERVERS_WHOLE: ReadonlyMap<string, string> = new Map([
  ["air", "Air"],
  ["claude-desktop", "Claude Desktop"],
  ["jetbrains", "JetBrains AI Assistant"],
  ["junie", "Junie"],
]);

/** Names that people write for a host, and that are too far from its id for a guess by letters, or near another one. */
const MEANT_BY: ReadonlyMap<string, HostId> = new Map([
  ["claude", "claude-code"],
  ["claudecode", "claude-code"],
  ["copilot", "copilot-cli"],
  ["github-copilot", "copilot-cli"],
  ["gemini", "gemini-cli"],
  ["code", "vscode"],
  ["vs-code", "vscode"],
  ["vercel", "ai-sdk"],
  ["vercel-ai", "ai-sdk"],
  ["openai", "openai-agents"],
  ["google-adk", "adk"],
  ["cursor-agent", "cursor"],
]);

/** Of these hosts the one that a name was meant for. A slip in a host's own id comes before one in another name for it. */
export function hostMeant(written: string, known: readonly string[]): string | undefined {
  const other = MEANT_BY.get(written.toLowerCase());
  if (other !== undefined) return other;
  const near = nearest(written, known);
  return near ?? MEANT_BY.get(nearest(written, MEANT_BY.keys()) ?? "");
}
