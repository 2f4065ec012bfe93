import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compileProject } from "../../compiler/cli/compiling.ts";
import { manifest } from "../support/compiled.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** What `import` writes stands beside what the project declares already, and declares nothing twice. */
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  project.write("mcp/vscode.yaml", "servers:\n  files: { connect: [{ stdio: [files, .] }] }\n");
});
afterEach(() => project.remove());

const file = (folder: string, ...others: readonly string[]): string =>
  JSON.stringify({
    mcpServers: Object.fromEntries(
      [["files", { command: "files", args: [folder] }]].concat(
        others.map((name) => [name, { command: name, args: ["x"] }]),
      ),
    ),
  });

function errors(): string[] {
  const { diagnostics } = compileProject(project.dir);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ says }) => says);
}

test("a server that a source has is left out, and told", async () => {
  project.write("tools.json", file(".", "tides"));
  const { exit, out } = await project.run(["import", "tools.json", "--as", "mcp-json"]);
  expect([exit, errors()]).toEqual([0, []]);
  expect(out).toContain("left out files: mcp/vscode.yaml declares it already\n");
  expect(out).not.toContain("servers.files");
  expect(project.read("mcp/tools.yaml")).not.toContain("files");
  expect(project.read("mcp/tools.yaml")).toContain("tides");
});

test("as JSON", async () => {
  project.write("tools.json", file(".", "tides"));
  const { out } = await project.run(["import", "tools.json", "--as", "mcp-json", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    left: [{ server: "files", declaredIn: "mcp/vscode.yaml", notTakenOver: [] }],
  });
});

test("what the file says of it beside how it is reached isn't taken over in silence", async () => {
  const timed = (...others: readonly string[]): string => {
    const { mcpServers } = JSON.parse(file(".", ...others)) as { mcpServers: Record<string, object> };
    return JSON.stringify({ mcpServers: { ...mcpServers, files: { ...mcpServers["files"], timeout: 5000 } } });
  };
  project.write("tools.json", timed("tides"));
  const { out } = await project.run(["import", "tools.json", "--as", "mcp-json"]);
  expect(out.replace(/\s+/g, " ")).toContain(
    "left out files: mcp/vscode.yaml declares it already; what tools.json says of its `limits` isn't taken over",
  );
  project.write("tools.json", timed());
  const { err } = await project.run(["import", "tools.json", "--as", "mcp-json", "--to", "mcp/more.yaml"]);
  expect(err.replace(/\s+/g, " ")).toContain(
    "`files` in mcp/vscode.yaml; what tools.json says of its `limits` isn't taken over",
  );
});

test("where nothing else is in it, nothing is written", async () => {
  project.write("tools.json", '{ "mcpServers": { "files": { "command": "files", "args": ["."] } } }');
  const { exit, err } = await project.run(["import", "tools.json"]);
  expect([exit, err.replace(/\s+/g, " ")]).toEqual([
    1,
    "rolecall: all that tools.json declares is declared already: `files` in mcp/vscode.yaml nothing was written; rolecall build is next ",
  ]);
  expect(project.has("mcp/tools.yaml")).toBe(false);
});

test("one of the same name that is reached otherwise gets a name of its own, by the step that is told", async () => {
  project.write("tools.json", file("notes", "tides"));
  const { exit, err } = await project.run(["import", "tools.json"]);
  expect(exit).toBe(1);
  expect(err).toContain("server `files` is declared already, in mcp/vscode.yaml, and reached otherwise there");
  expect(project.has("mcp/tools.yaml")).toBe(false);
  const step = /write `(imports: .*)` in rolecall\.yaml/.exec(err.replace(/\s+/g, " "))![1]!;
  project.write("rolecall.yaml", `version: 1\nproject: harbor\n${step}\n`);
  expect((await project.run(["import", "tools.json"])).exit).toBe(0);
  expect(project.read("mcp/tools.yaml")).toContain("files-2:");
  expect(project.read("rolecall.yaml")).not.toContain("imports");
  expect(errors()).toEqual([]);
});

