import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MergedPlace, NamedByPath } from "../../../compiler/4-fit/merged-place.ts";
import { mergedNames } from "../../../compiler/io/read/merged-names.ts";

/** What stands where hosts look beside our files, read as they read it. */
let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-merged-")))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text: string | Buffer): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function found(
  place: MergedPlace,
  env?: Record<string, string>,
): (readonly [file: string, name: string | undefined])[] {
  return mergedNames(path.join(root, "team/app"), [place], env).found.map(({ file, name }) => [file, name]);
}

const servers = (file: string, at: readonly string[], where: MergedPlace["in"] = "project"): MergedPlace => ({
  in: where,
  file,
  names: [{ of: "servers", at }],
});

const DEEP = "[".repeat(20_000) + "]".repeat(20_000);

describe("a file", () => {
  beforeEach(() => put("team/app/rolecall.yaml", ""));

  test.each<readonly [says: string, file: string, text: string | Buffer, names: readonly (string | undefined)[]]>([
    ["TOML, however the name is written", "c.toml", '["mcp_servers"."fi\\u006ces"]\ncwd = "x"\n', ["files"]],
    ["TOML with dots", "c.toml", "mcp_servers.files.cwd = 'x'\n", ["files"]],
    ["TOML that can't be read", "c.toml", "[mcp_servers\n", [undefined]],
    ["TOML with another table", "c.toml", "[mcp]\nfiles = 1 # mcp_servers.files\n", []],
    [
      "JSON with an escape, a comment and a comma",
      "c.json",
      '{ // x\n "mcp_servers": { "\\u0066iles": {}, }, }',
      ["files"],
    ],
    [
      "JSON that has it twice",
      "c.json",
      '{"mcp_servers":{"a":1},"mcp_servers":{"files":1,"files":2}}',
      ["a", "files", "files"],
    ],
    ["TOML with Windows' line ends", "c.toml", "[mcp_servers.files]\r\ncwd = 'x'\r\n", ["files"]],
    ["TOML with another line end", "c.toml", "# x\rmcp_servers.files = 1\n", [undefined]],
    ["TOML nested deeper than can be read", "c.toml", `x = ${"[".repeat(20_000)}\n`, [undefined]],
    ["JSON cut off", "c.json", '{"mcp_servers":{"files":{', [undefined]],
    ["JSON nested deeper than can be read", "c.json", `{"x":${DEEP},"mcp_servers":{"files":1}}`, [undefined]],
    ["JSON without anything", "c.json", " // nothing\n", []],
    [
      "JSON with a comment that ends otherwise elsewhere",
      "c.json",
      '{ // a\r /* \n "mcp_servers": { "files": 1 }, // b\r */ \n"x": 1 }',
      [undefined],
    ],
    ["and with another such line end", "c.json", '{ // a\u2028 /* \n "mcp_servers": { "a": 1 } // */ \n}', [undefined]],
    ["JSON with an old line end and no comment", "c.json", '{"mcp_servers":\r{"files":"\u2028"}}', ["files"]],
    ["JSON with Windows' line ends", "c.json", '{ // x\r\n"mcp_servers": {"files": 1}}\r\n', ["files"]],
    [
      "what OpenCode takes away between two keys",
      "c.json",
      '{"mcp_{env:": 1, "}servers": { "files": 1 }}',
      [undefined],
    ],
    [
      "what may end a comment in OpenCode",
      "c.json",
      '{ /* {file:./x} "mcp_servers": { "files": 1 } /* */ }',
      [undefined],
    ],
    [
      "what OpenCode replaces in a value, or not at all",
      "c.json",
      '{ // "{file:./y}"\n "x": "{file:./x}", "mcp_servers": { "files": "{env:X}" } }',
      ["files"],
    ],
    ["UTF-16", "c.json", Buffer.from('\uFEFF{"mcp_servers":{"files":1}}', "utf16le"), [undefined]],
    ["UTF-16 without a mark", "c.json", Buffer.from('{"mcp_servers":{"files":1}}', "utf16le"), [undefined]],
    ["UTF-16 the other way round", "c.json", Buffer.from('\uFEFF{"x":1}', "utf16le").swap16(), [undefined]],
    ["what isn't UTF-8", "c.toml", Buffer.from("# \xe9\n", "latin1"), [undefined]],
    ["a NUL", "c.json", '{"mcp_servers":{"files":1}}\0', [undefined]],
    ["a byte order mark", "c.json", '\uFEFF{"mcp_servers":{"files":1}}', ["files"]],
    ["a key that the host puts a text in place of", "c.json", '{"{file:./k}":{"files":1}}', ["files"]],
    ["nothing of the kind", "c.json", '{"mcp_servers":["files"],"files":{}}', []],
  ])("%s", (_, file, text, names) => {
    put(`team/app/${file}`, text);
    expect(found(servers(file, ["mcp_servers"]))).toEqual(names.map((name) => [file, name]));
  });

  test("of an .env the names alone", () => {
    put("team/app/.env", "# PATH=x\nA=1\n  export XDG_STATE_HOME=/x\nB: 2\nnot one\n");
    expect(found({ in: "above", file: ".env", names: [{ of: "variables", at: [] }] }).map(([, name]) => name)).toEqual([
      "A",
      "XDG_STATE_HOME",
      "B",
    ]);
  });

  test("of an .env in another encoding any", () => {
    put("team/app/.env", Buffer.from("\uFEFFPATH=x\n", "utf16le"));
    expect(found({ in: "above", file: ".env", names: [{ of: "variables", at: [] }] })).toEqual([[".env", undefined]]);
  });

  test("that is no plain file is nothing, or can't be read", () => {
    mkdirSync(path.join(root, "team/app/.env"));
    symlinkSync("/dev/null", path.join(root, "team/app/c.json"));
    execFileSync("mkfifo", [path.join(root, "team/app/d.json")]);
    expect(found({ in: "above", file: ".env", names: [{ of: "variables", at: [] }] })).toEqual([]);
    expect(found(servers("c.json", []))).toEqual([]);
    expect(found(servers("d.json", []))).toEqual([["d.json", undefined]]);
  });

  test("above: up to the repository's root, and no further", () => {
    put("c.json", '{"m":{"beyond":1}}');
    put("team/c.json", '{"m":{"top":1}}');
    put("team/app/c.json", '{"m":{"own":1}}');
    put("team/.git", "gitdir: elsewhere\n");
    expect(found(servers("c.json", ["m"], "above"))).toEqual([
      ["c.json", "own"],
      ["../c.json", "top"],
    ]);
  });

  test("above without a repository: the folder alone, and where one was looked for is told", () => {
    put("team/c.json", '{"m":{"top":1}}');
    put("team/app/c.json", '{"m":{"own":1}}');
    expect(found(servers("c.json", ["m"], "above"))).toEqual([["c.json", "own"]]);
    const { files } = mergedNames(path.join(root, "team/app"), [servers("c.json", ["m"], "above")]);
    expect([...files].filter(([file]) => file.endsWith(".git")).slice(0, 3)).toEqual([
      [".git", undefined],
      ["../.git", undefined],
      ["../../.git", undefined],
    ]);
  });

  test("top: beyond the repository too, but not in a build, and what stands there isn't open", () => {
    put("c.json", '{"m":{"beyond":1}}');
    put("team/c.json", '{"m":{"top":1}}');
    put("team/.git", "");
    const place: MergedPlace = { in: "top", file: "c.json", names: [{ of: "servers", at: ["m"], isOpen: true }] };
    const names = (env?: Record<string, string>) =>
      mergedNames(path.join(root, "team/app"), [place], env).found.map(({ file, name, isOpen }) => [
        file,
        name,
        isOpen,
      ]);
    expect(names()).toEqual([["../c.json", "top", true]]);
    expect(names({})).toEqual([
      ["../c.json", "top", true],
      ["../../c.json", "beyond", false],
    ]);
  });

  test("local: up to the repository's root, and in the main checkout of a worktree; never in a build", () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd, stdio: "pipe" });
    put("main/l.json", '{"m":{"main":1}}');
    git(path.join(root, "main"), "init", "-q");
    git(path.join(root, "main"), "commit", "-q", "--allow-empty", "-m", "x");
    git(path.join(root, "main"), "worktree", "add", "-q", "../tree");
    put("tree/l.json", '{"m":{"root":1}}');
    put("tree/app/l.json", '{"m":{"own":1}}');
    const place = servers("l.json", ["m"], "local");
    const names = (env?: Record<string, string>) =>
      mergedNames(path.join(root, "tree/app"), [place], env).found.map(({ file, name }) => [file, name]);
    expect(names()).toEqual([]);
    expect(names({})).toEqual([
      ["l.json", "own"],
      ["../l.json", "root"],
      ["../../main/l.json", "main"],
    ]);
  });

  test("a file to which two places lead is looked at once", () => {
    put("team/app/c.json", '{"m":{"a":1}}');
    const place = servers("c.json", ["m"]);
    expect(mergedNames(path.join(root, "team/app"), [place, place]).found).toHaveLength(1);
  });

  test("a person's own: where the variable says, else below the home, and never in a build", () => {
    const place = servers("c.json", ["m"], { variable: "X_HOME", otherwise: ".x", below: "y" });
    put("home/.x/y/c.json", '{"m":{"a":1}}');
    put("set/y/c.json", '{"m":{"b":1}}');
    const env = { HOME: path.join(root, "home") };
    expect(found(place, { ...env, X_HOME: "" })).toEqual([["~/.x/y/c.json", "a"]]);
    expect(found(place, { ...env, X_HOME: path.join(root, "set") })).toEqual([["$X_HOME/y/c.json", "b"]]);
    expect(found(place)).toEqual([]);
  });
});

