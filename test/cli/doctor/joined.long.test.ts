import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, type HostDoctor } from "../../support/host-doctor.ts";

/** A name of ours in a file of somebody else's, which the host would join with ours. */
const PROGRAMS = {
  "claude-code": "claude",
  codex: "codex",
  opencode: "opencode",
  "gemini-cli": "gemini",
  "copilot-cli": "copilot",
  vscode: "code",
};
let project: CaptureProject;
let doctor: HostDoctor;
beforeAll(async () => {
  project = captureProject();
  doctor = hostDoctor(project);
  await doctor.built(Object.keys(PROGRAMS).join(", "), `{ connect: ${doctor.fake()} }`);
  for (const program of Object.values(PROGRAMS)) doctor.install(program);
  mkdirSync(path.join(project.dir, ".git"));
});
afterAll(() => project.remove());

const AGENT = "---\nname: tester\ndescription: x\n---\nhi\n";
const codex = "[mcp_servers.notes]\ncwd = 'x'\n";
const opencode = '{ "agent": { "tester": { "permission": { "bash": "allow" } } } }';

describe("in the project, the build stops as well", () => {
  test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, key: string]>([
    ["claude-code", ".claude/agents/deep/qa.md", AGENT, "tester"],
    ["codex", ".codex/config.toml", codex, "mcp_servers.notes"],
    ["codex", ".codex/config.toml", '["mcp_servers"."n\\u006ftes"]\n', "mcp_servers.notes"],
    ["opencode", "opencode.json", opencode, "agent.tester"],
    ["opencode", ".opencode/opencode.jsonc", '{ "mode": { "tester": {} } }', "mode.tester"],
    ["opencode", "opencode.jsonc", '{ "mcp": { "notes": { "cwd": "x" } } }', "mcp.notes"],
    ["opencode", "opencode.json", '{ "mcp": { "servers": { "notes": {} } } }', "mcp.servers.notes"],
    ["opencode", ".opencode/agent/tester.md", "hi\n", "tester"],
    ["opencode", ".opencode/modes/x.md", AGENT, "tester"],
    ["copilot-cli", ".mcp.json", '{ "mcpServers": { "notes": { "command": "x" } } }', "mcpServers.notes"],
    ["copilot-cli", ".github/agents/aa.md", AGENT, "tester"],
    ["copilot-cli", ".github/agents/sub/aa.agent.md", AGENT, "tester"],
    ["copilot-cli", ".github/agents/tester.md", "---\nname: other\n---\n", "tester"],
    ["vscode", ".github/agents/aa.agent.md", AGENT, "tester"],
  ])("%s: %s %s", async (host, file, text, key) => {
    expect(await doctor.found(host)).toMatchObject({ exit: 0, ready: true });
    project.write(file, text);
    const { exit, ready, files } = await doctor.found(host);
    expect([exit, ready, files.filter(({ state }) => state !== "up-to-date")]).toEqual([
      1,
      false,
      [{ path: file, state: "overrules", key }],
    ]);
    const started = await project.run(["start", "tester", "--host", host], { env: { PATH: doctor.bin } });
    expect([started.exit, project.has("was-run")]).toEqual([host === "vscode" ? 64 : 1, false]);
    if (host !== "vscode") expect(started.err).toContain(`\`${key}\` in ${file} is nothing of rolecall's`);
    const build = await project.run(["build"]);
    expect([build.exit, build.err]).toEqual([
      1,
      expect.stringContaining(`error[output/joined]: \`${file}\` has \`${key}\``),
    ]);
    expect((await project.run(["build", "--check"])).exit).toBe(1);
    rmSync(path.join(project.dir, file));
    expect((await project.run(["build"])).exit).toBe(0);
  });
});

