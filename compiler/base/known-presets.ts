/** Presets of rolecall, by what they alone reach: only to name one that brings what a file lacks. No server changes by it. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "azure-devops": ["@azure-devops/mcp", "@tiberriver256/mcp-server-azure-devops"],
  "chrome-devtools": ["chrome-devtools-mcp"],
  cloudwatch: ["awslabs.cloudwatch-mcp-server"],
  context7: ["@upstash/context7-mcp", "mcp.context7.com/mcp"],
  datadog: ["@winor30/mcp-server-datadog"],
  discord: ["mcp-discord"],
  email: ["@gongrzhe/server-gmail-autoauth-mcp"],
  everything: ["@modelcontextprotocol/server-everything"],
  fetch: ["mcp-server-fetch", "@modelcontextprotocol/server-fetch"],
  figma: ["figma-developer-mcp"],
  filesystem: ["@modelcontextprotocol/server-filesystem"],
  git: ["@cyanheads/git-mcp-server", "mcp-server-git", "@modelcontextprotocol/server-git"],
  github: ["api.githubcopilot.com/mcp", "@modelcontextprotocol/server-github"],
  "google-drive": ["@modelcontextprotocol/server-gdrive"],
  linear: ["mcp.linear.app/mcp", "mcp.linear.app/sse"],
  memory: ["@modelcontextprotocol/server-memory"],
  mongodb: ["mongodb-mcp-server"],
  mysql: ["@f4ww4z/mcp-mysql-server"],
  notion: ["mcp.notion.com/mcp", "mcp.notion.com/sse", "@notionhq/notion-mcp-server"],
  obsidian: ["mcp-obsidian"],
  "obsidian-vault": ["obsidian-mcp"],
  pagerduty: ["mcp.pagerduty.com/mcp"],
  "pg-readonly": ["@modelcontextprotocol/server-postgres"],
  playwright: ["@playwright/mcp"],
  postgres: ["@bytebase/dbhub"],
  s3: ["awslabs.aws-api-mcp-server"],
  sentry: ["mcp.sentry.dev/mcp", "@sentry/mcp-server"],
  slack: ["@modelcontextprotocol/server-slack"],
  stripe: ["mcp.stripe.com", "@stripe/mcp"],
  supabase: ["mcp.supabase.com/mcp", "mcp.supabase.com/sse", "@supabase/mcp-server-supabase"],
  trello: ["@delorenj/mcp-server-trello"],
};

const BY_REACHED = new Map(Object.entries(KNOWN).flatMap(([id, reached]) => reached.map((one) => [one, id] as const)));

export function knownPreset(reached: readonly string[]): string | undefined {
  return reached.map((one) => BY_REACHED.get(one)).find((id) => id !== undefined);
}
