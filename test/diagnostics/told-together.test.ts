import { expect, test } from "vitest";
import { renderText } from "../../compiler/diagnostics/render-text.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";

/** What a first build has many times: told once, with the names of all others and what is to be done about each. */

const one = (i: number, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: "server/unused",
  severity: "warning",
  says: `no role uses server \`s${i}\``,
  at: undefined,
  also: [],
  help: "give a role tools of it, or remove it",
  together: `s${i}`,
  ...more,
});
const many = (count: number): Diagnostic[] => Array.from({ length: count }, (_, i) => one(i));
const shown = (list: readonly Diagnostic[]): string => renderText(list, { colour: false, width: 80 });

test("the first stands as it is, the others by name, and one warning is counted", () => {
  const page = shown(many(3));
  expect(page.match(/warning\[/g)).toHaveLength(1);
  expect(page).toContain("no role uses server `s0`");
  expect(page).toMatch(/likewise: `s1`\n {12}`s2`\n/);
  expect(page).toMatch(/\n1 warning\n$/);
});

test("more than are read are counted", () => {
  const page = shown(many(15));
  expect(page).toContain("`s12`");
  expect(page).not.toContain("`s13`");
  expect(page).toContain("and 2 more");
});

test("another help is said, the same isn't said again", () => {
  const page = shown([one(0), one(1, { help: "remove s1" }), one(2)]);
  expect(page).toContain("`s1`: remove s1");
  expect(page).toMatch(/`s2`\n/);
});

test("other codes, and what isn't told together, stand by themselves", () => {
  const page = shown([one(0), one(1, { code: "server/other" }), one(2, { together: undefined })]);
  expect(page.match(/warning\[/g)).toHaveLength(3);
});
