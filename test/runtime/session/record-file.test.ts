import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appendLines } from "../../../runtime/session/record-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rolecall-record-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What lies in the folder of the record then. */
function recordIn(named: string, run = "r1"): string[] {
  appendLines(join(folder, named, run, "calls.jsonl"), "{}\n");
  return readdirSync(join(folder, named)).toSorted();
}

test("the usual folder ignores itself where a record makes it", () => {
  expect(recordIn(".runs")).toEqual([".gitignore", "r1"]);
  expect(readFileSync(join(folder, ".runs/.gitignore"), "utf8")).toBe("*\n");
});

test("also where the folder above it is made with it", () => {
  expect(recordIn("var/.runs")).toEqual([".gitignore", "r1"]);
  expect(readdirSync(join(folder, "var"))).toEqual([".runs"]);
});

test("not again where a person took that out", () => {
  recordIn(".runs");
  rmSync(join(folder, ".runs/.gitignore"));
  expect(recordIn(".runs", "r2")).toEqual(["r1", "r2"]);
});

test("not where a person made the folder", () => {
  mkdirSync(join(folder, ".runs"));
  expect(recordIn(".runs")).toEqual(["r1"]);
});

test("not a folder of another name: a person chose it", () => {
  expect(recordIn("records")).toEqual(["r1"]);
});

test("a folder that can't be made is the record's problem, as it was", () => {
  writeFileSync(join(folder, ".runs"), "a file");
  expect(() => recordIn(".runs")).toThrow(/ENOTDIR|EEXIST/);
});
