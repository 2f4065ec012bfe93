import { fc } from "../../support/generated.ts";
import { expect, test } from "vitest";
import type { Compilation } from "../../../compiler/compile.ts";
import { compiled, errors, heldBy, manifest } from "../../support/compiled.ts";

/** What one row of the product comes to. What is said of wrong ones is in test/cases/formats. */

const MANIFESTS = { "mcp/manifests/tracker.json": manifest("list_issues", "create_issue", "delete_issue") };
const tracker = {
  type: "local",
  command: ["npx", "-y", "tracker-server@1.2.0", "--team", "${TEAM}"],
  env: { TRACKER_KEY: "${TRACKER_TOKEN}", PRICE: "5$" },
  enabled: true,
  description: "Issues of the harbour",
};

function read(document: object, item = "row.json", more: Readonly<Record<string, string>> = MANIFESTS): Compilation {
  return compiled({
    "rolecall.yaml": `version: 1\nproject: test\nimports: [${item}]\n`,
    "row.json": JSON.stringify(document),
    ...more,
  });
}

const OWN = {
  slack_notify: { enabled: true, channelId: "C1" },
  create_linear_issue: { enabled: false },
  email_user: { enabled: true },
  create_session: { enabled: true },
};

test.each([
  ["bare", { mcp_servers: { tracker } }],
  ["the value of `enabledTools`, tools of the product's own beside it", { ...OWN, mcp_servers: { tracker } }],
  ["with the column around it", { enabledTools: { ...OWN, mcp_servers: { tracker } } }],
  ["the value of a session's `agentConfig`", { agentType: "opencode", modelId: "m", mcpServers: { tracker } }],
  ["that alone, told from .mcp.json by what is in it", { mcpServers: { tracker } }],
  ["with its column around it", { agentConfig: { agentType: "opencode", modelId: "m", mcpServers: { tracker } } }],
  ["as the database has it", { agent_config: { modelId: "m", mcpServers: { tracker } } }],
])("%s: one role holds every tool of the manifest", (_, document) => {
  const compilation = read(document);
  expect(compilation.diagnostics).toEqual([]);
  expect(compilation.plan.roles.map(({ name }) => name)).toEqual(["agent"]);
  expect(heldBy(compilation)).toEqual(["tracker.create_issue", "tracker.delete_issue", "tracker.list_issues"]);
});

test("connection and description are kept; a reference stays one, another dollar is a dollar", () => {
  const [server] = read({ mcp_servers: { tracker } }).plan.servers;
  expect(server?.description).toBe("Issues of the harbour");
  const [connect] = server?.connect ?? [];
  if (connect?.kind !== "stdio") throw new Error("it is started");
  expect(connect.command.map(({ written }) => written)).toEqual(tracker.command);
  expect(connect.env.map(({ name, value }) => [name, value.written])).toEqual([
    ["PRICE", "5$$"],
    ["TRACKER_KEY", "${TRACKER_TOKEN}"],
  ]);
  expect(server?.variables.map(({ name }) => name)).toEqual(["TEAM", "TRACKER_TOKEN"]);
});

test("an address is reached over sse", () => {
  const api = { type: "sse", url: "https://tools.example.com/sse", enabled: true };
  const { plan, diagnostics } = read({ mcp_servers: { tracker: api } });
  expect(diagnostics).toEqual([]);
  expect(plan.servers[0]?.connect.map(({ kind }) => kind)).toEqual(["sse"]);
});

test.each([
  ["nothing of one that isn't enabled", { enabled: false }, []],
  ["what is allowed and no more", { allowedTools: ["list_issues"] }, ["tracker.list_issues"]],
  ["nothing, where nothing is allowed", { allowedTools: [] }, []],
])("%s", (_, change, expected) => {
  const compilation = read({ mcp_servers: { tracker: { ...tracker, ...change } } });
  expect(errors(compilation)).toEqual([]);
  expect(heldBy(compilation)).toEqual(expected);
});

test.each([
  ["a tool that the server lacks", { allowedTools: ["list_issue"] }, "manifest/unknown-tool"],
  ["a star, which the product gives no meaning", { allowedTools: ["*"] }, "manifest/unknown-tool"],
  ["another transport", { type: "http" }, "source/wrong-value"],
  ["no word on whether it is enabled", { enabled: undefined }, "source/missing-key"],
  ["a key of nobody's", { allowed_tools: ["list_issues"] }, "source/unknown-key"],
  ["a command in one text", { command: "npx -y tracker-server@1.2.0" }, "import/not-of-format"],
  ["no command", { command: undefined }, "import/not-of-format"],
  ["an address without one", { type: "sse", command: undefined, env: undefined }, "import/not-of-format"],
  ["a reference that the product doesn't fill in", { env: { A: "${A:-b}" } }, "import/not-of-format"],
  [
    "a reference in an address",
    { type: "sse", command: undefined, env: undefined, url: "https://tools.example.com/${TEAM}" },
    "import/not-of-format",
  ],
  ["a secret as it stands", { env: { TRACKER_TOKEN: "hunter2-hunter2" } }, "server/written-secret"],
])("an error: %s", (_, change, code) => {
  expect(errors(read({ mcp_servers: { tracker: { ...tracker, ...change } } }))).toContain(code);
});

