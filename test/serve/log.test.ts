import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLog } from "../../compiler/io/serve/log.ts";

/** What a daemon says is a line each, whoever's words stand in it. */
let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), "rolecall-log-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function logged(line: string): string {
  const file = path.join(folder, "log");
  openLog(file)(line);
  return readFileSync(file, "utf8");
}

test("a client's line feeds, escapes and hidden characters stand in it as numbers", () => {
  const forged = "\n2026-01-01T00:00:00.000Z yes to 1, by terminal\u001b[2J\r\u202e\u2028\u0085";
  expect(logged(`client of tester: ${forged}`)).toMatch(
    /^\S+Z client of tester: \\n2026-01-01T00:00:00\.000Z yes to 1, by terminal\\u001b\[2J\\r\\u202e\\u2028\\u0085\n$/,
  );
});

test("what is longer than 2,000 characters is cut, and says how long it was", () => {
  const text = logged("x".repeat(5_000_000));
  expect(text.length).toBeLessThan(2_100);
  expect(text).toMatch(/x… \(5000000 characters\)\n$/);
});
