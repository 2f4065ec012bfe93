import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { buildAnew } from "../../../compiler/cli/compiling.ts";
import { buildId } from "../../../compiler/cli/version.ts";
import { standingBuild } from "../../../compiler/io/remember/cache.ts";
import { hashHeader } from "../../../compiler/5-artifacts/header.ts";
import type { JsonValue } from "../../../compiler/base/json.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { above, at, newFolderForEachTest, put, run, text, tree, ts } from "../../support/output-folder.ts";

newFolderForEachTest();

const agent = (name: string, keys: Record<string, JsonValue>): Artifact => ({
  path: `.claude/agents/${name}.md`,
  format: "front-matter",
  keys: Object.entries(keys).map(([key, value]) => ({ at: key === "" ? [] : [key], value })),
});
const servers = (entries: Record<string, JsonValue>): Artifact => ({
  path: ".mcp.json",
  format: "json",
  keys: Object.entries(entries).map(([name, value]) => ({ at: ["mcpServers", name], value })),
});
const list = () => text("src/mcp/files.txt").split("\n").slice(1, -1);

describe("keys in a file of the user's", () => {
  test("are put in and listed, and a second build touches nothing", () => {
    put(".claude/agents/a.md", "---\nmodel: opus # mine\n---\nBe kind.\n");
    const all = [agent("a", { name: "a", tools: ["Read"] }), servers({ github: { url: "x" } })];
    expect(run(all)).toMatchObject({
      says: [],
      differs: [".claude/agents/a.md"],
      missing: [".mcp.json", "src/mcp/files.txt"],
    });
    expect(text(".claude/agents/a.md")).toBe("---\nmodel: opus # mine\nname: a\ntools:\n  - Read\n---\nBe kind.\n");
    expect(list()).toEqual([".claude/agents/a.md\tname", ".claude/agents/a.md\ttools", ".mcp.json\tmcpServers/github"]);
    const times = () => Object.keys(tree()).map((file) => lstatSync(at(file)).ctimeMs);
    const before = times();
    const again = run(all);
    expect(again).toMatchObject({ unchanged: 3, missing: [], differs: [], stale: [], says: [] });
    expect([...again.outputs.keys()].sort()).toEqual([".claude/agents/a.md", ".mcp.json", "src/mcp/files.txt"]);
    expect(times()).toEqual(before);
    expect(run(all, "check")).toMatchObject({ unchanged: 3, missing: [], differs: [] });
  });

  test("that nothing makes any more are taken out; a file goes only when it was ours", () => {
    put(".vscode/mcp.json", '{ "inputs": [] }\n');
    const code = { path: ".vscode/mcp.json", format: "json", keys: [{ at: ["servers", "x"], value: 1 }] } as const;
    run([code, agent("b", { name: "b" }), servers({ x: 1, y: 2 })]);
    expect(run([servers({ x: 1 })])).toMatchObject({
      says: [],
      differs: [".mcp.json", ".vscode/mcp.json", "src/mcp/files.txt"],
      stale: [".claude/agents/b.md"],
    });
    expect(JSON.parse(text(".vscode/mcp.json"))).toEqual({ inputs: [] });
    expect(tree()).toMatchObject({
      ".mcp.json": '{\n  "mcpServers": {\n    "x": 1\n  }\n}\n',
    });
    expect(existsSync(at(".claude/agents/b.md"))).toBe(false);
    run([]);
    expect(Object.keys(tree())).toEqual([".vscode/mcp.json", "src/mcp/files.txt"]);
    expect(list()).toEqual([]);
  });

  test("the text below them is listed as `.`, and goes when nothing makes it any more", () => {
    const file = ".claude/agents/a.md";
    run([agent("a", { name: "a", "": "Be kind." }), agent("b", { name: "b", "": "Be quick." })]);
    expect(text(file)).toBe("---\nname: a\n---\n\nBe kind.\n");
    expect(list().slice(0, 2)).toEqual([`${file}\t.`, `${file}\tname`]);
    expect(run([agent("a", { name: "a", "": "Be calm." })])).toMatchObject({
      says: [],
      stale: [".claude/agents/b.md"],
    });
    expect(text(file)).toBe("---\nname: a\n---\n\nBe calm.\n");
    expect(run([agent("a", { name: "a" })])).toMatchObject({ says: [], differs: [file, "src/mcp/files.txt"] });
    expect(text(file)).toBe("---\nname: a\n---\n");
    put(file, `${text(file)}Mine.\n`);
    expect(run([agent("a", { name: "a" })])).toMatchObject({ says: [], differs: [] });
    const before = text(file);
    expect(run([]).says).toEqual([expect.stringContaining("output/left-agent `.claude/agents/a.md`")]);
    expect(run([], "check")).toMatchObject({ blocked: [file] });
    expect(text(file)).toBe(before);
    rmSync(at(file));
    expect(run([]).says).toEqual([]);
  });

  test("a list names nothing in another project's folder", () => {
    run([servers({ x: 1 })]);
    put("packages/web/rolecall.yaml", "version: 1\nproject: web\n");
    put("packages/web/opencode.json", '{ "agent": { "build": {} } }\n');
    put("src/mcp/files.txt", `${text("src/mcp/files.txt")}packages/web/opencode.json\tagent/build\n`);
    expect(run([servers({ x: 1 })]).says).toEqual([]);
    expect(text("packages/web/opencode.json")).toBe('{ "agent": { "build": {} } }\n');
  });

  test("of two artifacts come together, the same key twice is a bug", () => {
    run([servers({ x: 1 }), servers({ y: 2 })]);
    expect(JSON.parse(text(".mcp.json"))).toEqual({ mcpServers: { x: 1, y: 2 } });
    expect(() => run([servers({ x: 1 }), servers({ x: 1 })])).toThrow("two artifacts for one key in .mcp.json");
  });

  test("a check says what a build would do, and leaves it", () => {
    run([agent("a", { name: "a" }), agent("b", { name: "b" })]);
    put(".claude/agents/a.md", text(".claude/agents/a.md").replace("name: a", "name: z"));
    const before = tree();
    expect(run([agent("a", { name: "a" }), servers({ x: 1 })], "check")).toMatchObject({
      says: [],
      missing: [".mcp.json"],
      differs: [".claude/agents/a.md", "src/mcp/files.txt"],
      stale: [".claude/agents/b.md"],
    });
    expect(tree()).toEqual(before);
  });

  test("a link and the rights of its file stay", () => {
    put("config/mcp.json", "{}\n");
    chmodSync(at("config/mcp.json"), 0o640);
    symlinkSync("config/mcp.json", at(".mcp.json"));
    expect(run([servers({ x: 1 })]).differs).toEqual([".mcp.json"]);
    expect(JSON.parse(text("config/mcp.json"))).toEqual({ mcpServers: { x: 1 } });
    expect(lstatSync(at(".mcp.json")).isSymbolicLink()).toBe(true);
    expect(statSync(at("config/mcp.json")).mode & 0o777).toBe(0o640);
    expect(run([servers({ x: 1 })])).toMatchObject({ differs: [], missing: [] });
    run([]);
    expect(text("config/mcp.json")).toBe("{}\n");
  });

  test("what the list of a former place names goes too", () => {
    run([servers({ x: 1 })]);
    const moved = run([], "write", { out: "lib/mcp", former: { out: "src/mcp", folder: "mcp" } });
    expect(moved).toMatchObject({ says: [], stale: [".mcp.json", "src/mcp/files.txt"] });
    expect(Object.keys(tree())).toEqual(["lib/mcp/files.txt"]);
  });
});