test("a role that a source has is told, with the flag that names another", async () => {
  const servers = [{ name: "tides", transport: "sse", config: { url: "https://tides.example/sse" } }];
  project.write("product/manifest.yaml", JSON.stringify({ id: "kit", mcp: { servers } }));
  project.write("mcp/roles.yaml", "roles: { agent: {} }\n");
  const { exit, err } = await project.run(["import", "product/manifest.yaml"]);
  expect([exit, err]).toEqual([
    1,
    "rolecall: role `agent` is declared already, in mcp/roles.yaml\n  give it another name: --role NAME\n",
  ]);
  expect((await project.run(["import", "product/manifest.yaml", "--role", "kit"])).exit).toBe(0);
  // Which a capture brings.
  expect(errors()).toEqual(["`all` needs the manifest of `tides`, and there is none"]);
});

test("settings of the host beside it are heeded, and named", async () => {
  const settings = ".claude/settings.local.json";
  project.write(".mcp.json", '{ "mcpServers": { "tides": { "command": "tides" }, "off": { "command": "off" } } }');
  project.write(settings, '{ "disabledMcpjsonServers": ["off"], "permissions": { "deny": ["mcp__tides__drop"] } }');
  project.write(".claude/agents/dev.md", "---\nname: dev\ntools: mcp__tides__list\n---\nWork.\n");
  const { exit, out, err } = await project.run(["import", ".mcp.json"]);
  expect([exit, errors()]).toEqual([0, ["`drop` needs the manifest of `tides`, and there is none"]]);
  expect(out).toMatch(/disabledMcpjsonServers of \.claude\/settings\.local\.json +enabled\n/);
  expect(out).toMatch(/permissions\.deny of \.claude\/settings\.local\.json +tools\.exclude\n/);
  expect(err).toContain("warning[import/left-behind]: `tools` of Claude Code's settings isn't taken along");
  expect(err).toContain(".claude/agents/dev.md:3:1");
  expect(project.read("mcp/mcp.yaml")).toContain("enabled: false");
  expect(project.read("mcp/mcp.yaml")).toContain("exclude: [drop]");
});

test("settings beside it, as JSON", async () => {
  project.write(".mcp.json", '{ "mcpServers": { "tides": { "command": "tides" } } }');
  project.write(".claude/settings.json", '{ "permissions": { "deny": ["mcp__tides__drop"] } }');
  const { out } = await project.run(["import", ".mcp.json", "--json"]);
  const { keys } = JSON.parse(out) as { keys: readonly object[] };
  expect(keys).toContainEqual({
    file: ".claude/settings.json",
    from: "permissions.deny[0]",
    to: "servers.tides.tools.exclude[0]",
  });
});

test("of what earlier builds wrote for hosts nothing is told", async () => {
  const hosts = "[claude-code, copilot-cli, vscode, gemini-cli, { id: opencode, into: opencode.json }]";
  project.write("rolecall.yaml", `version: 1\nproject: harbor\nhosts: ${hosts}\n`);
  project.write(
    "mcp/vscode.yaml",
    "servers:\n  tides: { connect: [{ stdio: [tides] }] }\nroles:\n  dev: { tools: { tides: [list] } }\n",
  );
  project.write("mcp/manifests/tides.json", manifest("list", "drop"));
  expect((await project.run(["build"])).exit).toBe(0);
  expect(project.has(".claude/agents/dev.md")).toBe(true);
  for (const [from, servers] of [
    [".mcp.json", { mcpServers: { tides: { command: "tides" }, ebb: { command: "ebb" } } }],
    [".vscode/mcp.json", { servers: { tides: { command: "tides" }, flow: { command: "flow" } } }],
    [".github/mcp.json", { mcpServers: { tides: { command: "tides" }, neap: { command: "neap" } } }],
    [
      ".opencode/opencode.json",
      { mcp: { tides: { type: "local", command: ["tides"] }, spring: { type: "local", command: ["spring"] } } },
    ],
  ] as const) {
    project.write(from, JSON.stringify(servers));
    expect([from, (await project.run(["import", from, "--to", `mcp/${from.slice(1, 4)}.yaml`])).err]).toEqual([
      from,
      "",
    ]);
  }
});

