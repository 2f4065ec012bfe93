import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hashHeader, header, jsonHeader } from "../../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { above, at, json, put, run, text, tree, ts, newFolderForEachTest } from "../../support/output-folder.ts";

newFolderForEachTest();

describe("writing output", () => {
  test("writes files and a list of them, sorted, without itself", () => {
    const result = run([ts("b"), json("access"), ts("a")]);
    expect(result).toMatchObject({
      says: [],
      unchanged: 0,
      missing: ["src/mcp/access.json", "src/mcp/files.txt", "src/mcp/roles/a.ts", "src/mcp/roles/b.ts"],
    });
    expect(text("src/mcp/files.txt")).toBe(
      `${hashHeader}\nsrc/mcp/access.json\nsrc/mcp/roles/a.ts\nsrc/mcp/roles/b.ts\n`,
    );
    expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
  });

  test("the same again touches nothing", () => {
    run([ts("a"), json("access")]);
    const before = Object.keys(tree()).map((file) => lstatSync(at(file)).ctimeMs);
    const again = run([json("access"), ts("a")]);
    expect(again).toMatchObject({ unchanged: 3, missing: [], differs: [], stale: [], says: [] });
    expect(Object.keys(tree()).map((file) => lstatSync(at(file)).ctimeMs)).toEqual(before);
  });

  test("what changed is replaced, what is no longer made goes with its folder, what is a neighbour's stays", () => {
    run([ts("a"), ts("b"), { path: "src/mcp/servers/deep/x.ts", text: `${header}\n` }, json("access")]);
    put("src/mcp/mine.ts", "mine\n");
    const result = run([ts("a", "new"), json("access")]);
    expect(result).toMatchObject({
      says: [],
      differs: ["src/mcp/files.txt", "src/mcp/roles/a.ts"],
      stale: ["src/mcp/roles/b.ts", "src/mcp/servers/deep/x.ts"],
      unchanged: 1,
    });
    expect(Object.keys(tree())).toEqual([
      "src/mcp/access.json",
      "src/mcp/files.txt",
      "src/mcp/mine.ts",
      "src/mcp/roles/a.ts",
    ]);
    expect(existsSync(at("src/mcp/servers"))).toBe(false);
    expect(text("src/mcp/roles/a.ts")).toContain("new");
  });

  test("a check says the same and leaves no trace", () => {
    run([ts("a"), ts("b")]);
    rmSync(at(".rolecall"), { recursive: true });
    const before = tree();
    expect(run([ts("a", "new"), ts("c")], "check")).toMatchObject({
      missing: ["src/mcp/roles/c.ts"],
      differs: ["src/mcp/files.txt", "src/mcp/roles/a.ts"],
      stale: ["src/mcp/roles/b.ts"],
      says: [],
    });
    expect(run([ts("a"), ts("b")], "check")).toMatchObject({ missing: [], differs: [], stale: [], unchanged: 3 });
    expect(tree()).toEqual(before);
    expect(existsSync(at(".rolecall"))).toBe(false);
  });

  test("artifacts are taken one at a time", () => {
    let alive = 0;
    function* many(): Generator<Artifact> {
      for (let i = 0; i < 20; i++) {
        alive = i;
        yield ts(`r${i}`);
        expect(readdirSync(at(".rolecall")).some((name) => name.startsWith("staging-"))).toBe(true);
      }
    }
    run(many());
    expect(alive).toBe(19);
  });

  test("text of every alphabet and size arrives as it is", () => {
    const big = "é🎉x".repeat(300_000);
    run([json("a", big), json("b", "short"), json("c", "\u00e9")]);
    expect(text("src/mcp/a.json")).toBe(`${big}\n`);
    expect(text("src/mcp/c.json")).toBe("\u00e9\n");
    expect(run([json("a", big), json("b", "short"), json("c", "\u00e9")]).unchanged).toBe(4);
  });

  test("a bug in a target leaves the old output and no litter", () => {
    run([ts("a")]);
    const before = tree();
    function* broken(): Generator<Artifact> {
      yield ts("a", "new");
      throw new Error("a bug");
    }
    expect(() => run(broken())).toThrow("a bug");
    expect(tree()).toEqual(before);
    expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
  });
});

