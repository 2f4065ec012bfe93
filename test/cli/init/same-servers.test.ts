import { afterEach, beforeEach, expect, test } from "vitest";
import { compileProject } from "../../../compiler/cli/compiling.ts";
import { manifest } from "../../support/compiled.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";

/** A server that several hosts have under two names here: what one file takes away of it, the other name doesn't give back. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

type Files = Readonly<Record<string, object | string>>;

async function init(files: Files): Promise<string> {
  for (const [file, value] of Object.entries(files))
    project.write(file, typeof value === "string" ? value : JSON.stringify(value));
  const { exit, out, err } = await project.run(["init", "--yes"]);
  expect([exit, err]).toEqual([0, ""]);
  return out.replace(/\s+/g, " ");
}

/** What a role has that is given everything. */
function held(...servers: string[]): Record<string, string[]> {
  for (const name of servers) project.write(`mcp/manifests/${name}.json`, manifest("list", "write", "drop"));
  project.write(
    "mcp/roles.yaml",
    `roles: { reader: { tools: { ${servers.map((one) => `${one}: all`).join(", ")} } } }\n`,
  );
  const { plan, diagnostics } = compileProject(project.dir);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ says }) => says)).toEqual([]);
  return Object.fromEntries(
    plan.roles[0]!.grants.map(({ server, decisions }) => [
      server.name,
      server.tools.flatMap(({ name }, i) => {
        const { effect } = decisions[i]!;
        return effect === "deny" ? [] : [effect === "ask" ? `${name}?` : name];
      }),
    ]),
  );
}

const url = "https://hub.example.com/mcp";
const npx = { command: "npx", args: ["-y", "hub-mcp@1.0.0"] };
const rules = { permissions: { deny: ["mcp__hub__drop"], ask: ["mcp__hub__write"] } };
const codex = (...lines: string[]): string => `[mcp_servers.hub]\nurl = "${url}"\n${lines.join("\n")}\n`;

test.each<[string, Files, Record<string, string[]>]>([
  [
    "two hosts reach one address, one of them also in an older way",
    {
      ".mcp.json": { mcpServers: { hub: { type: "http", url } } },
      ".claude/settings.json": rules,
      ".vscode/mcp.json": { servers: { hub: { type: "http", url } } },
    },
    { hub: ["list", "write?"], "hub-2": ["list", "write?"] },
  ],
  [
    "the same package in another version",
    {
      ".cursor/mcp.json": { mcpServers: { hub: { ...npx, disabledTools: ["drop"] } } },
      ".mcp.json": { mcpServers: { hub: { command: "npx", args: ["hub-mcp"] } } },
      ".claude/settings.json": { permissions: { deny: ["mcp__hub__write"] } },
    },
    { hub: ["list"], "hub-2": ["list"] },
  ],
  [
    "the same under another name",
    {
      ".mcp.json": { mcpServers: { hub: npx } },
      ".claude/settings.json": rules,
      ".gemini/settings.json": { mcpServers: { centre: { ...npx, includeTools: ["write", "drop"] } } },
    },
    { centre: ["write?"], hub: ["write?"] },
  ],
  [
    "two files that are read as they are",
    {
      ".codex/config.toml": codex('enabled_tools = ["list", "drop"]'),
      "mcp-config.json": { mcpServers: { hub: { type: "http", url, tools: ["*"], excludeTools: ["drop"] } } },
    },
    { hub: ["list"], "hub-2": ["list"] },
  ],
  [
    "two files that are read as they are, and one that refines both",
    {
      ".codex/config.toml": codex('disabled_tools = ["drop"]'),
      "mcp-config.json": { mcpServers: { hub: { type: "http", url, tools: ["*"] } } },
      ".mcp.json": { mcpServers: { hub: { type: "http", url } } },
      ".claude/settings.json": { permissions: { deny: ["mcp__hub__write"] } },
    },
    { hub: ["list"], "hub-2": ["list"] },
  ],
  [
    "under another name in another spelling",
    {
      ".mcp.json": { mcpServers: { hub: { type: "http", url: `${url}/` }, tool: { ...npx, env: { A: "${A}" } } } },
      ".claude/settings.json": { permissions: { deny: ["mcp__hub__drop", "mcp__tool__write"] } },
      ".cursor/mcp.json": { mcpServers: { centre: { type: "http", url } } },
      ".vscode/mcp.json": { servers: { bridge: { command: "npx", args: ["-y", "mcp-remote@latest", url] } } },
      ".gemini/settings.json": { mcpServers: { kit: { command: "npx", args: ["hub-mcp"], env: { A: "$A" } } } },
    },
    {
      bridge: ["list", "write"],
      centre: ["list", "write"],
      hub: ["list", "write"],
      kit: ["drop", "list"],
      tool: ["drop", "list"],
    },
  ],
  [
    "one file has it twice, and another takes something away of the one",
    {
      ".codex/config.toml": `${codex()}[mcp_servers.spare]\nurl = "${url}"\nenabled_tools = ["list", "drop"]\n`,
      ".mcp.json": { mcpServers: { hub: { type: "http", url } } },
      ".claude/settings.json": rules,
    },
    { hub: ["list", "write?"], spare: ["list"] },
  ],
  [
    "questions of a file that is read as it is",
    {
      ".codex/config.toml": codex("[mcp_servers.hub.tools.drop]", 'approval_mode = "prompt"'),
      ".mcp.json": { mcpServers: { hub: { type: "sse", url }, centre: { type: "http", url } } },
      "mcp-config.json": { mcpServers: { hub: { type: "stdio", command: "other", tools: ["*"] } } },
    },
    {
      centre: ["drop?", "list", "write"],
      hub: ["drop?", "list", "write"],
      "hub-2": ["drop", "list", "write"],
      "hub-3": ["drop?", "list", "write"],
    },
  ],
])("%s", async (_, files, expected) => {
  await init(files);
  expect(held(...Object.keys(expected))).toEqual(expected);
});

