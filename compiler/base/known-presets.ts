/** Presets of rolecall, by what they reach: only to name one that brings what a file lacks. No server changes by it. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "azure-devops": ["@azure-devops/mcp", "@tiberriver256/mcp-server-azure-devops"],
  everything: ["@modelcontextprotocol/server-everything"],
  fetch: ["mcp-server-fetch", "@modelcontextprotocol/server-fetch"],
  filesystem: ["@modelcontextprotocol/server-filesystem"],
  git: ["@cyanheads/git-mcp-server", "mcp-server-git", "@modelcontextprotocol/server-git"],
  github: ["api.githubcopilot.com/mcp", "@modelcontextprotocol/server-github"],
  linear: ["mcp.linear.app/mcp", "mcp.linear.app/sse"],
  memory: ["@modelcontextprotocol/server-memory"],
  mongodb: ["mongodb-mcp-server"],
  notion: ["mcp.notion.com/mcp", "mcp.notion.com/sse", "@notionhq/notion-mcp-server"],
  obsidian: ["mcp-obsidian"],
  "pg-readonly": ["@modelcontextprotocol/server-postgres"],
  playwright: ["@playwright/mcp"],
  sentry: ["mcp.sentry.dev/mcp", "@sentry/mcp-server"],
  slack: ["@modelcontextprotocol/server-slack"],
  stripe: ["mcp.stripe.com", "@stripe/mcp"],
  supabase: ["mcp.supabase.com/mcp", "mcp.supabase.com/sse", "@supabase/mcp-server-supabase"],
};

const BY_REACHED = new Map(Object.entries(KNOWN).flatMap(([id, reached]) => reached.map((one) => [one, id] as const)));

export function knownPreset(reached: readonly string[]): string | undefined {
  return reached.map((one) => BY_REACHED.get(one)).find((id) => id !== undefined);
}
