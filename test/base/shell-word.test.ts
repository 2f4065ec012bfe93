import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shownFile, shownWord } from "../../compiler/base/shell-word.ts";

/** What is pasted into a shell is one word of it, whatever a stranger called the file. */

const read = (word: string): string => execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" });

test.each([
  "a&echo PWN&.json",
  "v;echo PWN.env",
  "b`echo PWN`.json",
  "$(echo PWN)",
  "it's; echo 'PWN",
  "a b|c>d<e*?[f]!{g}~#\\",
  "",
  "ünï",
])("%j stays what it is", (name) => {
  expect(read(shownWord(name))).toBe(name);
});

test.each(["a\necho PWN", "a\r\x1b[2Jb", "a'\n'b", "a\u202eb", "a\x00b"])("of %j nothing is run or hidden", (name) => {
  const shown = shownFile(name);
  expect(shown).toMatch(/^[\x20-\x7e]*$/);
  expect(read(shown)).toMatch(/^a[\x20-\x7e]*$/);
});

test("a file is no flag", () => {
  expect([shownFile("--to=x"), shownFile("-;a"), shownFile("a/-b")]).toEqual(["'./--to=x'", "'./-;a'", "a/-b"]);
});