test("that is said", async () => {
  const said = await init({
    ".mcp.json": { mcpServers: { hub: { type: "http", url } } },
    ".claude/settings.json": rules,
    ".vscode/mcp.json": { servers: { hub: { type: "http", url } } },
  });
  expect(said).toContain("one server hub and hub-2: what is taken away of one is taken away of both");
});

test("servers of one file are what it makes of them, and so are others of their name, which is said", async () => {
  const said = await init({
    ".mcp.json": { mcpServers: { hub: npx, spare: npx } },
    ".claude/settings.json": rules,
    ".vscode/mcp.json": { servers: { hub: { command: "other" } } },
  });
  expect(said).toContain(
    "hub-2 is `hub` of .vscode/mcp.json, reached otherwise than hub: what is taken away of one isn't taken away of the other",
  );
  expect(held("hub", "spare", "hub-2")).toEqual({
    hub: ["list", "write?"],
    spare: ["drop", "list", "write"],
    "hub-2": ["drop", "list", "write"],
  });
});

test("where nothing is taken away nothing is said, and no file is more", async () => {
  const said = await init({
    ".codex/config.toml": codex(),
    "mcp-config.json": { mcpServers: { hub: { type: "http", url, tools: ["*"] } } },
    ".vscode/mcp.json": { servers: { hub: { command: "other" } } },
  });
  expect(said).not.toMatch(/one server|reached otherwise/);
  expect(project.has("mcp/same-servers.yaml")).toBe(false);
});

test("a host's own file, of which a source takes more away, stops no build", async () => {
  await init({
    ".codex/config.toml": codex(),
    ".vscode/mcp.json": { servers: { hub: { type: "http", url } } },
    ".vscode/settings.json": { "chat.mcp.access": "all" },
    ".mcp.json": { mcpServers: { hub: { type: "http", url } } },
    ".claude/settings.json": { permissions: { deny: ["mcp__hub__drop"] } },
  });
  expect(held("hub", "hub-2")).toEqual({ hub: ["list", "write"], "hub-2": ["list", "write"] });
  const { exit, err } = await project.run(["build"]);
  expect([exit, err]).toEqual([0, expect.not.stringContaining("output/joined")]);
});