describe("of a person's own, doctor and start stop", () => {
  test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, shown: string]>([
    ["codex", ".codex/config.toml", codex, "~/.codex/config.toml"],
    ["opencode", ".config/opencode/opencode.json", opencode, "~/.config/opencode/opencode.json"],
    ["opencode", ".config/opencode/agents/tester.md", "hi\n", "~/.config/opencode/agents/tester.md"],
    ["opencode", ".config/opencode/config", '[agent.tester]\nprompt = "x"\n', "~/.config/opencode/config"],
    ["opencode", "named/by-variable", opencode, "$OPENCODE_CONFIG"],
    ["copilot-cli", ".copilot/mcp-config.json", '{ "mcpServers": { "notes": {} } }', "~/.copilot/mcp-config.json"],
    ["copilot-cli", ".copilot/agents/aa.agent.md", AGENT, "~/.copilot/agents/aa.agent.md"],
    ["copilot-cli", ".copilot/agents/tester.agent.md", "---\nname: x\n---\n", "~/.copilot/agents/tester.agent.md"],
    ["vscode", ".copilot/agents/aa.agent.md", AGENT, "~/.copilot/agents/aa.agent.md"],
  ])("%s: %s", async (host, file, text, shown) => {
    const home = path.join(project.dir, "home");
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
    const named = shown.startsWith("$") ? { [shown.slice(1)]: path.join(home, file) } : {};
    const { exit, files } = await doctor.found(host, { HOME: home, ...named });
    expect([exit, files.at(-1)]).toMatchObject([1, { path: shown, state: "overrules" }]);
    expect((await project.run(["build"], { env: { HOME: home } })).exit).toBe(0);
    rmSync(home, { recursive: true });
  });
});

const UTF16 = Buffer.from("\uFEFF{}", "utf16le");
const DEEP = "[".repeat(20_000) + "]".repeat(20_000);

/** A role with a question, a prompt and nobody to hand work to. */
const ASKED = "roles:\n  tester: { tools: { notes: { include: [find, list], ask: [list] } }, prompt: p.md }\n";
const ANSWERS = { hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: "echo yes" }] }] } };