describe("a setting", () => {
  const keys = (
    file: string,
    text: string | Buffer,
    where: MergedPlace["in"] = "project",
    env?: Record<string, string>,
  ) => {
    put(`team/app/${file}`, text);
    const settings = [
      { at: ["mode"], undoes: "asks" as const, unless: ["safe", false] },
      { at: ["a.b", "c"], undoes: "all" as const },
    ];
    const { found: all } = mergedNames(path.join(root, "team/app"), [{ in: where, file, names: [], settings }], env);
    return all.map(({ at, undoes }) => [at.join(" "), undoes]);
  };
  const mode = ["mode", "asks"];

  test.each<readonly [says: string, file: string, text: string, told: readonly unknown[]]>([
    ["that does no such thing", "s.toml", "mode = 'safe'\n", []],
    ["switched off", "s.toml", "mode = false\n", []],
    ["that does", "s.toml", "mode = 'open'\n", [mode]],
    ["that nobody knows", "s.toml", "mode = { new = 1 }\n", [mode]],
    ["deep in TOML", "s.toml", "['a.b']\nc = ['x']\n", [["a.b c", "all"]]],
    ["elsewhere in TOML", "s.toml", "[x]\nmode = 'open'\n", []],
    ["safe in JSON", "s.json", '{ "mode": "safe", /* x */ "other": 1, }', []],
    ["open in JSON", "s.json", '{ "m\\u006fde": "open" }', [mode]],
    ["twice in JSON", "s.json", '{ "mode": "open", "mode": "safe" }', [mode]],
    ["deep in JSON", "s.json", '{ "a.b": { "c": [{}] } }', [["a.b c", "all"]]],
    ["an empty list", "s.json", '{ "mode": [], "a.b": { "c": {} } }', []],
    ["nothing", "s.json", '{ "mode": null, "a.b": { "c": "" } }', []],
  ])("%s", (_, file, text, told) => expect(keys(file, text)).toEqual(told));

  test.each<readonly [says: string, file: string, text: string | Buffer]>([
    ["JSON cut off", "s.json", '{ "x": {'],
    ["nested deeper than can be read", "s.json", `{"x": ${DEEP}, "mode": "open"}`],
    ["UTF-16", "s.json", Buffer.from('\uFEFF{"mode":"open"}', "utf16le")],
    ["UTF-16 in TOML", "s.toml", Buffer.from("\uFEFFmode = 'open'\n", "utf16le")],
    ["a comment that ends otherwise elsewhere", "s.json", '{ // a\r /* \n "mode": "open", // b\r */ \n"x": 1 }'],
    ["TOML that can't be read", "s.toml", "mode = open\n"],
  ])("of what can't be read for sure each may be there: %s", (_, file, text) => {
    expect(keys(file, text)).toEqual([mode, ["a.b c", "all"]]);
    expect(found({ in: "project", file, names: [], settings: [{ at: ["mode"], undoes: "asks" }] })).toEqual([
      [file, undefined],
    ]);
  });

  test("of a person's own in the project: never in a build", () => {
    expect(keys("s.toml", "mode = 'open'\n", "local")).toEqual([]);
    expect(keys("s.toml", "mode = 'open'\n", "local", {})).toEqual([mode]);
  });
});

