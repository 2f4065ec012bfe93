import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What a host gets that it didn't get, and what a server reads that it didn't read. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const hosts = (list: string): string => `version: 1\nproject: harbor\nhosts: ${list}\n`;
const LOW = "  low: { tools: { files: [read] }, builtins: { cursor: all, claude-code: [Read] } }\n";
const START = {
  "rolecall.yaml": hosts("[{ id: cursor, role: low }, { id: claude-code, without: [extra] }]"),
  "mcp/servers.yaml":
    'servers:\n  files: { connect: [{ stdio: [files] }] }\n  extra: { connect: [{ stdio: [extra], env: { T: "${TOKEN:+x}" } }] }\n',
  "mcp/roles.yaml": `roles:\n${LOW}  high: { extends: low, tools: { files: [write], extra: [look] } }\n`,
};
const manifest = (server: string, ...tools: string[]): string =>
  JSON.stringify({ server, tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })) });

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    ...START,
    "mcp/manifests/files.json": manifest("files", "read", "write"),
    "mcp/manifests/extra.json": manifest("extra", "look"),
  });
  project.commit("start");
});

const changes = async (): Promise<string[]> => {
  const { printed, exit } = await run(["diff", "HEAD", "--json"], project.dir);
  expect(exit).toBe(0);
  const found = (JSON.parse(printed) as { changes: Record<string, string>[] }).changes;
  return found.map(({ direction, kind, role, server }) => [direction, kind, role ?? server].join(" "));
};

test.each<[string, Record<string, string>, string[]]>([
  [
    "a host is for a role that holds more",
    { "rolecall.yaml": START["rolecall.yaml"].replace("role: low", "role: high") },
    ["widens host cursor"],
  ],
  [
    "a server isn't kept away any more",
    { "rolecall.yaml": hosts("[{ id: cursor, role: low }, claude-code]") },
    ["widens host claude-code"],
  ],
  [
    "one more is kept away",
    { "rolecall.yaml": START["rolecall.yaml"].replace("[extra]", "[extra, files]") },
    ["narrows host claude-code"],
  ],
  [
    "a variable counts as set there",
    { "rolecall.yaml": START["rolecall.yaml"].replace("without:", "assume: { TOKEN: set }, without:") },
    ["widens host claude-code"],
  ],
  [
    "it says what holds anyway",
    { "rolecall.yaml": START["rolecall.yaml"].replace("without:", "whenUnenforceable: leave-out, without:") },
    [],
  ],
  [
    "a host that has tools of its own, which nobody governs",
    { "rolecall.yaml": START["rolecall.yaml"].replace("[{", "[opencode, {") },
    ["widens host opencode"],
  ],
  ["a host is gone", { "rolecall.yaml": hosts("[{ id: cursor, role: low }]") }, ["narrows host claude-code"]],
  [
    "a new role says nothing of the host's own tools",
    { "mcp/roles.yaml": `${START["mcp/roles.yaml"]}  shell: {}\n` },
    ["widens builtin shell"],
  ],
  [
    "a new role has none of them",
    { "mcp/roles.yaml": `${START["mcp/roles.yaml"]}  shell: { builtins: { claude-code: none } }\n` },
    ["changed role shell"],
  ],
  [
    "a role is renamed, and says nothing of them any more",
    { "mcp/roles.yaml": `roles:\n${LOW}  top: { tools: { files: [read, write], extra: [look] } }\n` },
    [
      "narrows builtin high",
      "narrows builtin high",
      "narrows tool high",
      "narrows tool high",
      "narrows tool high",
      "widens builtin top",
      "widens tool top",
      "widens tool top",
      "widens tool top",
    ],
  ],
])("%s", async (_, edit, said) => {
  project.write(edit);
  expect((await changes()).sort()).toEqual(said);
});

test.each<[string, string, string, string]>([
  ["a program may say yes", "approvers: [terminal]", "approvers: [terminal, program]", "widens"],
  ["a program may say yes no more", "approvers: [terminal, program]", "approvers: [program]", "narrows"],
  ["other values for variables", "env: .env", "env: team.env", "widens"],
  ["how long it waits", "idle: 1s", "idle: 2s", ""],
  ["another program is started", "command: [rolecall]", "command: [sh, -c, x]", "widens"],
  ["others come in", 'auth: { issuer: "https://a.example" }', 'auth: { issuer: "https://b.example" }', "widens"],
])("what the gateway of rolecall is told: %s", async (_, was, is, direction) => {
  project.write({ "rolecall.yaml": `${START["rolecall.yaml"]}serve: { ${was} }\n` });
  project.commit("serve");
  project.write({ "rolecall.yaml": `${START["rolecall.yaml"]}serve: { ${is} }\n` });
  expect(await changes()).toEqual(direction === "" ? [] : [`${direction} host serve`]);
});

