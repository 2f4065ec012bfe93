import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { header, jsonHeader } from "../compiler/4-artifacts/header.ts";
import type { Artifact } from "../compiler/4-artifacts/types.ts";
import { above, at, json, put, run, text, tree, ts, newFolderForEachTest } from "./support/output-folder.ts";

newFolderForEachTest();

describe("writing output", () => {
  test("writes files and a list of them, sorted, without itself", () => {
    const result = run([ts("b"), json("access"), ts("a")]);
    expect(result).toMatchObject({
      says: [],
      unchanged: 0,
      missing: ["src/mcp/access.json", "src/mcp/files.json", "src/mcp/roles/a.ts", "src/mcp/roles/b.ts"],
    });
    const list = JSON.parse(text("src/mcp/files.json"));
    expect(list.format).toBe(1);
    expect(Object.keys(list.files)).toEqual(["src/mcp/access.json", "src/mcp/roles/a.ts", "src/mcp/roles/b.ts"]);
    expect(list.files["src/mcp/access.json"]).toBe(result.outputs.get("src/mcp/access.json"));
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
      differs: ["src/mcp/files.json", "src/mcp/roles/a.ts"],
      stale: ["src/mcp/roles/b.ts", "src/mcp/servers/deep/x.ts"],
      unchanged: 1,
    });
    expect(Object.keys(tree())).toEqual([
      "src/mcp/access.json",
      "src/mcp/files.json",
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
      differs: ["src/mcp/files.json", "src/mcp/roles/a.ts"],
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
      "somebody else's files.json",
      () => put("src/mcp/files.json", '{"mine":1}'),
      "output/in-the-way `src/mcp/files.json` is in the way: rolecall didn't write it",
    ],
    [
      "a files.json with the marks of a merge",
      () => put("src/mcp/files.json", "<<<<<<< ours\n"),
      "output/edited `src/mcp/files.json` isn't as rolecall wrote it: it isn't valid JSON",
    ],
  ])("%s", (_, arrange, wanted) => {
    const says = refused(arrange);
    expect(says.join("\n")).toContain(wanted);
    expect(readdirSync(above("")).includes("out") ? readdirSync(above("out")) : []).toEqual([]);
  });

  test("one that somebody edited, listed or stale", () => {
    run([ts("a"), ts("gone"), json("access")]);
    const says = refused(() => {
      for (const file of ["roles/a.ts", "roles/gone.ts", "access.json"])
        put(`src/mcp/${file}`, `${text(`src/mcp/${file}`)}// my note\n`);
    });
    expect(says).toEqual([
      "output/edited `src/mcp/access.json` isn't as rolecall wrote it: somebody changed it",
      "output/edited `src/mcp/roles/a.ts` isn't as rolecall wrote it: somebody changed it",
      "output/edited `src/mcp/roles/gone.ts` isn't as rolecall wrote it: somebody changed it, and no source makes it any more",
    ]);
    for (const file of ["roles/a.ts", "roles/gone.ts", "access.json"]) rmSync(at(`src/mcp/${file}`));
    expect(run([ts("a", "new"), json("access", "[]")]).says).toEqual([]);
  });

  test("one with our header is ours even when the list is gone", () => {
    run([ts("a")]);
    rmSync(at("src/mcp/files.json"));
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
    expect(run([schema("newer")]).says).toEqual([
      "output/in-the-way `mcp/schema/project.json` is in the way: rolecall didn't write it",
    ]);
  });

  test("a stale file without our header was taken over by somebody, and stays", () => {
    run([ts("a"), ts("b")]);
    put("src/mcp/roles/b.ts", "mine now\n");
    expect(run([ts("a")]).says).toEqual([]);
    expect(text("src/mcp/roles/b.ts")).toBe("mine now\n");
  });

  test("a list can't make us remove what isn't ours", () => {
    writeFileSync(above("victim.json"), "{}\n");
    put("mine.ts", "{}\n");
    put(".git/config.json", "{}\n");
    const digest = `sha256:${"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"}`;
    put(
      "src/mcp/files.json",
      JSON.stringify({
        format: 1,
        files: {
          "../victim.json": digest,
          "mine.ts": digest,
          ".git/config.json": digest,
          [above("victim.json")]: digest,
        },
      }),
    );
    expect(run([ts("a")]).says).toEqual([]);
    expect([existsSync(above("victim.json")), existsSync(at("mine.ts")), existsSync(at(".git/config.json"))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("a checkout that turned LF into CRLF is no edit, and counts as up to date", () => {
    run([ts("a"), json("access")]);
    for (const file of Object.keys(tree())) put(file, text(file).replaceAll("\n", "\r\n"));
    expect(run([ts("a"), json("access")], "check")).toMatchObject({ differs: [], missing: [] });
    expect(run([ts("a", "new"), json("access")]).says).toEqual([]);
  });
});

describe("a block in a file of the user's", () => {
  const block = (...lines: string[]): Artifact => ({ path: ".env.example", block: lines, comment: "#" });

  test("is kept up to date; the file, its rights and its link stay", () => {
    put("config/env", "MINE=1\n");
    symlinkSync("config/env", at(".env.example"));
    expect(run([block("A=")]).differs).toEqual([".env.example"]);
    expect(run([block("A=")])).toMatchObject({ differs: [], missing: [] });
    expect(text("config/env")).toBe("MINE=1\n\n# >>> rolecall >>>\nA=\n# <<< rolecall <<<\n");
    expect(lstatSync(at(".env.example")).isSymbolicLink()).toBe(true);
    expect(statSync(at("config/env")).mode & 0o777).toBe(statSync(at("config/env")).mode & 0o777);
    expect(Object.keys(JSON.parse(text("src/mcp/files.json")).files)).toEqual([]);
    expect(run([block("A=", "B=")], "check").differs).toEqual([".env.example"]);
  });

  test.each<[string, string, () => void]>([
    ["a file that we make", "src/mcp/roles/a.ts", () => {}],
    ["our list", "src/mcp/files.json", () => {}],
    ["a link to a file that we make", ".env.example", () => symlinkSync("src/mcp/roles/a.ts", at(".env.example"))],
  ])("isn't put into %s", (_, file, arrange) => {
    run([ts("a")]);
    arrange();
    const before = tree();
    for (const artifacts of [
      [ts("a", "new"), { ...block("A="), path: file }],
      [{ ...block("A="), path: file }, ts("a", "new")],
    ])
      expect(run(artifacts).says).toEqual([
        `output/broken-block the rolecall block in \`${file}\` can't be kept up to date: rolecall writes the whole of that file itself`,
      ]);
    expect(tree()).toEqual(before);
  });

  test.each([
    ["half a marker", () => put(".env.example", "# >>> rolecall >>>\nA=\n")],
    ["no UTF-8", () => writeFileSync(at(".env.example"), Buffer.from([0xff, 0xfe, 0x41, 0]))],
    [
      "a link that leaves the project",
      () => (writeFileSync(above("env"), ""), symlinkSync("../env", at(".env.example"))),
    ],
    ["a folder", () => mkdirSync(at(".env.example"))],
  ])("refuses %s and writes nothing at all", (_, arrange) => {
    arrange();
    const result = run([ts("a"), block("A=")]);
    expect(result.says).toEqual([
      expect.stringMatching(/^output\/broken-block the rolecall block in `\.env\.example`/),
    ]);
    expect(existsSync(at("src"))).toBe(false);
  });
});
