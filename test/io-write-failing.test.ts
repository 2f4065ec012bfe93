import { existsSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { header } from "../compiler/4-artifacts/header.ts";
import type { Artifact } from "../compiler/4-artifacts/types.ts";
import { above, at, put, run, tree, ts, newFolderForEachTest } from "./support/output-folder.ts";

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
});