test("a tool that a rule names as the host shows it is named as it is, where it is pinned", async () => {
  project.write(".mcp.json", '{ "mcpServers": { "tides": { "command": "tides" }, "other": { "command": "other" } } }');
  const deny = [
    "mcp__tides__drop_all",
    "mcp__tides__drop_one",
    "mcp__tides__two_a",
    "mcp__tides__x_*",
    "mcp__other__a_b",
  ];
  project.write(".claude/settings.json", JSON.stringify({ permissions: { deny, ask: ["mcp__tides__list_all"] } }));
  const names = ["drop_all", "drop.one", "two.a", "two/a", "list.all"];
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  project.write("mcp/manifests/tides.json", JSON.stringify({ tools }));
  expect((await project.run(["import", ".mcp.json"])).exit).toBe(0);
  const source = project.read("mcp/mcp.yaml");
  expect(source).toContain('exclude: [drop_all, drop.one, "two?a", { optional: "x?*" }]');
  expect(source).toContain('exclude: ["a?b"]');
  expect(source).toContain("tools: [tides.list.all]");
  expect(errors()).toEqual(["`a?b` needs the manifest of `other`, and there is none"]);
});

test.each([
  ["list?1", ["list_1", "list21"], "list?1"],
  ["list?1", ["list_1", "list.1"], "list?1"],
  ["list?1", ["list_1", "list21x"], "list_1"],
  ["list?1", ["list.1"], "list.1"],
  ["list*", ["list_1"], "list*"],
])("a pattern of the file's own stays one where it finds several: %s of %j", async (pattern, names, written) => {
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  project.write("mcp/manifests/files.json", JSON.stringify({ tools }));
  project.write("policy.yaml", `policies: { tools: { "files.${pattern}": deny } }\n`);
  expect((await project.run(["import", "policy.yaml"])).exit).toBe(0);
  expect(project.read("mcp/policy.yaml").replaceAll('"', "")).toContain(`tools: [files.${written}]`);
});

test("a joined name of a tool that a server needn't have is written as the tool's own", async () => {
  const tools = [{ name: "drop-all", inputSchema: { type: "object" } }];
  project.write("mcp/manifests/tides.json", JSON.stringify({ tools }));
  const servers = { tides: { command: "tides" }, low: { command: "low" } };
  project.write("g.json", JSON.stringify({ mcpServers: servers, tools: { exclude: ["tides-drop-all"] } }));
  expect((await project.run(["import", "g.json", "--as", "gemini"])).exit).toBe(0);
  expect(project.read("mcp/g.yaml")).toContain("exclude: [{ optional: drop-all }]");
});