describe("a folder of agents", () => {
  const agents = (byPath?: NamedByPath): MergedPlace => ({
    in: "project",
    folder: "agents",
    ...(byPath && { byPath }),
  });

  test("however deep, through links, and a circle ends", () => {
    put("team/app/agents/a.md", "---\nname: one\n---\n");
    put("team/app/agents/deep/er/b.md", "---\nname: two\n---\n");
    put("team/app/agents/c.txt", "---\nname: three\n---\n");
    put("elsewhere/d.md", "---\nname: four\n---\n");
    symlinkSync(path.join(root, "elsewhere"), path.join(root, "team/app/agents/linked"));
    symlinkSync("..", path.join(root, "team/app/agents/deep/up"));
    expect(found(agents())).toEqual([
      ["agents/a.md", "one"],
      ["agents/deep/er/b.md", "two"],
      ["agents/linked/d.md", "four"],
    ]);
  });

  test.each([
    ["beside it", ".x", ".."],
    ["at the top", "", "../.."],
    ["above the project", "..", "../../.."],
  ])("by a link to a folder above it, with agents %s", (_, beside, to) => {
    put(path.join("team/app", beside, "other/a.md"), "---\nname: one\n---\n");
    put("team/app/.x/agents/b.md", "---\nname: two\n---\n");
    symlinkSync(to, path.join(root, "team/app/.x/agents/aaa"));
    const names = found({ ...agents(), folder: ".x/agents" }).map(([, name]) => name);
    expect(names.toSorted()).toEqual(["one", "two"]);
  });

  test("by links between two folders, each once", () => {
    put("elsewhere/a.md", "---\nname: one\n---\n");
    put("team/app/agents/b.md", "---\nname: two\n---\n");
    symlinkSync(path.join(root, "elsewhere"), path.join(root, "team/app/agents/to"));
    symlinkSync(path.join(root, "team/app/agents"), path.join(root, "elsewhere/back"));
    symlinkSync(".", path.join(root, "elsewhere/same"));
    expect(found(agents())).toEqual([
      ["agents/b.md", "two"],
      ["agents/to/a.md", "one"],
    ]);
  });

  test("with more folders than are looked into: may have any name", () => {
    for (let i = 0; i <= 2000; i++) mkdirSync(path.join(root, `elsewhere/${i}`), { recursive: true });
    mkdirSync(path.join(root, "team/app/agents"), { recursive: true });
    symlinkSync(path.join(root, "elsewhere"), path.join(root, "team/app/agents/to"));
    expect(found(agents())).toEqual([["agents", undefined]]);
  });

  test("in another encoding: may have any name", () => {
    put("team/app/agents/a.md", Buffer.from("\uFEFF---\nname: one\n---\n", "utf16le"));
    expect(found(agents())).toEqual([["agents/a.md", undefined]]);
  });

  test("named by their path where the front matter says nothing", () => {
    put("team/app/agents/sub/a.md", "hello\n");
    const nameless: NamedByPath = { when: "nameless", slash: "/", endings: [".md"] };
    expect(found(agents(nameless))).toEqual([["agents/sub/a.md", "sub/a"]]);
    expect(found(agents())).toEqual([]);
    put("team/app/agents/sub/a.md", "---\nname: one\n---\n");
    expect(found(agents(nameless))).toEqual([["agents/sub/a.md", "one"]]);
  });

  test("named by their path whatever the front matter says", () => {
    const always: NamedByPath = { when: "always", slash: "--", endings: [".agent.md", ".md"] };
    put("team/app/agents/a.agent.md", "---\nname: one\n---\n");
    put("team/app/agents/b.md", "hello\n");
    put("team/app/agents/sub/c.md", "---\nname: sub--c\n---\n");
    expect(found(agents(always))).toEqual([
      ["agents/a.agent.md", "one"],
      ["agents/a.agent.md", "a"],
      ["agents/b.md", "b"],
      ["agents/sub/c.md", "sub--c"],
    ]);
  });

  test("what was looked at is told, from the project's folder", () => {
    put("team/app/agents/a.md", "x");
    const { files, folders } = mergedNames(path.join(root, "team/app"), [agents()]);
    expect([[...files.keys()], [...folders]]).toEqual([["agents/a.md"], [["agents", ["a.md"]]]]);
  });
});
