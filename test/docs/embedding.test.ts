import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sandboxConfig } from "../../examples/embedding/sandbox-config.ts";
import { blocksOf } from "../support/markdown.ts";
import { ROOT } from "../support/root.ts";

/** docs/embedding.md, and the example that it shows. */

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
const shipped = {
  files: {
    "mcp/presets/playwright.yaml":
      'id: playwright\nserver: { connect: [{ stdio: [npx, -y, "@playwright/mcp@0.0.83"] }], connection: session }\n',
    "rules.yaml":
      'policies: [{ name: no scripts, roles: ["*"], tools: [playwright.browser_evaluate], effect: deny }]\n',
  },
  manifests: {
    playwright: { tools: [tool("browser_click"), tool("browser_evaluate")] },
    "github-mcp": { tools: [tool("list_issues"), tool("merge_pull_request")] },
    postgres: { tools: [tool("query")] },
  },
};
const settings = { model: "acme/large", provider: { acme: { options: { baseURL: "https://models.example.com" } } } };
const github = {
  type: "local",
  command: ["npx", "-y", "@modelcontextprotocol/server-github@2025.4.8"],
  env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${GITHUB_TOKEN}" },
  enabled: true,
};
const postgres = {
  type: "local",
  command: ["npx", "-y", "@modelcontextprotocol/server-postgres@0.6.2", "${DATABASE_URL}"],
  enabled: true,
};
const rows = {
  prebuild: { mcp_servers: { "GitHub MCP": github, postgres } },
  automation: {
    slack_notify: { channelId: "C1" },
    mcp_servers: { "GitHub MCP": { ...github, allowedTools: ["list_issues"] } },
  },
  session: { modelId: "small", mcpServers: { postgres: null } },
};

interface Made {
  readonly model: string;
  readonly mcp: Readonly<Record<string, { readonly command: readonly string[]; readonly environment?: object }>>;
  readonly agent: { readonly agent: { readonly permission: Readonly<Record<string, unknown>> } };
}
const made = (...args: Parameters<typeof sandboxConfig>): Made => JSON.parse(sandboxConfig(...args)) as Made;

test("the page shows the example as it is", () => {
  const page = readFileSync(path.join(ROOT, "docs/embedding.md"), "utf8");
  const code = blocksOf(page).find(({ language }) => language === "ts");
  expect(code?.text.trim()).toBe(readFileSync(path.join(ROOT, "examples/embedding/sandbox-config.ts"), "utf8").trim());
});

test("rows become the config of a sandbox, each over the one before", () => {
  const text = sandboxConfig(settings, rows, shipped);
  expect(text.startsWith(JSON.stringify(settings, null, 2).slice(0, -2))).toBe(true);
  const { mcp, agent } = JSON.parse(text) as Made;
  expect(Object.keys(mcp)).toEqual(["github-mcp", "playwright"]);
  expect(mcp["github-mcp"]).toMatchObject({
    command: github.command,
    environment: { GITHUB_PERSONAL_ACCESS_TOKEN: "{env:GITHUB_TOKEN}" },
  });
  expect(Object.entries(agent.agent.permission).filter(([, effect]) => effect === "allow")).toEqual([
    ["github-mcp_list_issues", "allow"],
    ["playwright_browser_click", "allow"],
  ]);
  expect(sandboxConfig(settings, rows, shipped)).toBe(text);
});

test("without a row there is the browser; a session switches it off, and settings say how it is started", () => {
  expect(Object.keys(made(settings, { prebuild: null }, shipped).mcp)).toEqual(["playwright"]);
  expect(made(settings, { session: { mcpServers: { playwright: null } } }, shipped).mcp).toBeUndefined();
  const own = { mcp: { playwright: { type: "local", command: ["my-browser"] } } };
  expect(made(own, {}, shipped).mcp["playwright"]?.command).toEqual(["my-browser"]);
});

test("what is wrong with a row is told at its place in the row", () => {
  const wrong = { mcp_servers: { postgres: { ...postgres, allowedTools: ["querry"] } } };
  expect(() => sandboxConfig(settings, { session: wrong }, shipped)).toThrow(
    /`querry` is not a tool of `postgres`\n {2}session\.json:\d+:\d+\n[^]*did you mean `query`\?/,
  );
  const taken = { mcp: { postgres: { type: "local", command: ["mine"] } } };
  expect(() => sandboxConfig(taken, { session: { mcp_servers: { postgres } } }, shipped)).toThrow(
    "opencode.json: it has a `mcp.postgres` already",
  );
});