test("a server of two files that are read as they are is called otherwise by the name that its file gives it", async () => {
  await init({
    ".codex/config.toml": '[mcp_servers."My Hub"]\ncommand = "one"\n',
    "mcp-config.json": { mcpServers: { "My Hub": { type: "stdio", command: "two" } } },
  });
  expect(project.read("rolecall.yaml")).toContain('{ file: mcp-config.json, servers: { "My Hub": my-hub-2 } }');
  expect(held("my-hub", "my-hub-2")).toEqual({
    "my-hub": ["drop", "list", "write"],
    "my-hub-2": ["drop", "list", "write"],
  });
});

test("scopes of a server are those of its other name", async () => {
  const files = (scopes: string): Files => ({
    "servers/hub.yaml": `server_id: hub\ntype: mcp\ncommand: hub-mcp\nscopes: [${scopes}]\n`,
    ".mcp.json": { mcpServers: { centre: { command: "hub-mcp" } } },
  });
  await init(files('"read:hub"'));
  expect(project.read("mcp/mcp.yaml")).toContain(`  centre:
    connect: [{ stdio: [hub-mcp] }]
    scopes: [read:hub]
`);
  expect(held("hub", "centre")).toEqual({ centre: [], hub: [] });
});

test("another name with other values is another server, which is said", async () => {
  const said = await init({
    ".mcp.json": { mcpServers: { work: { ...npx, env: { TOKEN: "${WORK}" }, disabledTools: ["drop"] } } },
    ".vscode/mcp.json": { servers: { own: { ...npx, env: { TOKEN: "${env:OWN}" } } } },
  });
  expect(said).toContain(
    "own is `own` of .vscode/mcp.json, reached nearly as work is (with other values, or of another folder): what is taken away of one isn't taken away of the other",
  );
});

test("a name that every object has is looked for among the servers alone", async () => {
  await init({
    "mcp-config.json": '{ "mcpServers": { "constructor": { "type": "stdio", "command": "hub", "tools": ["*"] } } }',
    ".mcp.json": { mcpServers: { hub: { command: "hub", disabledTools: ["drop"] } } },
  });
  expect(project.read("mcp/same-servers.yaml")).toContain("from: mcp-config.json");
});

test.each([
  ["./mail/run.sh", "./files/run.sh"],
  ["uvx --directory mail server", "uvx --directory files server"],
  ["uvx --with mail server", "uvx --with files server"],
  ["cmd /c env A=mail npx -y server", "cmd /c env A=files npx -y server"],
])("another name is another server: %s and %s", async (one, other) => {
  const run = (line: string) => ({ command: line.split(" ")[0], args: line.split(" ").slice(1) });
  await init({
    ".mcp.json": { mcpServers: { mail: { ...run(one), disabledTools: ["drop"] } } },
    ".cursor/mcp.json": { mcpServers: { files: run(other) } },
  });
  expect(project.read("mcp/cursor.yaml")).not.toContain("drop");
});

test("it is the one of which something is taken away that another is told apart from", async () => {
  const one = (variable: string) => ({ ...npx, env: { TOKEN: variable } });
  const said = await init({
    ".mcp.json": { mcpServers: { work: one("${WORK}"), shared: { ...one("${SHARED}"), disabledTools: ["drop"] } } },
    ".vscode/mcp.json": { servers: { own: one("${env:OWN}") } },
  });
  expect(said).toContain("own is `own` of .vscode/mcp.json, reached nearly as shared is");
});

test("servers that are one by very many names are told, and others are held", async () => {
  const many = Array.from({ length: 300 }, (_, i) => [`s${i}`, { ...npx, disabledTools: ["drop"] }] as const);
  const said = await init({
    ".mcp.json": { mcpServers: { ...Object.fromEntries(many), hub: { command: "hub", disabledTools: ["drop"] } } },
    "mcp-config.json": { mcpServers: { large: { type: "stdio", ...npx }, centre: { type: "stdio", command: "hub" } } },
  });
  expect(said).toContain("say in mcp/ what is taken away of each of large, s0, s1 and 298 more: they are one server");
  expect(said).toContain("one server centre and hub: what is taken away of one is taken away of both");
});