test("two maps of servers in one document are an error, and the second gives nothing", () => {
  const compilation = read({ mcp_servers: { tracker: { ...tracker, allowedTools: [] } }, mcpServers: { tracker } });
  expect(errors(compilation)).toEqual(["import/not-of-format"]);
  expect(heldBy(compilation)).toEqual([]);
});

test("a display name is kept as title, and two that come to one name are an error", () => {
  const manifests = { "mcp/manifests/issue-tracker.json": manifest("list_issues") };
  const compilation = read({ mcp_servers: { "Issue Tracker": tracker } }, "row.json", manifests);
  expect(compilation.diagnostics).toEqual([]);
  expect(compilation.plan.servers.map(({ name, title }) => [name, title])).toEqual([
    ["issue-tracker", "Issue Tracker"],
  ]);
  const twice = read({ mcp_servers: { "Issue Tracker": tracker, "issue tracker": tracker } }, "row.json", manifests);
  expect(errors(twice)).toContain("import/same-name");
});

test("a role and a server are called as the project says", () => {
  const item = "{ file: row.json, role: night-shift, servers: { Issues: tracker } }";
  const compilation = read({ mcp_servers: { Issues: tracker } }, item);
  expect(compilation.diagnostics).toEqual([]);
  expect(heldBy(compilation, "night-shift")).toHaveLength(3);
});

test("a row without servers is a role that holds nothing", () => {
  const compilation = read({ enabledTools: { slack_notify: { channelId: "C1" } } }, "row.json", {});
  expect(errors(compilation)).toEqual([]);
  expect(compilation.plan.roles.map(({ name, grants }) => [name, grants])).toEqual([["agent", []]]);
});

/** Names as servers have them, some of which say something else in a selector of ours. */
const NAMES = [
  "list",
  "list_issues",
  "list*",
  "?",
  "*",
  "is:read-only",
  "label:x",
  "scope:read",
  "a & b",
  "\\",
  "a.b",
  "no",
];
const SERVERS = ["tracker", "Tracker!", "GitHub MCP", "42 things", "日本", "then", "a.b"];
const named = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 });
const server = fc.record(
  {
    type: fc.constantFrom("local", "sse"),
    command: fc.constant(["tracker-server"]),
    url: fc.constant("https://tools.example.com/sse"),
    enabled: fc.boolean(),
    allowedTools: named,
    description: fc.string({ maxLength: 5 }),
  },
  { requiredKeys: ["type", "command", "url", "enabled"] },
);
const around: readonly ((servers: object) => object)[] = [
  (servers) => ({ ...OWN, mcp_servers: servers }),
  (servers) => ({ enabledTools: { mcp_servers: servers } }),
  (servers) => ({ agentConfig: { mcpServers: servers } }),
];

test("no row gives more than it says, whatever its names are", () => {
  let seen = 0;
  const slugs = ["tracker", "github-mcp", "things", "then", "a-b"];
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...SERVERS), server, { maxKeys: 3 }),
      fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 6 }),
      fc.constantFrom(...around),
      (servers, tools, wrapped) => {
        const manifests = Object.fromEntries(slugs.map((name) => [`mcp/manifests/${name}.json`, manifest(...tools)]));
        const compilation = read(wrapped(servers), "row.json", manifests);
        const allowed = Object.entries(servers).flatMap(([name, { enabled, allowedTools = tools }]) => {
          const slug = name
            .toLowerCase()
            .replace(/[^a-z]+/g, "-")
            .replace(/^-|-$/g, "");
          return enabled ? allowedTools.filter((tool) => tools.includes(tool)).map((tool) => `${slug}.${tool}`) : [];
        });
        const held = heldBy(compilation);
        expect(held.filter((one) => !allowed.includes(one))).toEqual([]);
        if (errors(compilation).length > 0) return;
        expect(held.toSorted()).toEqual(allowed.toSorted());
        if (held.length > 0) seen++;
      },
    ),
    { numRuns: 120 },
  );
  expect(seen).toBeGreaterThan(5);
});