describe("a setting that undoes what our files say", () => {
  let asked: CaptureProject;
  let inAsked: HostDoctor;
  const HOSTS = [...Object.keys(PROGRAMS), "cursor"];
  beforeAll(async () => {
    asked = captureProject();
    inAsked = hostDoctor(asked);
    asked.write("p.md", "You test.\n");
    const cursor = "{ id: cursor, role: tester }";
    const hosts = HOSTS.map((host) => (host === "cursor" ? cursor : host)).join(", ");
    await inAsked.built(hosts, `{ connect: ${inAsked.fake()} }`, ASKED);
    for (const program of [...Object.values(PROGRAMS), "cursor-agent"]) inAsked.install(program);
    mkdirSync(path.join(asked.dir, ".git"));
  });
  afterAll(() => asked.remove());

  let takeOut = () => {};
  afterEach(() => takeOut());
  const put = (file: string, text: string | Buffer | object) => {
    const before = asked.has(file) ? asked.read(file) : undefined;
    takeOut = () =>
      before === undefined ? rmSync(path.join(asked.dir, file), { force: true }) : asked.write(file, before);
    if (Buffer.isBuffer(text)) {
      mkdirSync(path.dirname(path.join(asked.dir, file)), { recursive: true });
      return writeFileSync(path.join(asked.dir, file), text);
    }
    const held = typeof text === "string" || before === undefined ? {} : (JSON.parse(before) as object);
    asked.write(file, typeof text === "string" ? text : JSON.stringify({ ...held, ...text }));
  };
  const undone = async (host: string, env?: Record<string, string>) =>
    (await inAsked.found(host, env)).files.filter(({ state }) => state === "undoes");

  test.each<readonly [host: string, file: string, text: string | object, key: string]>([
    ["codex", ".codex/config.toml", 'sandbox_mode = "danger-full-access"\n', "sandbox_mode"],
    ["codex", ".codex/config.toml", 'approval_policy = "never"\n', "approval_policy"],
    ["codex", ".codex/config.toml", 'default_permissions = "mine"\n', "default_permissions"],
    ["codex", ".codex/config.toml", 'approvals_reviewer = "auto_review"\n', "approvals_reviewer"],
    ["codex", ".codex/config.toml", "[agents]\nenabled = true\n", "agents.enabled"],
    ["codex", ".codex/config.toml", "[features]\nmulti_agent_v2 = true\n", "features.multi_agent_v2"],
    ["codex", ".codex/config.toml", "developer_instructions = 'x'\n", "developer_instructions"],
    ["claude-code", ".claude/settings.json", ANSWERS, "hooks.PermissionRequest"],
    ["gemini-cli", ".gemini/settings.json", { adminPolicyPaths: ["x"] }, "adminPolicyPaths"],
    ["cursor", ".cursor/permissions.json", { mcpAllowlist: ["*:*"] }, "mcpAllowlist"],
    ["vscode", ".vscode/settings.json", { "chat.permissions.default": "autopilot" }, "chat.permissions.default"],
  ])("%s: %s %j: build, doctor and start stop", async (host, file, text, key) => {
    put(file, text);
    expect(await undone(host)).toMatchObject([{ path: file, key }]);
    const started = await asked.run(["start", "tester", "--host", host], { env: { PATH: inAsked.bin } });
    // Nothing starts VS Code.
    expect([started.exit, asked.has("was-run")]).toEqual([host === "vscode" ? 64 : 1, false]);
    const build = await asked.run(["build"]);
    expect([build.exit, build.err]).toEqual([
      1,
      expect.stringContaining(`error[output/joined]: \`${file}\` has \`${key}\``),
    ]);
    takeOut();
    expect([(await asked.run(["build"])).exit, await undone(host)]).toEqual([0, []]);
  });

  test.each<readonly [host: string, file: string, text: string | Buffer, step: string]>([
    ["claude-code", ".claude/settings.json", UTF16, "mend the file (sound JSON or TOML, in UTF-8), or take it away"],
    ["claude-code", ".claude/settings.json", `{"x": ${DEEP}, "hooks": {}}`, "mend the file"],
    ["gemini-cli", ".gemini/settings.json", '{ // a\r /* \n "adminPolicyPaths": ["x"], // b\r */ \n}', "mend the file"],
    ["vscode", ".vscode/settings.json", '{ "x": {', "mend the file"],
    ["codex", ".codex/config.toml", "x = \n", "mend the file"],
    ["opencode", "opencode.jsonc", '{ "age{env:": 1, "}nt": { "tester": {} } }', "mend the file"],
    ["claude-code", ".claude/agents/x.md", "---\n<<: { name: tester }\n---\n", "write `name:` on a line of its own"],
  ])("%s: %s that can't be read for sure: build, doctor and start stop", async (host, file, text, step) => {
    put(file, text);
    const unread = { path: file, state: expect.stringMatching(/^(?:overrules|moves|undoes)$/), key: null };
    expect((await inAsked.found(host)).files).toContainEqual(expect.objectContaining(unread));
    expect((await inAsked.look(host)).out.replaceAll(/\s+/g, " ")).toMatch(
      /can't be read for sure.* next: (?:mend|write)/,
    );
    const started = await asked.run(["start", "tester", "--host", host], { env: { PATH: inAsked.bin } });
    expect([started.exit, asked.has("was-run")]).toEqual([host === "vscode" ? 64 : 1, false]);
    const { exit, err } = await asked.run(["build"]);
    expect([exit, err.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(`\`${file}\``)]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(`help: ${step}`);
    takeOut();
    expect((await asked.run(["build"])).exit).toBe(0);
  });

  test.each<readonly [host: string, file: string, text: string | object]>([
    ["codex", ".codex/config.toml", 'sandbox_mode = "workspace-write"\napproval_policy = "on-request"\nmodel = "x"\n'],
    ["codex", ".codex/config.toml", "[agents]\nmax_threads = 3\n[features]\nmulti_agent_v2 = false\n"],
    [
      "claude-code",
      ".claude/settings.json",
      { hooks: { PostToolUse: [{ hooks: [] }] }, permissions: { allow: ["x"] } },
    ],
    ["gemini-cli", ".gemini/settings.json", { tools: { allowed: ["run_shell_command"] }, adminPolicyPaths: [] }],
    ["vscode", ".vscode/settings.json", { "chat.permissions.default": "default", "editor.tabSize": 2 }],
  ])("%s: %s %j is nobody's business", async (host, file, text) => {
    put(file, text);
    expect([(await asked.run(["build"])).exit, await undone(host)]).toEqual([0, []]);
  });

  test.each<readonly [host: string, file: string, text: string | object, shown: string, key: string]>([
    [
      "codex",
      "home/.codex/config.toml",
      'sandbox_mode = "danger-full-access"\n',
      "~/.codex/config.toml",
      "sandbox_mode",
    ],
    [
      "gemini-cli",
      "home/.gemini/settings.json",
      { adminPolicyPaths: ["x"] },
      "~/.gemini/settings.json",
      "adminPolicyPaths",
    ],
    ["claude-code", ".claude/settings.local.json", ANSWERS, ".claude/settings.local.json", "hooks.PermissionRequest"],
    [
      "cursor",
      "home/.cursor/cli-config.json",
      { approvalMode: "unrestricted" },
      "~/.cursor/cli-config.json",
      "approvalMode",
    ],
  ])("%s: of a person's own in %s doctor and start stop", async (host, file, text, shown, key) => {
    put(file, text);
    const env = { HOME: path.join(asked.dir, "home") };
    expect(await undone(host, env)).toMatchObject([{ path: shown, key }]);
    expect((await asked.run(["build"], { env })).exit).toBe(0);
  });

  test("where nothing is asked, or the asks are behind the entry, no question can be undone", async () => {
    put(".codex/config.toml", 'sandbox_mode = "danger-full-access"\n');
    const main = asked.read("rolecall.yaml");
    const says = (await inAsked.look("codex")).out;
    expect(says).toContain("`sandbox_mode` in .codex/config.toml has the host run what the role asks about");
    expect(says).toContain("or write `via: serve` for codex");
    asked.write("rolecall.yaml", main.replace(", ask: [list]", ""));
    expect([(await asked.run(["build"])).exit, await undone("codex")]).toEqual([0, []]);
    asked.write(
      "rolecall.yaml",
      main.replace("hosts: [", "serve: { env: e.env }\nhosts: [").replace("codex", "{ id: codex, via: serve }"),
    );
    expect([(await asked.run(["build"])).exit, await undone("codex")]).toEqual([0, []]);
    asked.write("rolecall.yaml", main);
    takeOut();
    expect((await asked.run(["build"])).exit).toBe(0);
  });
});

test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, key: string]>([
  ["gemini-cli", ".env", "npm_config_node_options=--require ./x.cjs\n", "npm_config_node_options"],
  ["gemini-cli", ".env", "TOKEN=x\nXDG_STATE_HOME=/x\n", "XDG_STATE_HOME"],
  ["gemini-cli", ".gemini/.env", "NODE_OPTIONS=--require ./x.cjs\n", "NODE_OPTIONS"],
  [
    "claude-code",
    ".claude/settings.json",
    '{ "env": { "TOKEN": "x", "NODE_OPTIONS": "-r ./x.cjs" } }',
    "env.NODE_OPTIONS",
  ],
])("%s hands on what %s sets: doctor and start stop", async (host, file, text, key) => {
  project.write(file, text);
  const { exit, files } = await doctor.found(host);
  expect([exit, files.at(-1)]).toEqual([1, { path: file, state: "moves", key }]);
  expect((await doctor.look(host)).out).toContain("  next: take it out of that file: set it where you start the host");
  expect((await project.run(["build"])).exit).toBe(0);
  rmSync(path.join(project.dir, file));
});

