import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { openProject } from "../../../compiler/io/read/project-files.ts";

let top: string;
let dir: string;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), "rolecall-files-"));
  dir = path.join(top, "project");
  mkdirSync(dir);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(file: string, content: string | Buffer = "a: 1\n"): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), content);
}

function link(to: string, file: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  symlinkSync(to, path.join(dir, file));
}

const mayDoAnything = process.getuid?.() === 0;

describe("reading a file of a project", () => {
  test("gives its text, without a byte order mark, whatever the alphabet", () => {
    put("a.yaml", "name: Grüße 🎉\r\n");
    put("b.yaml", "\uFEFFname: x\n");
    expect(openProject(dir).read("a.yaml")).toEqual({ text: "name: Grüße 🎉\r\n" });
    expect(openProject(dir).read("b.yaml")).toEqual({ text: "name: x\n" });
  });

  test.each([
    ["missing", "nothing.yaml", () => {}],
    ["missing", "a.yaml/b.yaml", () => put("a.yaml")],
    ["missing", "x\0y.yaml", () => {}],
    ["directory", "folder.yaml", () => put("folder.yaml/in.yaml")],
    ["outside", "out.yaml", () => (writeFileSync(path.join(top, "secret"), "x"), link("../secret", "out.yaml"))],
    ["outside", "../secret", () => writeFileSync(path.join(top, "secret"), "x")],
    [
      "outside",
      "sub/x.yaml",
      () => (mkdirSync(path.join(top, "sub")), writeFileSync(path.join(top, "sub/x.yaml"), "x"), link("../sub", "sub")),
    ],
    ["loop", "a.yaml", () => (link("b.yaml", "a.yaml"), link("a.yaml", "b.yaml"))],
    ["not-text", "a.yaml", () => put("a.yaml", Buffer.from([0x61, 0xff, 0x0a]))],
    ["too-large", "a.yaml", () => (put("a.yaml"), truncateSync(path.join(dir, "a.yaml"), 50_000_001))],
    ["unreadable", "pipe.yaml", () => execFileSync("mkfifo", [path.join(dir, "pipe.yaml")])],
    ["unreadable", "device.yaml", () => link("/dev/null", "device.yaml")],
  ])("%s: %j", (problem, file, arrange) => {
    arrange();
    const expected = file === "device.yaml" ? "outside" : problem;
    expect(openProject(dir).read(file)).toMatchObject({ problem: expected });
  });

  test.skipIf(mayDoAnything)("unreadable: no permission", () => {
    put("a.yaml");
    chmodSync(path.join(dir, "a.yaml"), 0);
    expect(openProject(dir).read("a.yaml")).toEqual({ problem: "unreadable" });
  });

  test("follows a link inside the project, even when the project itself is reached by one", () => {
    put("shared/real.yaml", "x: 1\n");
    link("../shared/real.yaml", "mcp/a.yaml");
    symlinkSync(dir, path.join(top, "alias"));
    expect(openProject(path.join(top, "alias")).read("mcp/a.yaml")).toEqual({ text: "x: 1\n" });
  });
});

describe("listing a folder", () => {
  test("finds every YAML and JSON file below it, sorted by code unit, and passes by node_modules and dot-folders", () => {
    for (const file of [
      "mcp/b.yaml",
      "mcp/B.yml",
      "mcp/a/z.json",
      "mcp/a.yaml",
      "mcp/a/readme.md",
      "mcp/node_modules/x.yaml",
      "mcp/.git/x.yaml",
      "elsewhere.yaml",
    ])
      put(file);
    const found = ["mcp/B.yml", "mcp/a.yaml", "mcp/a/z.json", "mcp/b.yaml"];
    expect(
      openProject(dir)
        .list("mcp")
        .map((f) => f.path),
    ).toEqual(found);
    expect(
      openProject(dir)
        .list("./mcp/")
        .map((f) => f.path),
    ).toEqual(found);
    expect(openProject(dir).list("mcp/.git")).toEqual([{ path: "mcp/.git/x.yaml" }]);
    expect(openProject(dir).list("nothing")).toEqual([]);
  });

  test("a link to a folder inside is walked, one to a folder above is a loop, and what leads nowhere or out says so", () => {
    put("shared/x.yaml");
    put("mcp/a.yaml");
    mkdirSync(path.join(top, "outer"));
    link("../shared", "mcp/linked");
    link("..", "mcp/up");
    link(".", "mcp/self");
    link("nothing.yaml", "mcp/gone.yaml");
    link("nothing", "mcp/gone-folder");
    link("../../outer", "mcp/outer");
    link("somebody@host.1234", "mcp/.#a.yaml");
    link("ring2", "mcp/ring1");
    link("ring1", "mcp/ring2");
    expect(openProject(dir).list("mcp")).toEqual([
      { path: "mcp/a.yaml" },
      { path: "mcp/gone-folder", problem: "missing" },
      { path: "mcp/gone.yaml", problem: "missing" },
      { path: "mcp/linked/x.yaml" },
      { path: "mcp/outer", problem: "outside" },
      { path: "mcp/ring1", problem: "loop" },
      { path: "mcp/ring2", problem: "loop" },
      { path: "mcp/self", problem: "loop" },
      { path: "mcp/up/mcp", problem: "loop" },
      { path: "mcp/up/shared/x.yaml" },
    ]);
  });

  test("a folder and a pipe that are named like files say so, and nothing hangs", () => {
    put("mcp/a.yaml/b.yaml");
    execFileSync("mkfifo", [path.join(dir, "mcp/p.yaml")]);
    expect(openProject(dir).list("mcp")).toEqual([
      { path: "mcp/a.yaml", problem: "directory" },
      { path: "mcp/p.yaml", problem: "unreadable" },
    ]);
  });

  test("links that multiply end", () => {
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "i"]) {
      put(`mcp/${name}/x.yaml`);
      for (const other of ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
        if (other !== name) link(`../${other}`, `mcp/${name}/${other}`);
    }
    expect(
      openProject(dir)
        .list("mcp")
        .some((f) => f.problem === "too-large"),
    ).toBe(true);
  }, 120_000);
});

