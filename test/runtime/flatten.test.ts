import path from "node:path";
import { describe, expect, test } from "vitest";
import { entriesIn, flatten, readModules } from "../../scripts/flatten-runtime.mjs";
import { ROOT } from "../support/root.ts";

/** The modules of runtime/ as a few files. Each rule that makes it right is an error where it doesn't hold. */

const ENTRIES = new Map([
  ["runtime-types", "contract.ts"],
  ["runtime", "index.ts"],
  ["runtime-connect", "later.ts"],
]);
const MODULES = {
  "contract.ts": "/** Types. */\n\nexport interface A {}\nexport type B = A;\n",
  "index.ts":
    'import type { A } from "./contract.ts";\nimport { one } from "./room/one.ts";\n\n/** The door. */\n\nexport function team(a: A): Promise<unknown> {\n  return one(a, () => import("./later.ts" as string));\n}\n\nexport { Problem } from "./problem.ts";\nexport type { B } from "./contract.ts";\n',
  "room/one.ts":
    '/** What it is. */\nimport { readFileSync } from "node:fs";\nimport type { A } from "../contract.ts";\n\nexport const ONE = 1;\n\n/** For others. */\nexport async function one(a: A, load: () => Promise<unknown>): Promise<unknown> {\n  readFileSync("x");\n  return [a, await load()];\n}\n\n/** Nobody here. */\nexport function unused(): number {\n  return ONE;\n}\n',
  "problem.ts": "export class Problem extends Error {}\n",
  "later.ts":
    'import { readFileSync, type Stats } from "node:fs";\nimport path from "node:path";\nimport { Problem } from "./problem.ts";\nimport { one } from "./room/one.ts";\n\nexport function later(stats: Stats): unknown {\n  return [one, new Problem(), path.sep, readFileSync, stats];\n}\n',
};
const made = (changes: Partial<Record<keyof typeof MODULES | "more.ts", string>> = {}) =>
  flatten(new Map(Object.entries({ ...MODULES, ...changes })), ENTRIES);

describe("what is made", () => {
  test("types alone", () =>
    expect(made().get("runtime-types")).toBe(
      "// contract\n\n/** Types. */\n\nexport interface A {}\nexport type B = A;\n",
    ));

  test("the door: what it needs first, exported what it exports, and nothing that nobody uses", () =>
    expect(made().get("runtime")).toBe(`import { readFileSync } from "node:fs";
import type { A } from "./runtime-types.js";
export type { B } from "./runtime-types.js";

// room/one

/** What it is. */

/** For others. */
export async function one(a: A, load: () => Promise<unknown>): Promise<unknown> {
  readFileSync("x");
  return [a, await load()];
}

// problem

export class Problem extends Error {}

// index

/** The door. */

export function team(a: A): Promise<unknown> {
  return one(a, () => import("./runtime-connect.js" as string));
}
`));

  test("what is loaded later imports what the door holds", () =>
    expect(made().get("runtime-connect")).toBe(`import { type Stats, readFileSync } from "node:fs";
import path from "node:path";
import { Problem, one } from "./runtime.js";

// later

export function later(stats: Stats): unknown {
  return [one, new Problem(), path.sep, readFileSync, stats];
}
`));

  test("the same from the same, however the modules come", () => {
    const reversed = new Map(Object.entries(MODULES).toReversed());
    expect([...flatten(reversed, ENTRIES)]).toEqual([...made()]);
  });

  test("a name that one module imports as a type and another as a value is a value", () => {
    const more = 'import type { Problem } from "./problem.ts";\n\nexport type P = Problem;\n';
    const later = MODULES["later.ts"].replace(
      "\n\n",
      '\nimport type { P } from "./more.ts";\n\nexport type Q = P;\n\n',
    );
    expect(made({ "more.ts": more, "later.ts": later }).get("runtime-connect")).toContain(
      'import { Problem, one } from "./runtime.js";\n',
    );
  });
});

describe("what is refused", () => {
  const index = (text: string) => () => made({ "index.ts": `${MODULES["index.ts"]}${text}` });
  test.each<[string, string]>([
    ["an import under another name", 'import { one as two } from "./room/one.ts";\n'],
    ["an import of everything", 'import * as one from "./room/one.ts";\n'],
    ["an import for what it does", 'import "./room/one.ts";\n'],
    ["a default import of ours", 'import one from "./room/one.ts";\n'],
    ["a default export", "export default 1;\n"],
    ["a re-export of everything", 'export * from "./room/one.ts";\n'],
    ["a re-export under another name", 'export { one as two } from "./room/one.ts";\n'],
    ["a re-export of a package's", 'export { readFileSync } from "node:fs";\n'],
    ["a list of exports", "const x = 1;\nexport { x };\n"],
    ["a statement that runs", "console.log(1);\n"],
    ["several names at once", "const [x, y] = [1, 2];\n"],
    ["an enum", "enum E {}\n"],
    ["a later import that the type checker follows", 'const x = () => import("./later.ts");\n'],
    ["a later import of what no file begins with", 'const x = () => import("./problem.ts" as string);\n'],
    ["a type that is imported where it is used", 'type X = import("./contract.ts").A;\n'],
    ["an import of what isn't there", 'import { x } from "./nowhere.ts";\n'],
    ["a name that another module declares", "const ONE = 2;\n"],
    ["a name that another module imports", "const readFileSync = 2;\n"],
    ["a name of two packages", 'import { readFileSync } from "node:other";\n'],
  ])("%s", (_, text) => {
    const broken = text.startsWith("import")
      ? () => made({ "index.ts": `${text}${MODULES["index.ts"]}` })
      : index(text);
    expect(broken).toThrow(/runtime\/|is of /);
  });

  test("and what is like it passes", () => {
    expect(index("const TWO = 2;\n")).not.toThrow();
    expect(index("/** `const ONE = 1;` */\nconst TEXT = `\nconst ONE = 1;\nwhile true; do\n`;\n")).not.toThrow();
  });
});

test("every module of runtime/ is in one of the files, and each host has its own", () => {
  const modules = readModules(path.join(ROOT, "runtime"));
  const files = flatten(modules, entriesIn(modules));
  expect([...files.keys()]).toEqual([
    "runtime-types",
    "runtime",
    "runtime-connect",
    ...["adk", "ai-sdk", "claude-agent-sdk", "copilot-sdk", "openai-agents"].map((host) => `runtime-${host}`),
  ]);
  const sections = new Set([...files.values()].flatMap((text) => text.match(/^\/\/ [a-z/-]+$/gm) ?? []));
  expect([...modules.keys()].filter((file) => !sections.has(`// ${file.slice(0, -".ts".length)}`))).toEqual([]);
  for (const text of files.values()) expect(text).not.toMatch(/oxlint|^import\("|\.ts"/m);
});
