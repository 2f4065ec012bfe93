import { expect, test } from "vitest";
import { askPage, isFolded } from "../../compiler/cli/asks/page.ts";
import type { BuildItem } from "../../compiler/serve/inbox-lines.ts";

/** What a build opens is seen by who says yes to it, however long it is. */

const item = (after: readonly string[]): BuildItem => ({
  kind: "build",
  id: "b1",
  hash: "sha256:00",
  changes: [{ direction: "widens", kind: "condition", role: "r", server: "s", tool: "t", before: ["a"], after }],
  reconnected: [],
  moved: [],
  approvers: [],
  door: [],
  hosts: ["claude-code"],
});
const long = item([...Array.from({ length: 200 }, (_, i) => `tests/file${i}`), "/etc/shadow"]);

test("a long value is folded, with its length, and the whole page has all of it", () => {
  expect(isFolded(long)).toBe(true);
  expect(askPage(long, 0, false)).toMatch(/ characters, sha256:/);
  expect(askPage(long, 0, false)).not.toContain("/etc/shadow");
  expect(askPage(long, 0, true)).toContain('/etc/shadow"]');
});

test("a short one isn't", () => {
  expect(isFolded(item(["b"]))).toBe(false);
  expect(askPage(item(["b"]), 0, false)).toContain('r s t: condition ["a"] becomes ["b"]\n');
  expect(askPage(item(["b"]), 0, false)).toContain("host claude-code is given more of what its roles hold\n");
});
