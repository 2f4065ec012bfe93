import { expect, test } from "vitest";
import { newFolderForEachTest, put, run, text, ts } from "../../support/output-folder.ts";
import { sameButForLayout } from "../../../compiler/io/write/layout.ts";

newFolderForEachTest();

test("a check tells what a formatter wrote from what else was changed", () => {
  const made = [ts("a", "const x = 1;"), ts("b", "const y = 2;")];
  run(made);
  put("src/mcp/roles/a.ts", text("src/mcp/roles/a.ts").replace("x = 1;", "x =\n  1"));
  put("src/mcp/roles/b.ts", text("src/mcp/roles/b.ts").replace("2", "3"));
  const both = ["src/mcp/roles/a.ts", "src/mcp/roles/b.ts"];
  expect(run(made, "check")).toMatchObject({ differs: both, respaced: ["src/mcp/roles/a.ts"] });
  expect(run(made)).toMatchObject({ differs: both, respaced: [] });
});

test.each([
  ["quotes and ends of lines", "a.ts", `import { a } from "./a.ts";\n`, `import { a } from './a.ts'\n`],
  ["a list in several lines", "a.ts", `const a = ["x", "y"];\n`, `const a = [\n  "x",\n  "y",\n];\n`],
  ["a union in several lines", "a.ts", `type A = "x" | "y";\n`, `type A =\n  | "x"\n  | "y";\n`],
  ["one among arguments", "a.ts", `a: Pick<B, "x" | "y">;\n`, `a: Pick<\n  B,\n  | "x"\n  | "y"\n>;\n`],
  ["an arrow's argument", "a.ts", `a((x) => x);\n`, `a(x => x);\n`],
  ["JSON in several lines", "a.json", `{ "a": [1, 2] }\n`, `{\n  "a": [\n    1,\n    2\n  ]\n}\n`],
  ["a table", "a.md", "| a | long |\n|---|---|\n| *b* | c |\n", "| a   | long |\n| --- | ---- |\n| _b_ | c    |\n"],
])("the same: %s", (_, file, text, other) => {
  expect(sameButForLayout(file, text, other)).toBe(true);
});

test.each([
  ["another name", "a.ts", `const a = ["x"];`, `const a = ["y"];`],
  ["one more", "a.ts", `const a = ["x"];`, `const a = ["x", "z"];`],
  ["another sign", "a.ts", "if (a) b();", "if (!a) b();"],
  ["or in place of and", "a.ts", "a && b;", "a || b;"],
  ["another value", "a.json", `{ "a": "b c" }`, `{ "a": "bc" }`],
  ["no JSON any more", "a.json", `{ "a": 1 }`, `{ "a": 1 `],
  ["another cell", "a.md", "| a | b |", "| a | c |"],
])("not the same: %s", (_, file, text, other) => {
  expect(sameButForLayout(file, text, other)).toBe(false);
});
