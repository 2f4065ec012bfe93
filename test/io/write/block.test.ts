import { existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hashHeader } from "../../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { above, at, newFolderForEachTest, put, run, text, tree, ts } from "../../support/output-folder.ts";

newFolderForEachTest();

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
    expect(text("src/mcp/files.txt")).toBe(`${hashHeader}\n`);
    expect(run([block("A=", "B=")], "check").differs).toEqual([".env.example"]);
  });

  test.each<[string, string, () => void]>([
    ["a file that we make", "src/mcp/roles/a.ts", () => {}],
    ["our list", "src/mcp/files.txt", () => {}],
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
