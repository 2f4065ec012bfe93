import { expect, test } from "vitest";
import { nearest, nearestGlob } from "../../compiler/base/nearest.ts";

test.each([
  ["creat_issue", ["close_issue", "create_issue"], "create_issue"],
  ["create-Issue", ["create_issues", "create_issue"], "create_issue"],
  ["craete_issue", ["create_issue"], "create_issue"],
  ["ab", ["ba", "xyz"], "ba"],
  ["issue", ["pull_request", "merge"], undefined],
  ["x".repeat(5000), ["x".repeat(4999), "y"], "x".repeat(4999)],
  ["", ["ab", "abc"], "ab"],
])("the nearest of some names: %s", (written, names, near) => {
  expect(nearest(written, names)).toBe(near);
});

test("a swap of neighbours is one edit, wherever it stands", () => {
  const names = ["baxxxxxx", "abxxxxyy"];
  expect(nearest("abxxxxxx", names)).toBe("baxxxxxx");
  expect(nearest("xxxxxxab", ["xxxxxxba", "xxxxxyyy"])).toBe("xxxxxxba");
});

test("of very many names, one that begins as it was written", () => {
  const names = Array.from({ length: 3000 }, (_, i) => `a_${i}`);
  expect(nearest("tol_7", [...names, "tool_7"])).toBe("tool_7");
});

test("a glob keeps its star", () => {
  expect(nearestGlob("delte_*", ["delete_file", "create_file"])).toBe("delete*");
});
