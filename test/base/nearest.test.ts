import { expect, test } from "vitest";
import { mayBeNear, nearest, nearestGlob } from "../../compiler/base/nearest.ts";

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

test("two names of a megabyte are compared by their beginnings", () => {
  const began = process.cpuUsage();
  expect(nearest("x".repeat(400_000), ["y".repeat(400_000)])).toBe(undefined);
  expect(mayBeNear("x".repeat(400_000), "x".repeat(399_000))).toBe(true);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(50);
});

test("names that differ in length by more than the edits allowed aren't near", () => {
  for (const written of ["", "a", "list", "list_issues"])
    for (let length = 0; length < 20; length++)
      if (nearest(written, ["x".repeat(length)]) !== undefined)
        expect(mayBeNear(written, "x".repeat(length))).toBe(true);
  expect(mayBeNear("list", "list_issues")).toBe(false);
});