test("a build notices that the user edited such a file, and leaves what isn't ours", () => {
  const how = { check: false, cache: true } as const;
  mkdirSync(at("mcp"));
  put("rolecall.yaml", "version: 1\nproject: harbor\nhosts: [claude-code]\nroles: { watcher: {} }\n");
  buildAnew(at(""), how);
  expect(standingBuild(at(""), buildId)).toBeDefined();
  const file = ".claude/agents/watcher.md";
  put(file, `${text(file)}Be kind.\n`);
  expect(standingBuild(at(""), buildId)).toBeUndefined();
  expect(buildAnew(at(""), how).outcome).toMatchObject({ missing: [], differs: [], stale: [] });
  expect(standingBuild(at(""), buildId)).toBeDefined();
  put(file, text(file).replace("name: watcher", "name: other"));
  const { diagnostics, outcome } = buildAnew(at(""), how);
  expect(diagnostics.map(({ says }) => says).join()).toContain("`.claude/agents/watcher.md, name`");
  expect(outcome).toMatchObject({ missing: [], differs: [file], stale: [] });
  expect(text(file)).toMatch(/^---\nname: watcher\n[^]*---\nBe kind\.\n$/);
  expect(text(".rolecall/replaced/.claude__agents__watcher.md")).toContain("name: other");
  expect(standingBuild(at(""), buildId)?.last.diagnostics.map(({ code }) => code)).not.toContain("output/overwritten");
});