test("a key that was never there is told of a project that comes, and nothing of one that says what holds anyway", async () => {
  project.git("rm", "-q", "rolecall.yaml");
  project.commit("no project");
  project.write({ "rolecall.yaml": "version: 1\nproject: harbor\nserve: { command: [sh, -c, x], idle: 1s }\n" });
  expect((await changes()).filter((one) => one.includes("host"))).toEqual(["widens host serve"]);
  project.write({ "rolecall.yaml": "version: 1\nproject: harbor\nserve: { command: [rolecall] }\n" });
  expect((await changes()).filter((one) => one.includes("host"))).toEqual([]);
});

test("a role's first tool of a server opens all of it to others where the host can't close it", async () => {
  const roles = (tools: string): string =>
    `roles:\n  low: { tools: { files: [${tools}] }, builtins: { vscode: none } }\n`;
  project.write({
    "rolecall.yaml": hosts("[vscode]"),
    "mcp/roles.yaml": "roles:\n  low: { builtins: { vscode: none } }\n",
  });
  project.commit("nothing held");
  project.write({ "mcp/roles.yaml": roles("read") });
  expect(await changes()).toEqual(["widens destination files", "widens host vscode", "widens tool low"]);
  const { printed } = await run(["diff", "HEAD"], project.dir);
  expect(printed).toContain('servers open to whoever works there: now "files", before none');
  project.commit("one held");
  project.write({ "mcp/roles.yaml": roles("read, write") });
  expect(await changes()).toEqual(["widens tool low"]);
});

const gateway = (more: string): Record<string, string> => ({
  "rolecall.yaml": hosts(
    '[{ id: agentgateway, issuer: "https://id.example.com", audience: mcp, jwks: "https://id.example.com/keys" }]',
  ),
  "mcp/servers.yaml": `servers:\n  files: { connect: [{ stdio: [files] }]${more} }\n`,
  "mcp/roles.yaml": "roles:\n  low: { tools: { files: [read] } }\n",
});

test("a key that is no access lets a host have what it couldn't be given", async () => {
  project.write(gateway(", limits: { ratePerMinute: 60 }"));
  project.commit("limited");
  project.write(gateway(", limits: { ratePerMinute: 90 }"));
  expect(await changes()).toEqual([]);
  project.write(gateway(""));
  expect(await changes()).toEqual(["widens host agentgateway"]);
  const { printed } = await run(["diff", "HEAD"], project.dir);
  expect(printed).toContain('kept away from it: now none, before "low: files.read"');
  project.commit("unlimited");
  project.write(gateway(", limits: { ratePerMinute: 60 }"));
  expect(await changes()).toEqual([]);
});

test("what a role gains and what it loses is told of the role, not of hosts that hadn't it", async () => {
  project.write(gateway(", limits: { ratePerMinute: 60 }"));
  project.commit("limited");
  project.write({ "mcp/roles.yaml": "roles:\n  low: { tools: { files: [write] } }\n" });
  expect(await changes()).toEqual(["narrows tool low", "widens tool low"]);
  // Also where it holds it on other conditions when the host comes to be given it.
  project.write({ ...gateway(""), "mcp/roles.yaml": "roles:\n  low: { tools: { files: [read, write] } }\n" });
  expect(await changes()).toEqual(["widens host agentgateway", "widens tool low"]);
});

test("sessions share a connection, and with it what a server keeps of one", async () => {
  project.write(gateway(", connection: session"));
  project.commit("apart");
  project.write(gateway(", connection: project"));
  expect(await changes()).toEqual(["widens destination files"]);
  const { printed } = await run(["diff", "HEAD"], project.dir);
  expect(printed).toContain("server files: all sessions share one connection (for low)");
  project.commit("together");
  project.write(gateway(", connection: session"));
  expect(await changes()).toEqual(["widens destination files"]);
});

test("a preset that lets a server take another variable for its own", async () => {
  const preset = (more: string): string =>
    `id: f\nvariables:\n  - { name: FILES_TOKEN, for: x${more} }\nserver:\n  connect:\n    - http: https://f.example.com/mcp\n      headers: { Authorization: "Bearer \${FILES_TOKEN}" }\n`;
  project.write({
    "mcp/presets/f.yaml": preset(""),
    "mcp/servers.yaml": "servers:\n  files: { preset: f }\n  extra: { connect: [{ stdio: [extra] }] }\n",
  });
  project.commit("preset");
  project.write({ "mcp/presets/f.yaml": preset(", also: [AWS_ADMIN_TOKEN]") });
  expect(await changes()).toEqual(["widens destination files"]);
  const { printed } = await run(["diff", "HEAD"], project.dir);
  expect(printed.replaceAll(/\s+/g, " ")).toContain("AWS_ADMIN_TOKEN for FILES_TOKEN");
});
