import { expect, test } from "vitest";
import { ignoreEdit } from "../../compiler/first-project/ignored.ts";

test.each([
  ["a list without an end of line", "node_modules", "node_modules\n.runs/\n"],
  ["one that has it", "node_modules/\n", "node_modules/\n.runs/\n"],
  ["one of Windows", "a\r\n", "a\r\n.runs/\r\n"],
  ["one that names something like it", "x.runs/\n", "x.runs/\n.runs/\n"],
  ["an empty one", "", ".runs/\n"],
])("records are kept out of version control: %s", (_, before, text) => {
  expect(ignoreEdit({ ignores: { text: before } })).toEqual({ path: ".gitignore", before, text });
});

test.each([".runs", ".runs/", "/.runs/", "a\r\n/.runs\r\n"])("%j keeps them out already", (text) => {
  expect(ignoreEdit({ ignores: { text } })).toBeUndefined();
});

test("where there is no list a folder under git gets one, and any other nothing", () => {
  expect(ignoreEdit({ ignores: { text: undefined } })).toEqual({
    path: ".gitignore",
    before: undefined,
    text: ".runs/\n",
  });
  expect(ignoreEdit({ ignores: undefined })).toBeUndefined();
});
