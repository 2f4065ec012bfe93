import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readVariables } from "../../compiler/io/serve/variables.ts";

/** The file of variables may come with somebody's commit, as a link to whatever there is. */
let dir: string;
beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), "rolecall-variables-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (isWritten = false) => readVariables(dir, { file: ".env", isWritten }, { A: "environment" });
const at = (): string => path.join(dir, ".env");

test.each<[what: string, make: () => void, why: string]>([
  ["a folder", () => mkdirSync(at()), "it is a folder"],
  // Never waited for, and no end of it.
  ["a pipe", () => execFileSync("mkfifo", [at()]), "it is no file"],
  ["a device", () => symlinkSync("/dev/zero", at()), "it is no file"],
  ["a link that leads nowhere", () => symlinkSync("nowhere", at()), "ENOENT"],
  [
    "a file of 51 MB",
    () => {
      writeFileSync(at(), "");
      truncateSync(at(), 51_000_000);
    },
    "it is larger than 50 MB",
  ],
])("%s is none", (_, make, why) => {
  make();
  expect(() => read(true)).toThrow(expect.objectContaining({ says: expect.stringContaining(`(${why})`) as string }));
});

test("what isn't there is none where nobody named it", () => {
  expect(read().env).toEqual({ A: "environment" });
  writeFileSync(at(), "A=file\n");
  expect([read().env, read().from("A")]).toEqual([{ A: "file" }, "file"]);
});
