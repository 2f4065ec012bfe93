import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { digestOf } from "../compiler/base/digest.ts";
import { buildAnew } from "../compiler/cli/compiling.ts";
import { buildId } from "../compiler/cli/version.ts";
import { standingBuild } from "../compiler/io/cache.ts";
import type { JsonValue } from "../compiler/base/json.ts";
import type { Artifact } from "../compiler/4-artifacts/types.ts";
import { above, at, newFolderForEachTest, put, run, text, tree, ts } from "./support/output-folder.ts";

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
const list = () => JSON.parse(text("src/mcp/files.json"));

describe("keys in a file of the user's", () => {
  test("are put in, listed with their digests, and a second build touches nothing", () => {
    put(".claude/agents/a.md", "---\nmodel: opus # mine\n---\nBe kind.\n");
    const all = [agent("a", { name: "a", tools: ["Read"] }), servers({ github: { url: "x" } })];
    expect(run(all)).toMatchObject({
      says: [],
      differs: [".claude/agents/a.md"],
      missing: [".mcp.json", "src/mcp/files.json"],
    });
    expect(text(".claude/agents/a.md")).toBe("---\nmodel: opus # mine\nname: a\ntools:\n  - Read\n---\nBe kind.\n");
    expect(list()).toEqual({
      format: 1,
      files: {},
      keys: {
        ".claude/agents/a.md": { name: digestOf('"a"'), tools: digestOf('["Read"]') },
        ".mcp.json": { "mcpServers/github": digestOf('{"url":"x"}') },
      },
      before: { ".mcp.json": { "": null, mcpServers: null } },
    });
    const times = () => Object.keys(tree()).map((file) => lstatSync(at(file)).ctimeMs);
    const before = times();
    const again = run(all);
    expect(again).toMatchObject({ unchanged: 3, missing: [], differs: [], stale: [], says: [] });
    expect([...again.outputs.keys()].sort()).toEqual([".claude/agents/a.md", ".mcp.json", "src/mcp/files.json"]);
    expect(times()).toEqual(before);
    expect(run(all, "check")).toMatchObject({ unchanged: 3, missing: [], differs: [] });
  });

  test("that nothing makes any more are taken out; a file goes only when it was ours", () => {
    put(".claude/agents/a.md", "Be kind.\n");
    run([agent("a", { name: "a" }), agent("b", { name: "b" }), servers({ x: 1, y: 2 })]);
    expect(run([servers({ x: 1 })])).toMatchObject({
      says: [],
      differs: [".claude/agents/a.md", ".mcp.json", "src/mcp/files.json"],
      stale: [".claude/agents/b.md"],
    });
    expect(tree()).toMatchObject({
      ".claude/agents/a.md": "Be kind.\n",
      ".mcp.json": '{\n  "mcpServers": {\n    "x": 1\n  }\n}\n',
    });
    expect(existsSync(at(".claude/agents/b.md"))).toBe(false);
    run([]);
    expect(Object.keys(tree())).toEqual([".claude/agents/a.md", "src/mcp/files.json"]);
    expect(list()).toEqual({ format: 1, files: {} });
  });

  test("the text below them is listed as the empty key, and goes when nothing makes it any more", () => {
    const file = ".claude/agents/a.md";
    run([agent("a", { name: "a", "": "Be kind." }), agent("b", { name: "b", "": "Be quick." })]);
    expect(text(file)).toBe("---\nname: a\n---\n\nBe kind.\n");
    expect(list().keys[file]).toEqual({ "": digestOf('"Be kind."'), name: digestOf('"a"') });
    expect(run([agent("a", { name: "a", "": "Be calm." })])).toMatchObject({
      says: [],
      stale: [".claude/agents/b.md"],
    });
    expect(text(file)).toBe("---\nname: a\n---\n\nBe calm.\n");
    expect(run([agent("a", { name: "a" })])).toMatchObject({ says: [], differs: [file, "src/mcp/files.json"] });
    expect(text(file)).toBe("---\nname: a\n---\n");
    put(file, `${text(file)}Mine.\n`);
    expect(run([agent("a", { name: "a" })])).toMatchObject({ says: [], differs: [] });
    expect(run([]).says).toEqual([]);
    expect(text(file)).toBe("Mine.\n");
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
      differs: [".claude/agents/a.md", "src/mcp/files.json"],
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
    const moved = run([], "write", { out: "lib/mcp", formerOut: "src/mcp" });
    expect(moved).toMatchObject({ says: [], stale: [".mcp.json", "src/mcp/files.json"] });
    expect(Object.keys(tree())).toEqual(["lib/mcp/files.json"]);
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
  expect(buildAnew(at(""), how).diagnostics.map(({ code }) => code)).toContain("output/edited-key");
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

  test("one that somebody edited, wanted or stale", () => {
    run([agent("a", { name: "a", tools: ["Read"] }), agent("b", { tools: ["Read"] })]);
    const edit = (file: string) => put(file, text(file).replace("Read", "Bash"));
    expect(
      refused(() => (edit(".claude/agents/a.md"), edit(".claude/agents/b.md")), [agent("a", { name: "a", tools: [] })]),
    ).toEqual([
      "output/edited-key `tools` in `.claude/agents/a.md` isn't as rolecall wrote it: somebody changed it",
      "output/edited-key `tools` in `.claude/agents/b.md` isn't as rolecall wrote it: somebody changed it, and no source makes it any more",
    ]);
  });

  test("a text of the user's below them, and one that somebody edited", () => {
    put(".claude/agents/c.md", "Mine.\n");
    run([agent("a", { name: "a", "": "Be kind." }), agent("b", { name: "b", "": "Be kind." })]);
    const edit = (file: string) => put(file, text(file).replace("kind", "quick"));
    const wanted = [agent("a", { name: "a", "": "Be kind." }), agent("c", { name: "c", "": "Be kind." })];
    expect(refused(() => (edit(".claude/agents/a.md"), edit(".claude/agents/b.md")), wanted)).toEqual([
      "output/edited `.claude/agents/a.md` isn't as rolecall wrote it: somebody changed the text below its front matter",
      "output/edited `.claude/agents/b.md` isn't as rolecall wrote it: somebody changed the text below its front matter, and no source makes it any more",
      "output/text-taken `.claude/agents/c.md` has a text that rolecall didn't write, and its role has a `prompt`",
    ]);
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
    put(".mcp.json", '{"hooks":1,"mcpServers":{}}');
    put("src/mcp/roles/a.ts", "mine");
    writeFileSync(above("mcp.json"), '{"mcpServers":1}');
    const digest = digestOf('{"test":"x"}');
    const before = tree();
    put(
      "src/mcp/files.json",
      `{ "format": 1, "files": {}, "keys": {
        "package.json": { "scripts": "${digest}" }, ".mcp.json": { "hooks": "${digestOf("1")}" , "": "x", "__proto__": "x" },
        "../mcp.json": { "mcpServers": "${digestOf("1")}" }, "__proto__": { "a": "b" }, "src/mcp/roles/a.ts": 1, "x": null },
        "before": { ".mcp.json": { "": "evil", "mcpServers": null }, "package.json": { "": null } } }`,
    );
    expect(run([]).says).toEqual([]);
    expect(tree()).toEqual({ ...before, "src/mcp/files.json": expect.any(String) });
    expect(existsSync(above("mcp.json"))).toBe(true);
    expect(run([servers({ x: 1 })]).says).toEqual([]);
    expect(text(".mcp.json")).toBe('{"hooks":1,"mcpServers":{"x": 1}}');
  });
});

test("a list puts nothing back but space, and reaches no folder that isn't the project's own", () => {
  put(".mcp.json", '{"mcpServers":{"x":1}}');
  const other = "node_modules/x/opencode.json";
  put(other, '{"mcp":1}');
  const keys = { ".mcp.json": { "mcpServers/x": digestOf("1") }, [other]: { mcp: digestOf("1") } };
  const before = { ".mcp.json": { mcpServers: '{"evil":1}' }, [other]: { "": null } };
  put("src/mcp/files.json", JSON.stringify({ format: 1, files: {}, keys, before }));
  expect(run([]).says).toEqual([]);
  expect(text(".mcp.json")).toBe('{"mcpServers":{}}');
  expect(text(other)).toBe('{"mcp":1}');
});

describe("whole files without room for a header", () => {
  const host = (name: string): Artifact => ({ path: `mcp/hosts/claude-code/${name}.mcp.json`, text: "{}\n" });
  const places = { out: "src/mcp", ownFolders: ["mcp/hosts"] };

  test("go with their role when they lie in a folder of ours and are as they were written", () => {
    run([host("a"), host("b"), { path: "other/x.json", text: "{}\n" }], "write", places);
    put("mcp/hosts/claude-code/mine.json", "{}\n");
    expect(run([host("b")], "write", places)).toMatchObject({ says: [], stale: ["mcp/hosts/claude-code/a.mcp.json"] });
    expect(Object.keys(tree())).toEqual([
      "mcp/hosts/claude-code/b.mcp.json",
      "mcp/hosts/claude-code/mine.json",
      "other/x.json",
      "src/mcp/files.json",
    ]);
  });

  test("stay when somebody edited them", () => {
    run([host("a")], "write", places);
    put("mcp/hosts/claude-code/a.mcp.json", '{"mine":1}\n');
    expect(run([], "write", places)).toMatchObject({ says: [], stale: [] });
    expect(readdirSync(at("mcp/hosts/claude-code"))).toEqual(["a.mcp.json"]);
    rmSync(at("mcp"), { recursive: true });
  });
});