test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, shown: string]>([
  ["gemini-cli", ".env", "NODE_OPTIONS=-r ./x.cjs\n", "~/.env"],
  ["gemini-cli", ".gemini/.env", "PATH=/x\n", "~/.gemini/.env"],
  ["claude-code", ".claude/settings.json", '{ "env": { "NODE_OPTIONS": "x" } }', "~/.claude/settings.json"],
])("%s hands on what a person's %s sets for all projects", async (host, file, text, shown) => {
  project.write(`home/${file}`, text);
  const { exit, files } = await doctor.found(host, { HOME: path.join(project.dir, "home") });
  expect([exit, files.at(-1)]).toMatchObject([1, { path: shown, state: "moves" }]);
  rmSync(path.join(project.dir, "home"), { recursive: true });
});

test("a build that stands looks again once such a file is there", async () => {
  const built = async () => (await project.run(["build"])).exit;
  expect([await built(), await built()]).toEqual([0, 0]);
  project.write(".opencode/agents/x.md", AGENT);
  expect(await built()).toBe(1);
  rmSync(path.join(project.dir, ".opencode"), { recursive: true });
  expect(await built()).toBe(0);
});

test("a server that was read from such a file is told when the host is started, not by the build", async () => {
  const main = project.read("rolecall.yaml");
  project.write(".codex/config.toml", '[mcp_servers.wiki]\ncommand = "x"\n');
  project.write("rolecall.yaml", `${main}imports: [.codex/config.toml]\n`);
  doctor.pin("wiki", ["find"]);
  const { exit, err } = await project.run(["build"]);
  expect([exit, err.includes("output/joined")]).toEqual([0, false]);
  rmSync(path.join(project.dir, ".codex"), { recursive: true });
  project.write("rolecall.yaml", main);
});
