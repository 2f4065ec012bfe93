import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { issuedToken } from "../../compiler/base/secret-patterns.ts";
import { ROOT } from "../support/root.ts";

/** The project keeps to its own rule: nothing that is committed looks like a token, but for the tests of the rule. */
const ABOUT_SECRETS = /^test\/(cases\/diagnostics\/server\/literal-secret|cases\/mistakes\/secret|base\/secrets)/;

function tracked(): string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
}

test("no file of the repository holds a token", () => {
  const files = tracked().filter((file) => !ABOUT_SECRETS.test(file) && !/\.(png|tgz)$/.test(file));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const token = issuedToken(readFileSync(path.join(ROOT, file), "utf8"));
    return token === undefined ? [] : [`${file}: ${token.slice(0, 4)}…`];
  });
  expect(found).toEqual([]);
});
