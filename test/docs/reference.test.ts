import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.ts";
import { referenceGaps, referencePage } from "../../scripts/reference-page.ts";
import { ROOT } from "../support/root.ts";

describe("docs/reference.md", () => {
  const page = referencePage();

  test("is up to date: node scripts/run.mjs scripts/write-reference.ts makes it again", () => {
    expect(readFileSync(path.join(ROOT, "docs", "reference.md"), "utf8")).toBe(page);
  });

  test("says something of every key, once, and of nothing else", () => expect(referenceGaps()).toEqual([]));

  test("has every code, with its severity", () => {
    const rows = Object.entries(catalogue).map(([code, { severity }]) => `| \`${code}\` | ${severity}`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test("its tables are tables: every row has as many cells as its head", () => {
    const widths = page
      .split("\n\n")
      .filter((part) => part.startsWith("|"))
      .map((part) =>
        part
          .trim()
          .split("\n")
          .map((row) => row.match(/(?<!\\)\|/g)!.length),
      );
    expect(widths.filter((rows) => new Set(rows).size !== 1)).toEqual([]);
    expect(widths.length).toBeGreaterThan(20);
  });
});
