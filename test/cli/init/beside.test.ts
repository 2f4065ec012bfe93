import { afterEach, beforeEach, expect, test } from "vitest";
import { compileProject } from "../../../compiler/cli/compiling.ts";
import { manifest } from "../../support/compiled.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";

/** What a host's settings took away of a server, no role of a first project gets. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

const json = (file: string, value: object) => project.write(file, JSON.stringify(value));
const notes = { command: "node", args: ["notes.mjs"] };

async function init(): Promise<string> {
  const { exit, out, err } = await project.run(["init", "--yes"]);
  expect([exit, err]).toEqual([0, ""]);
  return out.replace(/\s+/g, " ");
}

test.each([".claude/settings.json", ".claude/settings.local.json"])("rules in %s are taken over", async (file) => {
  json(".mcp.json", { mcpServers: { notes, off: { command: "off" } } });
  json(file, {
    disabledMcpjsonServers: ["off"],
    permissions: { deny: ["mcp__notes__drop"], ask: ["mcp__notes__write"] },
  });
  expect(await init()).toContain(`.mcp.json: 2 servers, without what ${file} takes away, sources from now on`);
  expect(project.read("mcp/mcp.yaml")).toBe(`# From .mcp.json, by rolecall. Yours to edit.

servers:
  notes:
    connect: [{ stdio: [node, notes.mjs] }]
    tools: { exclude: [drop] }
  off:
    connect: [{ stdio: [off] }]
    enabled: false

policies:
  - name: "Claude Code asks about notes"
    roles: ["*"]
    tools: [notes.write]
    effect: ask
`);
  expect(project.read("mcp/roles.yaml")).toContain("notes: read-only");
  expect(project.read("mcp/roles.yaml")).not.toContain("off:");
});

test("where all servers are off there is no role", async () => {
  json(".mcp.json", { mcpServers: { notes } });
  json(".claude/settings.json", { permissions: { deny: ["mcp__*"] } });
  await init();
  expect(project.has("mcp/roles.yaml")).toBe(false);
});

test("settings that can't be read leave the file to a person", async () => {
  json(".mcp.json", { mcpServers: { notes } });
  project.write(".claude/settings.json", '{ "permissions": ');
  expect(await init()).toContain(
    "`.claude/settings.json` of Claude Code's settings isn't taken along; see: rolecall import .mcp.json",
  );
  expect(project.has("mcp/roles.yaml")).toBe(false);
});

test("a server that several hosts have is held to what each of them takes away", async () => {
  json(".cursor/mcp.json", { mcpServers: { notes: { ...notes, disabledTools: ["a"] } } });
  json(".mcp.json", { mcpServers: { notes: { ...notes, disabledTools: ["a", "b"] } } });
  json(".claude/settings.json", { permissions: { ask: ["mcp__notes__write"] } });
  await init();
  expect(project.read("mcp/cursor.yaml")).toContain("tools: { exclude: [a, b] }");
  expect(project.read("mcp/mcp.yaml")).toContain("tools: [notes.write]");
  expect(project.read("mcp/mcp.yaml")).not.toContain("servers:");
});

test("so is one of the name that another server has, once for all that have it", async () => {
  json(".cursor/mcp.json", { mcpServers: { notes: { command: "other" } } });
  json(".mcp.json", { mcpServers: { notes } });
  json(".vscode/mcp.json", { servers: { notes: { ...notes, disabledTools: ["drop"] } } });
  json(".vscode/settings.json", { "chat.mcp.access": "all" });
  await init();
  expect(project.read("mcp/mcp.yaml")).toContain("notes-2:");
  expect(project.read("mcp/mcp.yaml")).toContain("exclude: [drop]");
  expect([project.has("mcp/cursor.yaml"), project.has("mcp/vscode.yaml")]).toEqual([true, false]);
});

test("a rule names the server as it is called here", async () => {
  json(".cursor/mcp.json", { mcpServers: { notes: { command: "other" } } });
  json(".mcp.json", { mcpServers: { notes } });
  json(".claude/settings.json", { permissions: { ask: ["mcp__notes__write", "mcp__notes__w*"] } });
  await init();
  expect(project.read("mcp/mcp.yaml")).toContain('tools: [notes-2.write, { optional: "notes-2.w*" }]');
});

test("one that is read as it is gets them from a source that refines it", async () => {
  project.write(".codex/config.toml", '[mcp_servers.notes]\ncommand = "node"\nargs = ["notes.mjs"]\n');
  json(".mcp.json", { mcpServers: { notes } });
  json(".claude/settings.json", { permissions: { deny: ["mcp__notes__drop"] } });
  await init();
  expect(project.read("rolecall.yaml")).toContain("- .codex/config.toml");
  expect(project.read("mcp/mcp.yaml")).toContain(
    "  notes:\n    from: .codex/config.toml\n    tools: { exclude: [drop] }\n",
  );
  project.write("mcp/manifests/notes.json", manifest("list", "drop"));
  const { plan, diagnostics } = compileProject(project.dir);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [grant] = plan.roles[0]!.grants;
  expect(grant!.server.tools.map(({ name }, i) => [name, grant!.decisions[i]!.effect])).toContainEqual([
    "drop",
    "deny",
  ]);
});

const errors = (): string[] =>
  compileProject(project.dir)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, says }) => `${code}: ${says}`);

test.each([
  ["mcp.json", { mcpServers: { notes } }, ".claude/settings.json", { permissions: { deny: ["mcp__notes__drop"] } }],
  ["conf/it.json", { mcpServers: { notes } }, ".claude/settings.json", { permissions: { ask: ["mcp__notes__drop"] } }],
  ["mcp.json", { mcpServers: { notes } }, ".claude/settings.json", { disabledMcpjsonServers: ["notes"] }],
  [
    "conf/gemini.json",
    { mcpServers: { notes: { ...notes, includeTools: ["list", "drop"] } } },
    ".gemini/settings.json",
    { mcp: { excluded: ["notes"] } },
  ],
  [
    ".opencode/config.json",
    { mcp: { notes: { type: "local", command: ["serve"] } } },
    "opencode.json",
    { mcp: { notes: { enabled: false } } },
  ],
])(
  "a file from which something is taken away is a source and no import, in whose place ever: %s %j %s %j",
  async (file, servers, beside, settings) => {
    json(file, servers);
    json(beside, settings);
    expect(await init()).toMatch(
      new RegExp(`${file} \\(.*\\): 1 server, without what ${beside} takes away, sources from now on, in mcp/`),
    );
    expect(project.read("rolecall.yaml")).not.toContain("imports:");
    project.write("mcp/manifests/notes.json", manifest("list", "drop"));
    project.write("mcp/roles.yaml", "roles: { dev: { tools: { notes: all } } }\n");
    expect(errors()).toEqual([]);
    const [grant] = compileProject(project.dir).plan.roles[0]!.grants;
    expect(grant?.decisions[grant.server.tools.findIndex(({ name }) => name === "drop")]?.effect ?? "deny").not.toBe(
      "allow",
    );
  },
);

test("files of one name become sources of several, and no rule is there twice", async () => {
  for (const file of ["mcp.json", ".mcp.json"]) json(file, { mcpServers: { notes } });
  json("conf/roles.json", { mcpServers: { other: { command: "second" } } });
  json("a/conf/roles.json", { mcpServers: { other: { command: "third" } } });
  json(".claude/settings.json", { permissions: { deny: ["mcp__*__drop"], ask: ["mcp__*__write"] } });
  await init();
  project.write("mcp/manifests/notes.json", manifest("list", "write", "drop"));
  project.write("mcp/manifests/other.json", manifest("list"));
  project.write("mcp/manifests/other-2.json", manifest("list"));
  expect(errors()).toEqual([]);
  expect(compileProject(project.dir).plan.servers.map(({ name }) => name)).toEqual(["notes", "other", "other-2"]);
});

test("one that is read as it is gets all of them from one source", async () => {
  project.write(".codex/config.toml", '[mcp_servers.notes]\ncommand = "node"\nargs = ["notes.mjs"]\n');
  json(".cursor/mcp.json", { mcpServers: { notes: { ...notes, disabledTools: ["drop"] } } });
  json(".gemini/settings.json", { mcpServers: { notes: { ...notes, includeTools: ["list", "drop"] } } });
  await init();
  expect(project.read("mcp/cursor.yaml")).toContain("tools: { include: [list, drop], exclude: [drop] }\n");
  expect(project.has("mcp/gemini.yaml")).toBe(false);
  project.write("mcp/manifests/notes.json", manifest("list", "drop"));
  expect(errors()).toEqual([]);
});

test("a line of another system is about both servers of a name that two hosts give", async () => {
  const server = (command: string) => JSON.stringify({ mcpServers: { tracker: { command } } });
  project.write(".cursor/mcp.json", server("one"));
  project.write(".mcp.json", server("two"));
  project.write("catalog/rules.json", JSON.stringify({ policies: { tools: { "tracker.drop": "deny" } } }));
  for (const name of ["tracker", "tracker-2"]) project.write(`mcp/manifests/${name}.json`, manifest("list", "drop"));
  await project.run(["init", "--yes"]);
  project.write("mcp/all.yaml", "roles: { every: { tools: { tracker: all, tracker-2: all } } }\n");
  const { plan } = compileProject(project.dir);
  const grants = plan.roles.find(({ name }) => name === "every")!.grants;
  expect(grants.map(({ decisions }) => decisions.map(({ effect }) => effect))).toEqual([
    ["deny", "allow"],
    ["deny", "allow"],
  ]);
});

test("one that several files have which are read as they are is held in each of them", async () => {
  project.write(".codex/config.toml", '[mcp_servers.notes]\ncommand = "node"\nargs = ["notes.mjs"]\n');
  json("mcp-config.json", { mcpServers: { notes: { ...notes, type: "local", tools: ["*"] } } });
  json(".mcp.json", { mcpServers: { notes } });
  json(".claude/settings.json", { permissions: { deny: ["mcp__notes__drop"], ask: ["mcp__notes__write"] } });
  await init();
  for (const name of ["notes", "notes-2"])
    project.write(`mcp/manifests/${name}.json`, manifest("list", "write", "drop"));
  project.write("mcp/roles.yaml", "roles: { dev: { tools: { notes: all, notes-2: all } } }\n");
  expect(errors()).toEqual([]);
  const { plan } = compileProject(project.dir);
  const { grants } = plan.roles.find(({ name }) => name === "dev")!;
  expect(grants.map(({ decisions }) => decisions.map(({ effect }) => effect))).toEqual([
    ["deny", "allow", "ask"],
    ["deny", "allow", "ask"],
  ]);
});
