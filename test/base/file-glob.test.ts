import { expect, test } from "vitest";
import { fileGlob } from "../../compiler/base/file-glob.ts";
import { ownersOf } from "../../compiler/diff/codeowners.ts";

test.each<[string, string[], string[]]>([
  ["guards/*.yaml", ["guards/a.yaml"], ["guards/.a.yaml", "guards/b/a.yaml", "a.yaml", "guards/ayaml"]],
  ["./guards//?.yaml", ["guards/a.yaml"], ["guards/ab.yaml"]],
  ["**/a", ["a", "b/a", "b/c/a"], [".b/a", "node_modules/a", "b/.c/a"]],
  ["g/**", ["g/a", "g/b/a"], ["g", "g/.a", "g/node_modules/a"]],
  [".g/*", [".g/a"], ["g/a"]],
])("%s", (glob, named, others) => {
  const names = fileGlob(glob);
  expect([...named, ...others].filter(names)).toEqual(named);
});

test("many stars and a long name take no time", () => {
  const [glob, name] = ["*a".repeat(20), "a".repeat(200)];
  const began = performance.now();
  expect(fileGlob(`guards/${glob}*b`)(`guards/${name}`)).toBe(false);
  expect(fileGlob(`${"**/a/".repeat(12)}b`)("a/".repeat(60))).toBe(false);
  expect(ownersOf(`/${glob}*b @ada\n${"**/a/".repeat(12)}b @ada`, name).logins).toEqual([]);
  expect(performance.now() - began).toBeLessThan(1_000);
});
