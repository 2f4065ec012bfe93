import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fc } from "../../support/generated.ts";
import { afterAll, expect, test } from "vitest";
import { openCommit } from "../../../compiler/io/read/commit-files.ts";
import { openProject } from "../../../compiler/io/read/project-files.ts";
import type { FileAnswer, ListedFile, SourceFiles } from "../../../compiler/1-source/types.ts";
import { cloneOf, newGitProject, openGitProject, temporaryFolder } from "../../support/git-project.ts";

/** A commit and a checkout of it are one project: the same files are found, with the same texts and problems. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const NAMES = [
  "a.yaml",
  "B.YAML",
  "c.json",
  "deny",
  "d.guard",
  ".e.yaml",
  ".f",
  "node_modules",
  "g",
  "h.yml",
  "é.yaml",
];
const name = fc.constantFrom(...NAMES);
const place = fc.tuple(fc.constantFrom("mcp", "guards", "", "../beside"), fc.array(name, { maxLength: 2 }), name);
const file = place.map(([top, between, last]) => [top, ...between, last].filter((one) => one !== "").join("/"));
const target = fc.oneof(
  file,
  file.map((one) => `../${one}`),
  fc.constantFrom("..", ".", "../../..", "g", "../mcp", "../guards/g"),
);
const thing = fc.oneof(
  { weight: 3, arbitrary: fc.record({ file, text: fc.constantFrom("a: 1\n", "\ufeffb: 2\n", "", "\u00e9") }) },
  { weight: 2, arbitrary: fc.record({ file, target }) },
);
const GLOBS = [
  "guards/*",
  "guards/**",
  "**/*.yaml",
  "./guards//?.yaml",
  "../beside/*",
  "../*/a.yaml",
  "mcp/**/g/*",
  "g/deny",
  "*",
];

function told(files: SourceFiles): unknown {
  const answer = (listed: readonly ListedFile[]): readonly [ListedFile, FileAnswer][] =>
    listed.map((one) => [one, files.read(one.path)]);
  const matched = GLOBS.map((glob) => answer(files.match(glob)));
  const listed = ["mcp", "guards", "mcp/g", "missing"].map((one) => [
    answer(files.list(one)),
    answer(files.others(one)),
  ]);
  const read = [...NAMES, "mcp", "mcp/a.yaml", "guards/g/c.json", "../beside/a.yaml", "mcp/../deny", "deny/"].map(
    (one) => files.read(one),
  );
  return { matched, listed, read };
}

test("random trees of files and links", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fc.array(thing, { maxLength: 14 }), fc.constantFrom("a/b/c/d", "apps/x/y/bot"), (things, where) => {
      folders.push(temporaryFolder());
      const project = newGitProject(folders.at(-1)!, "p", { ".gitignore": "h.yml\n" });
      const at = (one: string) => path.join(project.dir, where, one);
      mkdirSync(at("."), { recursive: true });
      for (const one of things) {
        try {
          if ("text" in one) openGitProject(at(".")).write({ [one.file]: one.text });
          else {
            mkdirSync(path.dirname(at(one.file)), { recursive: true });
            symlinkSync(one.target, at(one.file));
          }
        } catch {
          // Something of another kind lies there.
        }
      }
      openGitProject(at(".")).write({ "rolecall.yaml": "version: 1\n" });
      project.commit("all");
      const dir = path.relative(project.dir, at("."));
      const checkout = path.join(cloneOf(project, "checkout").dir, dir);
      const commit = openCommit(at("."), project.git("rev-parse", "HEAD").trim());
      expect(told(commit)).toEqual(told(openProject(checkout)));
      expect(commit.lacks()).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("a link that leaves the repository is told: what it leads to isn't part of the commit", () => {
  folders.push(temporaryFolder());
  const project = newGitProject(folders.at(-1)!, "p", { "mcp/a.yaml": "{}\n" });
  symlinkSync("/etc", project.at("guards"));
  symlinkSync("../../../a.yaml", project.at("mcp/b.yaml"));
  project.commit("all");
  const commit = openCommit(project.dir, "HEAD");
  expect([commit, openProject(project.dir)].map((files) => files.read("guards/"))).toEqual([
    { problem: "outside" },
    { problem: "outside" },
  ]);
  expect(commit.match("guards/*.yaml")).toEqual([{ path: "guards", problem: "outside" }]);
  expect(commit.list("mcp")).toEqual([{ path: "mcp/a.yaml" }, { path: "mcp/b.yaml", problem: "outside" }]);
});
