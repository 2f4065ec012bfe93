import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type StatSyncOptions,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { header } from "../../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { buildAnew } from "../../../compiler/cli/compiling.ts";
import { lock } from "../../../compiler/io/write/lock.ts";
import { makeWorkFolder, writeOwnNote } from "../../../compiler/io/remember/work-folder.ts";
import { above, at, newFolderForEachTest, put, run, text, tree, ts } from "../../support/output-folder.ts";

newFolderForEachTest();

describe("when it can't be written", () => {
  test("a name that is too long: nothing is changed", () => {
    run([ts("a")]);
    const before = tree();
    const result = run([ts("a", "new"), { path: `src/mcp/${"x".repeat(300)}/y.ts`, text: "x\n" }]);
    expect(result.says.join()).toMatch(/^output\/(?:cannot-write|in-the-way) /);
    expect(tree()).toEqual(before);
  });

  test("a `.rolecall` that is no folder", () => {
    symlinkSync(above(""), at(".rolecall"));
    expect(run([ts("a")]).says).toEqual([
      expect.stringContaining(
        "output/cannot-write `.rolecall` can't be written: a file or link stands where a folder is needed",
      ),
    ]);
    expect(existsSync(at("src"))).toBe(false);
  });

  test("what fails while files go into place is taken back", () => {
    run([ts("a"), ts("b"), ts("stale")]);
    const before = tree();
    function* late(): Generator<Artifact> {
      yield ts("a", "new");
      yield { path: "src/mcp/roles2/b.ts", text: `${header}\n` };
      yield ts("b", "new");
      // Somebody puts a file where the build is about to need a folder.
      put("src/mcp/roles2", "mine");
    }
    const result = run(late());
    expect(result.says).toEqual([expect.stringMatching(/^output\/cannot-write `src\/mcp\/roles2\/b\.ts`/)]);
    expect(tree()).toEqual({ ...before, "src/mcp/roles2": "mine" });
    expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
  });
});

test("times of files don't matter", () => {
  run([ts("a")]);
  utimesSync(at("src/mcp/roles/a.ts"), 0, 0);
  expect(run([ts("a")])).toMatchObject({ unchanged: 2, differs: [] });
});

describe("what an earlier build left", () => {
  test("a journal that came with the repository moves nothing", () => {
    put(".rolecall/staging-evil/0", "evil");
    put(
      ".rolecall/staging-evil/journal",
      `1 2\n${JSON.stringify([{ file: "src/index.ts", staged: "0", before: undefined }])}`,
    );
    expect(run([ts("a")]).says).toEqual([]);
    expect(existsSync(at("src/index.ts"))).toBe(false);
    expect(existsSync(at(".rolecall/staging-evil"))).toBe(false);
  });

  test("a lock of a process that is gone doesn't hold anybody up", () => {
    put(".rolecall/lock", "999999999\n");
    const began = performance.now();
    expect(run([ts("a")]).says).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test.runIf(existsSync("/proc/self/stat"))("a lock whose number another process has by now doesn't either", () => {
    put(".rolecall/lock", `${process.ppid} 1\n`);
    const began = performance.now();
    expect(run([ts("a")]).says).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(readdirSync(at(".rolecall"))).toEqual([]);
  });

  test("a lock that names nobody holds a build up for a second, and no longer", () => {
    put(".rolecall/lock", "");
    put(".rolecall/lock.new-999999999", "");
    const began = performance.now();
    expect(run([ts("a")]).missing).toContain("src/mcp/roles/a.ts");
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(existsSync(at(".rolecall/lock")) || existsSync(at(".rolecall/lock.new-999999999"))).toBe(false);
  });

  test("a lock says which process holds it, and since when", () => {
    const unlock = lock(at(""));
    expect(text(".rolecall/lock")).toMatch(existsSync("/proc/self/stat") ? /^\d+ \d+\n$/ : /^\d+\n$/);
    expect(text(".rolecall/lock").startsWith(`${process.pid}`)).toBe(true);
    unlock();
    expect(existsSync(at(".rolecall/lock"))).toBe(false);
  });
});

test("two first builds may make .rolecall at the same moment", () => {
  const look = fs.lstatSync;
  // The other one's folder appears between our look and our making it.
  const racing = (file: string, options: StatSyncOptions) => {
    const found = look(file, options);
    if (file === at(".rolecall") && found === undefined) mkdirSync(file);
    return found;
  };
  Object.assign(fs, { lstatSync: racing });
  syncBuiltinESMExports();
  try {
    expect(makeWorkFolder(at(""))).toBe(at(".rolecall"));
  } finally {
    Object.assign(fs, { lstatSync: look });
    syncBuiltinESMExports();
  }
  expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
});

test("a project's folder that is gone isn't made again for .rolecall", () => {
  expect(() => makeWorkFolder(at("gone"))).toThrow("ENOENT");
  expect(existsSync(at("gone"))).toBe(false);
});

describe("a build that died while files went into place", () => {
  const died = (files: Readonly<Record<string, string>>) => {
    const folder = path.join(makeWorkFolder(at("")), "staging-died");
    mkdirSync(folder);
    const changes = Object.entries(files).map(([file, content], i) => {
      writeFileSync(path.join(folder, String(i)), content);
      return { file, staged: String(i) };
    });
    writeOwnNote(path.join(folder, "journal"), () => JSON.stringify(changes));
  };
  const how = { check: false, cache: true } as const;

  test("is finished by the next, also when that one finds an error in a source", () => {
    put("rolecall.yaml", "version: 1\nproject: harbor\nroles: { a: { tools: { nobody: all } } }\n");
    died({ "src/mcp/a.ts": "new\n", "src/mcp/b.ts": "new\n" });
    expect(buildAnew(at(""), { ...how, check: true }).outcome).toBeUndefined();
    expect(existsSync(at("src/mcp/a.ts"))).toBe(false);
    expect(buildAnew(at(""), how).outcome).toBeUndefined();
    expect([text("src/mcp/a.ts"), text("src/mcp/b.ts")]).toEqual(["new\n", "new\n"]);
    expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
  });

  test("and can't be finished: that is said once, and nothing is written", () => {
    mkdirSync(at("mcp"));
    put("rolecall.yaml", "version: 1\nproject: harbor\n");
    put("src", "a file where a folder is needed\n");
    died({ "src/mcp/a.ts": "new\n" });
    const built = buildAnew(at(""), how);
    expect(built.outcome).toBeUndefined();
    expect(built.diagnostics.map((d) => d.code)).toEqual(["output/cannot-write"]);
  });
});

test.each(["write", "check"] as const)(
  "in the middle of a merge a git that gives no answer stops a %s: what a side dropped would stay",
  (mode) => {
    run([ts("a")]);
    const list = text("src/mcp/files.txt");
    put(".git/HEAD", "ref: refs/heads/main\n");
    put(".git/MERGE_HEAD", "");
    expect(run([ts("a", "new")], mode).says).toEqual([
      "output/cannot-write `src/mcp/files.txt` can't be written: git doesn't say what both sides of the merge that waits here had",
    ]);
    expect(text("src/mcp/files.txt")).toBe(list);
    rmSync(at(".git"), { recursive: true });
    expect(run([ts("a", "new")], mode).says).toEqual([]);
  },
);