describe("whose file it is", () => {
  /** Arranges, then builds a changed output: nothing may be written. */
  function refused(arrange: () => void, artifacts: Artifact[] = [ts("a", "new"), ts("b"), json("access", "[]")]) {
    arrange();
    const before = tree();
    const result = run(artifacts);
    expect(tree()).toEqual(before);
    expect(result.outputs.size).toBe(0);
    expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
    return result.says;
  }

  test.each<[string, () => void, string]>([
    [
      "a file that was there before us",
      () => put("src/mcp/roles/b.ts", "mine\n"),
      "output/in-the-way `src/mcp/roles/b.ts` is in the way: rolecall didn't write it",
    ],
    [
      "a JSON file that was there before us",
      () => put("src/mcp/access.json", "{}\n"),
      "output/in-the-way `src/mcp/access.json` is in the way: rolecall didn't write it",
    ],
    [
      "a folder in a file's place",
      () => mkdirSync(at("src/mcp/roles/b.ts"), { recursive: true }),
      "output/in-the-way `src/mcp/roles/b.ts` is in the way: it is a folder",
    ],
    ["a file in a folder's place", () => put("src/mcp", "x"), "`src/mcp` is a file, and a folder is needed there"],
    [
      "a link in a file's place",
      () => (
        put("mine.ts", "mine"),
        mkdirSync(at("src/mcp/roles"), { recursive: true }),
        symlinkSync("../../../mine.ts", at("src/mcp/roles/b.ts"))
      ),
      "it is no plain file",
    ],
    [
      "a link that leads out in a folder's place",
      () => (mkdirSync(at("src")), mkdirSync(above("out")), symlinkSync("../../out", at("src/mcp"))),
      "`src/mcp` is a link that leaves the project",
    ],
    [
      "somebody else's files.txt",
      () => put("src/mcp/files.txt", "src/mcp/roles/b.ts\n"),
      "output/in-the-way `src/mcp/files.txt` is in the way: rolecall didn't write it",
    ],
  ])("%s", (_, arrange, wanted) => {
    const says = refused(arrange);
    expect(says.join("\n")).toContain(wanted);
    expect(readdirSync(above("")).includes("out") ? readdirSync(above("out")) : []).toEqual([]);
  });

  test("what somebody edited is written anew or goes, and is named; what the last build left so isn't", () => {
    const first = run([ts("a"), ts("b"), ts("gone"), json("access")]);
    const earlier = {
      made: first.made,
      digestBy: () => undefined,
      left: (file: string) => first.outputs.get(file),
      key: () => undefined,
    };
    for (const file of ["roles/a.ts", "roles/gone.ts", "access.json"])
      put(`src/mcp/${file}`, `${text(`src/mcp/${file}`)}// my note\n`);
    const again = run([ts("a", "new"), ts("b", "new"), json("access", "[]")], "write", { earlier });
    expect(again).toMatchObject({ says: [], stale: ["src/mcp/roles/gone.ts"] });
    expect(again.notes).toEqual([
      "output/overwritten written anew or removed, though what it held is neither committed nor known to be a build's: `src/mcp/access.json`, `src/mcp/roles/a.ts`, `src/mcp/roles/gone.ts`",
    ]);
    expect([text("src/mcp/roles/a.ts"), text("src/mcp/access.json")]).toEqual([
      expect.stringMatching(/"new";\n$/),
      "[]\n",
    ]);
    expect(run([ts("a"), ts("b"), json("access")]).notes.join()).toContain("`src/mcp/roles/b.ts`");
  });

  const MARKED = ["<<<<<<< HEAD\n", "||||||| 1234567\n", "=======\n", ">>>>>>> other\n"] as const;
  test.each<[string, string]>([
    ["markers above everything", `${MARKED[0]}${header}\na\n${MARKED[2]}${header}\nb\n${MARKED[3]}`],
    ["a merge that shows what both began from", `${MARKED[0]}${MARKED[1]}${MARKED[2]}${header}\n${MARKED[3]}`],
    ["a licence above", `/*\n * Copyright\n */\n\n${header}\n`],
    ["CRLF and a byte order mark", `\uFEFF${header}\r\nx\r\n`],
    ["a version in the header", `${header.replace("rolecall.", "rolecall 1.2.3-beta.1.")}\n`],
    [
      "JSON spaced anew, in conflict",
      `{\n${MARKED[0]}\t"$comment" : ${JSON.stringify(header.slice(3))},\n${MARKED[2]}${MARKED[3]}}\n`,
    ],
  ])("it bears our header with %s", (_, content) => {
    put("src/mcp/roles/a.ts", content);
    put("src/mcp/old/b.ts", content);
    expect(run([ts("a")])).toMatchObject({ says: [], stale: ["src/mcp/old/b.ts"] });
    expect(text("src/mcp/roles/a.ts")).toMatch(/"x";\n$/);
  });

  test.each<[string, string]>([
    ["no header", "export const a = 1;\n"],
    ["the header below something of the user's", `export const a = 1;\n${header}\n`],
    ["the header in the middle of a line", `const text = "${header}";\n`],
    ["nothing", ""],
  ])("a file of the user's below `out` is never touched: %s", (_, content) => {
    put("src/mcp/roles/mine.ts", content);
    put("src/mcp/hosts/mine.json", "{}\n");
    expect(run([ts("a")])).toMatchObject({ says: [], stale: [] });
    expect([text("src/mcp/roles/mine.ts"), text("src/mcp/hosts/mine.json")]).toEqual([content, "{}\n"]);
  });

  test("what bears our header and is made by nothing goes, listed or not: a runtime of an earlier version", () => {
    put("src/mcp/runtime/session/call.ts", `${header}\nexport {};\n`);
    put("src/mcp/runtime/mine.ts", "export {};\n");
    expect(run([ts("a")], "check").stale).toEqual(["src/mcp/runtime/session/call.ts"]);
    expect(run([ts("a")])).toMatchObject({ says: [], stale: ["src/mcp/runtime/session/call.ts"] });
    expect(Object.keys(tree())).toEqual(["src/mcp/files.txt", "src/mcp/roles/a.ts", "src/mcp/runtime/mine.ts"]);
  });

  test("nothing is removed behind a link, in another project, in its output or in a folder of another program", () => {
    const content = `${header}\n`;
    mkdirSync(above("out"));
    writeFileSync(above("out/x.ts"), content);
    put("src/mcp/inner/rolecall.yaml", "version: 1\n");
    put("src/mcp/other/files.txt", `${hashHeader}\n`);
    put("src/mine/x.ts", content);
    for (const folder of ["inner", "other", "node_modules", ".git"]) put(`src/mcp/${folder}/deep/x.ts`, content);
    symlinkSync("../../../out", at("src/mcp/linked"));
    symlinkSync("../mine", at("src/mcp/within"));
    symlinkSync("../mine/x.ts", at("src/mcp/file.ts"));
    const before = tree();
    expect(run([ts("a")])).toMatchObject({ says: [], stale: [] });
    expect(tree()).toMatchObject(before);
    expect(existsSync(above("out/x.ts"))).toBe(true);
  });

  test("in the folders of hosts and of editor schemas a name that a build writes is enough", () => {
    const files = [
      "claude-code/a.mcp.json",
      "opencode/gone.json",
      "gemini-cli/gone/servers.txt",
      "opencode/x.json~HEAD",
    ];
    for (const file of files) put(`mcp/hosts/${file}`, "<<<<<<< HEAD\n{}\n");
    put("mcp/schema/old.json", "{}\n");
    put("mcp/hosts/claude-code/notes.md", "mine\n");
    put("mcp/hosts/opencode/deep/x.json", "{}\n");
    const made: Artifact = { path: "mcp/hosts/claude-code/a.mcp.json", text: "{}\n" };
    expect(run([made])).toMatchObject({
      says: [],
      differs: ["mcp/hosts/claude-code/a.mcp.json"],
      stale: files
        .slice(1)
        .map((f) => `mcp/hosts/${f}`)
        .sort(),
    });
    expect(Object.keys(tree())).toEqual([
      "mcp/hosts/claude-code/a.mcp.json",
      "mcp/hosts/claude-code/notes.md",
      "mcp/hosts/opencode/deep/x.json",
      "mcp/schema/old.json",
      "src/mcp/files.txt",
    ]);
  });

  test("a list with the markers of a merge names what both sides do", () => {
    run([ts("a"), json("access")]);
    put(
      "src/mcp/files.txt",
      `<<<<<<< HEAD\n${hashHeader}\nsrc/mcp/access.json\n=======\r\n${hashHeader}\nsrc/mcp/roles/a.ts\n>>>>>>> b\n`,
    );
    put("src/mcp/access.json", "<<<<<<< HEAD\n");
    expect(run([ts("a"), json("access")])).toMatchObject({
      says: [],
      differs: ["src/mcp/access.json", "src/mcp/files.txt"],
    });
  });

  test.each<[string, (list: string) => string]>([
    ["as it was written", (list) => list],
    ["in conflict", (list) => `{\n<<<<<<< HEAD\n${list.slice(2)}=======\n${list.slice(2)}>>>>>>> b\n`],
  ])("the list of an earlier rolecall is taken over once: %s", (_, changed) => {
    const digest = `sha256:${"0".repeat(64)}`;
    const files = { "src/mcp/access.json": digest, "src/mcp/roles/a.ts": digest, "src/mcp/roles/b.ts": digest };
    const keys = { "opencode.json": { "agent/gone": digest } };
    const list = `${JSON.stringify({ format: 1, files, keys, before: { "opencode.json": { "": null } } }, undefined, 2)}\n`;
    put("src/mcp/files.json", changed(list));
    put("src/mcp/access.json", "old\n");
    put("src/mcp/roles/a.ts", "// its header was another\n");
    put("opencode.json", '{ "agent": { "gone": {}, "mine": {} } }\n');
    expect(run([ts("a"), json("access")])).toMatchObject({
      says: [],
      differs: ["opencode.json", "src/mcp/access.json", "src/mcp/roles/a.ts"],
      stale: ["src/mcp/files.json"],
    });
    expect(text("opencode.json")).toBe('{ "agent": { "mine": {} } }\n');
  });

  test("a files.json of somebody's stays", () => {
    put("src/mcp/files.json", '{ "files": 1 }\n');
    expect(run([ts("a")])).toMatchObject({ says: [], stale: [] });
    expect(text("src/mcp/files.json")).toBe('{ "files": 1 }\n');
  });

  test("one with our header is ours even when the list is gone", () => {
    run([ts("a")]);
    rmSync(at("src/mcp/files.txt"));
    expect(run([ts("a", "new")]).says).toEqual([]);
    expect(text("src/mcp/roles/a.ts")).toContain("new");
  });

  test.each(["\n", "\r\n"])("a schema for editors with our header is ours, list or not, with %j", (ending) => {
    const schema = (key: string): Artifact => ({
      path: "mcp/schema/project.json",
      text: `{\n  ${jsonHeader},\n  "${key}": {}\n}\n`,
    });
    run([schema("old")]);
    put("mcp/schema/project.json", text("mcp/schema/project.json").replaceAll("\n", ending));
    rmSync(at("src/mcp"), { recursive: true });
    expect(run([schema("new")]).says).toEqual([]);
    expect(text("mcp/schema/project.json")).toBe(`{\n  ${jsonHeader},\n  "new": {}\n}\n`);
    put("mcp/schema/project.json", `{\n  "title": ${JSON.stringify(jsonHeader)}\n}\n`);
    rmSync(at("src/mcp"), { recursive: true });
    expect(run([{ ...schema("newer"), path: "other/project.json" }]).says).toEqual([]);
  });

  test("a stale file without our header was taken over by somebody, and stays", () => {
    run([ts("a"), ts("b")]);
    put("src/mcp/roles/b.ts", "mine now\n");
    expect(run([ts("a")]).says).toEqual([]);
    expect(text("src/mcp/roles/b.ts")).toBe("mine now\n");
  });

  test("a list that names too much harms nothing", () => {
    writeFileSync(above("victim.json"), "{}\n");
    const mine = ["mine.ts", ".git/config.json", "mcp/servers.yaml", "src/mcp/mine.ts", "docs/access.json"];
    for (const file of mine) put(file, "{}\n");
    put("src/mcp/files.txt", [hashHeader, "../victim.json", above("victim.json"), ...mine, ""].join("\n"));
    expect(run([ts("a")])).toMatchObject({ says: [], stale: [] });
    expect(existsSync(above("victim.json"))).toBe(true);
    for (const file of mine) expect(text(file)).toBe("{}\n");
  });

  test("a checkout that turned LF into CRLF is no edit, and counts as up to date", () => {
    run([ts("a"), json("access")]);
    for (const file of Object.keys(tree())) put(file, text(file).replaceAll("\n", "\r\n"));
    expect(run([ts("a"), json("access")], "check")).toMatchObject({ differs: [], missing: [] });
    expect(run([ts("a", "new"), json("access")]).says).toEqual([]);
  });
});