describe("whose key it is", () => {
  /** Arranges, then builds: nothing may be written. */
  function refused(arrange: () => void, artifacts: Artifact[]): string[] {
    arrange();
    const before = tree();
    const result = run([ts("new"), ...artifacts]);
    expect(tree()).toEqual(before);
    expect(result.outputs.size).toBe(0);
    return result.says;
  }

  test("every key that isn't ours is told, and nothing is written", () => {
    put(".mcp.json", '{ "mcpServers": { "x": "mine", "y": "mine" } }');
    expect(refused(() => {}, [servers({ x: 1, y: 2 })])).toEqual([
      "output/key-taken `.mcp.json` has a `mcpServers.x` that rolecall didn't write",
      "output/key-taken `.mcp.json` has a `mcpServers.y` that rolecall didn't write",
    ]);
  });

  test("one that somebody edited is written anew or goes, and is named", () => {
    run([agent("a", { name: "a", tools: ["Read"] }), agent("b", { name: "b", tools: ["Read"] })]);
    for (const name of ["a", "b"])
      put(`.claude/agents/${name}.md`, text(`.claude/agents/${name}.md`).replace("Read", "Bash"));
    const again = run([agent("a", { name: "a", tools: ["Read"] })]);
    expect(again).toMatchObject({ says: [], differs: [".claude/agents/a.md", "src/mcp/files.txt"] });
    expect(again.notes.join()).toContain("`.claude/agents/a.md, tools`, `.claude/agents/b.md, name`");
    expect(text(".claude/agents/a.md")).toContain("  - Read\n");
    expect(existsSync(at(".claude/agents/b.md"))).toBe(false);
    expect(readdirSync(at(".rolecall/replaced"))).toEqual([".claude__agents__a.md", ".claude__agents__b.md"]);
  });

  test("what is taken from a file of the user's is kept beside, never behind a link", () => {
    run([servers({ x: 1 })]);
    put(".mcp.json", '{ "mcpServers": { "x": "mine", "y": 2 } }');
    mkdirSync(above("out"));
    symlinkSync(above("out"), at(".rolecall/replaced"));
    expect(run([]).says).toEqual([]);
    expect([text(".mcp.json"), readdirSync(above("out"))]).toEqual(['{ "mcpServers": { "y": 2 } }', []]);
  });

  test("a text of the user's below them stops the build, one of ours that somebody edited is written anew", () => {
    put(".claude/agents/c.md", "Mine.\n");
    run([agent("a", { name: "a", "": "Be kind." }), agent("b", { name: "b", "": "Be kind." })]);
    const edit = (file: string) => put(file, text(file).replace("kind", "quick"));
    const wanted = [agent("a", { name: "a", "": "Be kind." }), agent("c", { name: "c", "": "Be kind." })];
    expect(refused(() => (edit(".claude/agents/a.md"), edit(".claude/agents/b.md")), wanted)).toEqual([
      "output/text-taken `.claude/agents/c.md` has a text that rolecall didn't write, and its role has a `prompt`",
    ]);
    expect(run(wanted.slice(0, 1)).notes.join()).toContain("`.claude/agents/a.md, its text`");
    expect(text(".claude/agents/a.md")).toBe("---\nname: a\n---\n\nBe kind.\n");
  });

  test.each<[string, string, string]>([
    [
      "a key of the user's in it",
      "line 4 is about something of yours",
      '{\n  "mcpServers": {\n    "x": 0,\n<<<<<<< HEAD\n    "mine": 1\n=======\n    "mine": 2\n>>>>>>> b\n  }\n}\n',
    ],
    [
      "a comment of the user's in it",
      "line 3 is about something of yours",
      '{\n  "mcpServers": {\n<<<<<<< HEAD\n    "x": 0 // mine\n=======\n    "x": 2\n>>>>>>> b\n  }\n}\n',
    ],
    [
      "the second of two",
      "line 8 is about something of yours",
      '{\n  "mcpServers": {\n<<<<<<< HEAD\n    "x": 0,\n=======\n    "x": 2,\n>>>>>>> b\n<<<<<<< HEAD\n    "mine": 1\n=======\n    "mine": 2\n>>>>>>> b\n  }\n}\n',
    ],
    [
      "no end",
      "line 3 is a conflict marker that has no partner",
      '{\n  "mcpServers": {\n<<<<<<< HEAD\n    "x": 0\n  }\n}\n',
    ],
  ])("a conflict with %s is for a person to solve", (_, problem, content) => {
    run([servers({ x: 1 })]);
    const [said] = refused(() => put(".mcp.json", content), [servers({ x: 1 })]);
    expect(said).toMatch(/^output\/broken-keys rolecall can't keep its keys in `\.mcp\.json` up to date: /);
    expect(said).toContain(problem);
  });

  test.each<[string, string]>([
    ["two sides", '<<<<<<< HEAD\n    "x": 0,\n    "old": 1\n=======\n    "x": 2\n>>>>>>> b\n'],
    [
      "what both began from",
      '<<<<<<< HEAD\n    "x": 0\n||||||| 1234567\n    "mine": 1\n=======\n    "old": 2\n>>>>>>> b\n',
    ],
  ])("a conflict of our keys alone is solved: %s", (_, hunk) => {
    run([servers({ x: 1, old: 1 })]);
    put(".mcp.json", `{\n  // mine\n  "mcpServers": {\n    "mine": { "a": 1 },\n${hunk}  }\n}\n`);
    expect(run([servers({ x: 1 })]).says).toEqual([]);
    expect(text(".mcp.json")).toBe('{\n  // mine\n  "mcpServers": {\n    "mine": { "a": 1 },\n    "x": 1\n  }\n}\n');
  });

  test("a key of ours that a merge left there twice is one again", () => {
    run([servers({ x: 1 })]);
    put(".mcp.json", '{ "mcpServers": { "x": 1, "mine": 2, "x": 1 } }\n');
    expect(run([servers({ x: 1 })]).says).toEqual([]);
    expect(text(".mcp.json")).toBe('{ "mcpServers": { "x": 1, "mine": 2 } }\n');
    put(".mcp.json", '{ "mcpServers": { "x": 1, "mine": 2, "x": 1 } }\n');
    expect(run([]).says).toEqual([]);
    expect(text(".mcp.json")).toBe('{ "mcpServers": { "mine": 2 } }\n');
  });

  test.each<[string, string, () => void]>([
    ["no JSON", "line 2 isn't valid JSON", () => put(".mcp.json", '{\n  "a" 1 }')],
    ["no UTF-8", "it isn't UTF-8", () => writeFileSync(at(".mcp.json"), Buffer.from([0xff, 0xfe]))],
    ["a folder", "it is no plain file", () => mkdirSync(at(".mcp.json"))],
    [
      "a link that leaves the project",
      "it is a link that leaves the project or goes in a circle",
      () => (writeFileSync(above("mcp.json"), "{}"), symlinkSync("../mcp.json", at(".mcp.json"))),
    ],
    [
      "a link to a file that we make",
      "rolecall writes the whole of that file itself",
      () => (run([ts("new")]), symlinkSync("src/mcp/roles/new.ts", at(".mcp.json"))),
    ],
  ])("refuses %s", (_, problem, arrange) => {
    expect(refused(arrange, [servers({ x: 1 })])).toEqual([
      `output/broken-keys rolecall can't keep its keys in \`.mcp.json\` up to date: ${problem}`,
    ]);
  });

  test("two names of one file", () => {
    put(".mcp.json", "{}");
    mkdirSync(at(".cursor"));
    symlinkSync("../.mcp.json", at(".cursor/mcp.json"));
    const both = [servers({ x: 1 }), { ...servers({ x: 1 }), path: ".cursor/mcp.json" } as Artifact];
    expect(refused(() => {}, both)[0]).toContain("is the same file as another that rolecall puts keys into");
  });

  test("a list that anybody wrote takes out nothing that no host keeps", () => {
    put("package.json", '{"scripts":{"test":"x"}}');
    put(".mcp.json", '{"hooks":1,"mcpServers":{"x":{"y":1}}}');
    put("opencode.json", '{"permission":{"read":{"mine":1},"mine":1,"*":"allow"},"mcp":{},"agent":{}}');
    put("node_modules/x/opencode.json", '{"mcp":{"x":1}}');
    put("src/mcp/roles/a.ts", "mine");
    writeFileSync(above("mcp.json"), '{"mcpServers":{"x":1}}');
    const before = tree();
    const keys = {
      "package.json": ["scripts", "scripts/test"],
      ".mcp.json": ["hooks", ".", "__proto__", "mcpServers", "mcpServers/x/y", "mcpServers/"],
      "opencode.json": [
        "permission",
        "permission/read",
        "permission/*",
        "permission/mine",
        "permission/read/mine",
        "mcp",
      ],
      "node_modules/x/opencode.json": ["mcp/x"],
      "../mcp.json": ["mcpServers/x"],
      "src/mcp/roles/a.ts": ["."],
    };
    const lines = Object.entries(keys).flatMap(([file, places]) => places.map((place) => `${file}\t${place}`));
    put("src/mcp/files.txt", [hashHeader, ...lines, "\t", "\tx", "x\t", ""].join("\n"));
    expect(run([]).says).toEqual([]);
    expect(tree()).toEqual({ ...before, "src/mcp/files.txt": `${hashHeader}\n` });
    expect(existsSync(above("mcp.json"))).toBe(true);
  });
});

describe("whole files without room for a header", () => {
  const host = (name: string): Artifact => ({ path: `mcp/hosts/claude-code/${name}.mcp.json`, text: "{}\n" });

  test("go with their role where only builds write, whatever they hold", () => {
    const server: Artifact = { path: ".mcp/servers/x.json", text: "{}\n" };
    run([host("a"), host("b"), server, { path: "other/x.json", text: "{}\n" }]);
    put("mcp/hosts/claude-code/mine.json", "{}\n");
    put(".mcp/servers/mine.json", "{}\n");
    put("mcp/hosts/claude-code/a.mcp.json", "<<<<<<< HEAD\n");
    expect(run([host("b")])).toMatchObject({
      says: [],
      stale: [".mcp/servers/x.json", "mcp/hosts/claude-code/a.mcp.json"],
    });
    expect(Object.keys(tree())).toEqual([
      ".mcp/servers/mine.json",
      "mcp/hosts/claude-code/b.mcp.json",
      "mcp/hosts/claude-code/mine.json",
      "other/x.json",
      "src/mcp/files.txt",
    ]);
  });
});