describe("--rename", () => {
  const both = (...deny: readonly string[]): void => {
    const servers = { tides: { command: "tides" }, "Low Water": { command: "low" } };
    project.write(".mcp.json", JSON.stringify({ mcpServers: servers }));
    project.write(".claude/settings.json", JSON.stringify({ permissions: { deny } }));
  };
  const excludes = (): string[] => project.read("mcp/mcp.yaml").match(/exclude: .*(?= \}$)/gm) ?? [];

  test.each([
    [["tides.drop=wipe"], ["exclude: [wipe]", "exclude: [drop]"]],
    [["low-water.drop=wipe"], ["exclude: [drop]", "exclude: [wipe]"]],
    [["Low Water.drop=wipe"], ["exclude: [drop]", "exclude: [wipe]"]],
    [["tides.drop=wipe,drop=purge"], ["exclude: [wipe]", "exclude: [purge]"]],
  ])("of one server is no other server's: %j", async (list, expected) => {
    both("mcp__tides__drop", "mcp__Low_Water__drop");
    expect((await project.run(["import", ".mcp.json", "--rename", ...list])).exit).toBe(0);
    expect(excludes()).toEqual(expected);
  });

  test("by the name that the tool has, where a rule has the one that is shown", async () => {
    both("mcp__tides__drop_all");
    expect((await project.run(["import", ".mcp.json", "--rename", "drop.all=drop.every"])).exit).toBe(0);
    expect(excludes()).toEqual(["exclude: [drop.every]"]);
  });

  const OPTIONAL = '{"mcpServers":{"tides":{"command":"t"},"low":{"command":"l"}},"tools":{"exclude":["drop"]}}';
  test.each([
    [
      "drop=wipe",
      "`drop` is a tool of `tides` and `low` in g.json say whose it is: --rename tides.drop=NEW,low.drop=NEW",
    ],
    ["tides.drop=wipe,low.drop=purge", "[{ optional: wipe }] [{ optional: purge }]"],
    ["tides.drop=wipe", "[{ optional: wipe }] [{ optional: drop }]"],
  ])("of a tool that a server needn't have: %s", async (list, expected) => {
    project.write("g.json", OPTIONAL);
    const { err } = await project.run(["import", "g.json", "--as", "gemini", "--rename", list]);
    const source = project.has("mcp/g.yaml") ? project.read("mcp/g.yaml") : "";
    const written = [...source.matchAll(/exclude: (.*) \}$/gm)].map(([, found]) => found);
    expect(`${err} ${written.join(" ")}`.replace(/\s+/g, " ")).toContain(expected);
  });

  const rules = (more: string): void =>
    project.write("policy.yaml", `policies: { tools: { "*.drop": deny, tracker.drop: deny${more} } }\n`);

  test.each<readonly [list: string, more: string, expected: readonly string[]]>([
    ["drop=wipe", ", drop: deny", [`"*.wipe"`, "tracker.wipe", "wipe"]],
    ["*.drop=wipe,tracker.drop=purge", "", [`"*.wipe"`, "tracker.purge"]],
    ["list=wipe", ", tracker.list: deny", [`"*.drop"`, "tracker.drop", "tracker.wipe"]],
  ])("in rules about several servers: %s", async (list, more, expected) => {
    rules(more);
    expect((await project.run(["import", "policy.yaml", "--rename", list])).exit).toBe(0);
    for (const one of expected) expect(project.read("mcp/policy.yaml")).toContain(one);
  });

  test.each([
    ["", "`drop` is a tool of `tracker` and `*` in policy.yaml say whose it is: --rename tracker.drop=NEW,*.drop=NEW"],
    [", drop: deny", "`drop` is a tool of `tracker` and `*` and any server in policy.yaml name its server there"],
  ])("what is said of several servers isn't lost of one that has it otherwise: %s", async (more, expected) => {
    rules(more);
    const { err } = await project.run(["import", "policy.yaml", "--rename", "tracker.drop=wipe"]);
    expect(err.replace(/\s+/g, " ")).toContain(expected);
  });

  test.each([
    [
      "drop=wipe",
      "`drop` is a tool of `tides` and `low-water` in .mcp.json say whose it is: --rename tides.drop=NEW,low-water.drop=NEW",
    ],
    ["tides.dorp=wipe", "--rename names `tides.dorp`, and the file names no such tool did you mean `tides.drop`?"],
    ["dorp=wipe", "--rename names `dorp`, and the file names no such tool did you mean `drop`?"],
    ["elsewhere=wipe", "--rename names `elsewhere`, and the file names no such tool leave it out, or correct the name"],
  ])("what isn't sure is an error, and nothing is written: %s", async (list, expected) => {
    both("mcp__tides__drop", "mcp__Low_Water__drop");
    const { exit, err } = await project.run(["import", ".mcp.json", "--rename", list]);
    expect(err.replace(/\s+/g, " ")).toContain(`rolecall: ${expected}`);
    expect([exit, project.has("mcp/mcp.yaml")]).toEqual([64, false]);
  });
});