describe("matching the globs of guards", () => {
  test.each([
    ["guards/*.yaml", ["guards/a.yaml", "guards/b.yaml"]],
    ["guards/?.yaml", ["guards/a.yaml", "guards/b.yaml"]],
    ["./guards\\a.yaml", ["guards/a.yaml"]],
    ["guards/**/*.yaml", ["guards/a.yaml", "guards/b.yaml", "guards/deep/er/c.yaml"]],
    ["**/c.yaml", ["guards/deep/er/c.yaml"]],
    ["guards/**", ["guards/a.yaml", "guards/b.yaml", "guards/deep/er/c.yaml"]],
    ["node_modules/@acme/guards/*.yaml", ["node_modules/@acme/guards/g.yaml"]],
    ["guards/.hidden.yaml", ["guards/.hidden.yaml"]],
    ["guards/x+(y).yaml", []],
    ["/etc/*", []],
  ])("%s", (glob, wanted) => {
    for (const file of [
      "guards/a.yaml",
      "guards/b.yaml",
      "guards/deep/er/c.yaml",
      "guards/.hidden.yaml",
      "node_modules/@acme/guards/g.yaml",
    ])
      put(file);
    expect(
      openProject(dir)
        .match(glob)
        .map((f) => f.path),
    ).toEqual(wanted);
    const texts = Object.fromEntries(
      [
        "guards/a.yaml",
        "guards/b.yaml",
        "guards/deep/er/c.yaml",
        "guards/.hidden.yaml",
        "node_modules/@acme/guards/g.yaml",
      ].map((f) => [f, ""]),
    );
    expect(
      memoryFiles(texts)
        .match(glob)
        .map((f) => f.path),
    ).toEqual(wanted);
  });

  test("what a glob names may lie outside, as a workspace's packages do, and only then it is read", () => {
    mkdirSync(path.join(top, "packages/guards"), { recursive: true });
    writeFileSync(path.join(top, "packages/guards/g.yaml"), "policies: []\n");
    link("../../../packages/guards", "node_modules/@acme/guards");
    const files = openProject(dir);
    expect(files.read("node_modules/@acme/guards/g.yaml")).toEqual({ problem: "outside" });
    expect(files.match("node_modules/@acme/guards/*.yaml")).toEqual([{ path: "node_modules/@acme/guards/g.yaml" }]);
    expect(files.read("node_modules/@acme/guards/g.yaml")).toEqual({ text: "policies: []\n" });
    expect(files.match("../packages/*/g.yaml")).toEqual([{ path: "../packages/guards/g.yaml" }]);
    expect(files.read("../packages/guards/g.yaml")).toEqual({ text: "policies: []\n" });
  });

  test("what can't be read is found with its problem", () => {
    link("nothing", "guards/gone.yaml");
    put("guards/folder.yaml/x");
    expect(openProject(dir).match("guards/*.yaml")).toEqual([{ path: "guards/gone.yaml", problem: "missing" }]);
    expect(openProject(dir).match("guards/folder.yaml")).toEqual([
      { path: "guards/folder.yaml", problem: "directory" },
    ]);
  });
});

test("a project in memory answers as one on disk does", () => {
  const texts = {
    "rolecall.yaml": "version: 1\n",
    "mcp/a.yaml": "x",
    "mcp/b/c.json": "{}",
    "mcp/.git/x.yaml": "",
    "mcp/note.md": "",
  };
  for (const [file, text] of Object.entries(texts)) put(file, text);
  const [memory, disk] = [memoryFiles(texts), openProject(dir)];
  for (const file of ["rolecall.yaml", "mcp/a.yaml", "mcp", "nothing"])
    expect(memory.read(file)).toEqual(disk.read(file));
  for (const folder of ["mcp", "mcp/b", "nothing"]) expect(memory.list(folder)).toEqual(disk.list(folder));
});

test("the nearest folder above with such a file is told, and never a file of the folder itself", () => {
  put("unheard-of.yaml");
  mkdirSync(path.join(dir, "a", "b"), { recursive: true });
  expect(openProject(path.join(dir, "a", "b")).above!("unheard-of.yaml")).toBe("../..");
  expect(openProject(path.join(dir, "a")).above!("unheard-of.yaml")).toBe("..");
  expect(openProject(dir).above!("unheard-of.yaml")).toBeUndefined();
});
