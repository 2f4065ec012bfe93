import { describe, expect, test } from "vitest";
import * as laws from "./laws.ts";
import { readModule } from "../support/module-facts.ts";
import type { Room } from "./laws.ts";

/** Each law of the house is seen failing here, over made-up sources, and passing beside it. */

const ROOMS: readonly Room[] = [
  { name: "base", files: ["base/**"], imports: [] },
  { name: "plan", files: ["plan/**"], imports: ["base/**", "types of contract.ts"] },
  { name: "target", files: ["targets/*/**"], folderEach: "targets/", imports: ["plan/types.ts", "targets/writer*"] },
  { name: "io", files: ["io/**"], world: true, imports: [] },
];

const module = (path: string, text: string) => readModule(path, text);
const stray = (path: string, text: string) => laws.strayImports([module(path, text)], ROOMS);

describe("who may import whom", () => {
  test.each([
    ["the room itself", "plan/a.ts", 'import { b } from "./b.ts";'],
    ["a room of the table", "plan/a.ts", 'import { b } from "../base/b.ts";'],
    ["types where types are allowed", "plan/a.ts", 'import type { C } from "../contract.ts";'],
    ["types, one by one", "plan/a.ts", 'import { type C, type D } from "../contract.ts";'],
    ["a neighbour in the same target", "targets/one/a.ts", 'import { b } from "./deep/b.ts";'],
    ["a file that a star names", "targets/one/a.ts", 'import { b } from "../writer-text.ts";'],
  ])("allowed: %s", (_, path, text) => expect(stray(path, text)).toEqual([]));

  test.each([
    ["another room", "base/a.ts", 'import { b } from "../plan/b.ts";'],
    ["types of another room", "base/a.ts", 'import type { B } from "../plan/b.ts";'],
    ["a type inside a type", "base/a.ts", 'export type A = import("../plan/b.ts").B;'],
    ["values where only types are allowed", "plan/a.ts", 'import { type C, d } from "../contract.ts";'],
    ["nothing named, which runs the module", "plan/a.ts", 'import "../contract.ts";'],
    ["a re-export", "base/a.ts", 'export { b } from "../plan/b.ts";'],
    ["later, by a promise", "base/a.ts", 'export const late = () => import("../plan/b.ts");'],
    ["an expression", "base/a.ts", "export const late = (name: string) => import(name);"],
    ["another target", "targets/one/a.ts", 'import { b } from "../two/b.ts";'],
    ["a target whose name starts alike", "targets/one/a.ts", 'import { b } from "../one-more/b.ts";'],
    ["a file beside the one that is allowed", "targets/one/a.ts", 'import { b } from "../../plan/decide.ts";'],
  ])("refused: %s", (_, path, text) => expect(stray(path, text)).toHaveLength(1));

  test("a module without a room is refused", () => {
    expect(stray("attic/a.ts", "export const a = 1;")).toEqual(["attic/a.ts has no room in the table"]);
  });

  test("a package is refused where the table doesn't name it", () => {
    const table = { yaml: ["plan/**"] };
    const text = 'import { parse } from "yaml/util"; import { x } from "@scope/toString"; import "toString";';
    expect(laws.strayPackages([module("plan/a.ts", text)], table)).toEqual([
      "plan/a.ts:1 may not import the package @scope/toString",
      "plan/a.ts:1 may not import the package toString",
    ]);
    expect(laws.strayPackages([module("base/a.ts", text)], table)).toHaveLength(3);
  });

  test("a circle of types is a circle", () => {
    const a = module("base/a.ts", 'import type { B } from "./b.ts";');
    const b = module("base/b.ts", 'export type { C } from "./c.ts";');
    const c = module("base/c.ts", 'export type A = import("./a.ts").A;');
    expect(laws.cycles([a, b, c])).toEqual(["base/a.ts -> base/b.ts -> base/c.ts -> base/a.ts"]);
    expect(laws.cycles([a, b, module("base/c.ts", "export const c = 1;")])).toEqual([]);
  });
});

describe("what a module may do", () => {
  const touched = (text: string, path = "base/a.ts") => laws.worldTouched([module(path, text)], ROOMS, []);

  test.each([
    'import { readFileSync } from "node:fs";',
    'import fs from "fs/promises";',
    "export const now = () => Date.now();",
    "export const made = new Date();",
    "export const chance = () => Math.random();",
    "export const cwd = process.cwd();",
    "console.log(1);",
    "export const { env } = globalThis.process;",
    "setTimeout(() => 1, 5);",
    'export const later = () => fetch("x");',
    "export const f = (a: string, b: string) => a.localeCompare(b);",
    'export const fs = require("fs");',
  ])("refused: %s", (text) => expect(touched(text)).not.toEqual([]));

  test.each([
    "export const most = Math.max(1, 2);",
    "export const f = (process: { cwd: string }) => process.cwd;",
    "export const f = (x: { console: number }) => x.console;",
    "export const x = { process: 1, Date: 2 };",
    "export interface Stamp { readonly performance: number; readonly at: Date }",
    "// console.log(process.env)\nexport const text = 'Date.now()';",
  ])("allowed: %s", (text) => expect(touched(text)).toEqual([]));

  test("a room of the world may, and a named exemption may what it names", () => {
    expect(touched('import "node:fs"; console.log(Date.now());', "io/a.ts")).toEqual([]);
    const both = [module("base/a.ts", 'import { createHash } from "node:crypto"; import "node:fs";')];
    const exemption = { file: "base/a.ts", allows: "node:crypto", because: "a pure function of its input" };
    expect(laws.worldTouched(both, ROOMS, [exemption])).toEqual([
      "base/a.ts:1 uses node:fs; only the rooms marked `world` may",
    ]);
  });

  test.each([
    "export default 1;",
    "export default function f() {}",
    "const a = 1;\nexport { a as default };",
    "export default class {}",
  ])("a default export is refused: %s", (text) => {
    const found = [module("base/a.ts", text)];
    expect(laws.defaultExports(found, [])).toHaveLength(1);
    expect(laws.defaultExports(found, [{ file: "base/a.ts", allows: "default export", because: "" }])).toEqual([]);
  });

  test("a named export is no default export", () =>
    expect(laws.defaultExports([module("base/a.ts", "export const a = 1;")], [])).toEqual([]));

  test("a barrel is refused unless it is a door", () => {
    const gathered = module(
      "base/all.ts",
      'import "./a.ts";\nexport { a } from "./a.ts";\nexport type { B } from "./b.ts";',
    );
    const everything = module("base/more.ts", 'export * from "./a.ts";\nexport const b = 1;');
    const honest = module("base/index.ts", 'export type { B } from "./b.ts";\nexport const c = 1;');
    expect(laws.barrels([gathered, everything, honest], [], [])).toEqual([
      "base/all.ts is a barrel",
      "base/more.ts is a barrel",
    ]);
    const exemption = { file: "base/more.ts", allows: "barrel", because: "" };
    expect(laws.barrels([gathered, everything], ["base/all.ts"], [exemption])).toEqual([]);
  });

  test("a class is refused, named or not", () => {
    expect(laws.classes([module("base/a.ts", "export class Code {}\nexport const b = class {};")], [])).toEqual([
      "base/a.ts:1 declares the class Code",
      "base/a.ts:2 declares the class (unnamed)",
    ]);
  });

  test("a variable of the module is state, a constant or a local one isn't", () => {
    const text =
      "let count = 0;\nconst fixed = 1;\nexport function f() {\n  let local = fixed;\n  return (local += count);\n}";
    expect(laws.moduleState([module("base/a.ts", text)], [])).toEqual(["base/a.ts:1 keeps state in the module: count"]);
  });

  test.each([
    ["pushed to", "const seen = []; export const note = (x) => seen.push(x);"],
    ["set", "const seen = new Map(); export const note = (x) => seen.set(x, 1);"],
    ["given an element", "const seen = {}; export function note(x) { seen[x] = 1; }"],
    ["filled where it is empty", "const seen = []; export const of = (x) => (seen[x] ??= 1);"],
    ["counted in", "const seen = { n: 0 }; export const note = () => seen.n++;"],
    ["taken from", "const seen = {}; export const drop = (x) => delete seen[x];"],
  ])("a list, map or object of the module that is %s is state", (_, text) => {
    expect(laws.moduleState([module("base/a.ts", text)], [])).toEqual(["base/a.ts:1 keeps state in the module: seen"]);
  });

  test("one that is only read isn't, and a local one may be written to", () => {
    const text =
      "const known = new Set(['a']); export const of = (x) => { const all = [...known]; all.push(x); return all; };";
    expect(laws.moduleState([module("base/a.ts", text)], [])).toEqual([]);
  });
});

describe("how a module reads", () => {
  test("a file or folder whose name says nothing is refused", () => {
    const paths = [
      "base/utils.ts",
      "helpers/a.ts",
      "base/Common.test.ts",
      "base/util/a.ts",
      "base/common-words.ts",
      "base/order.ts",
    ];
    expect(laws.namelessFiles(paths)).toHaveLength(4);
  });

  test("a name that two modules declare is refused, and one that hides a global", () => {
    const a = module("a.ts", "export interface Entry {}\nconst [x, y] = [1, 2];\nexport const b = 1;");
    const b = module("b.ts", "type Entry = string;\nfunction b(): void;\nfunction b(_?: 1): void {}\nfetch(b);");
    const c = module("c.ts", "export class fetch {}\nexport const f = (b: number, Entry: string) => [b, Entry];");
    expect(laws.sharedNames([a, b, c])).toEqual([
      "b.ts:1 declares Entry, as a.ts does",
      "b.ts:2 declares b, as a.ts does",
      "b.ts:4 uses fetch, a global that c.ts would hide",
    ]);
    expect(laws.sharedNames([a, module("b.ts", 'import type { Entry } from "./a.ts";')])).toEqual([]);
  });

  test("sizes count lines, and functions however they are written", () => {
    const body = "  f();\n".repeat(3);
    const text = `/** long\n * comment */\nexport function a() {\n${body}}\nexport const b = () => {\n${body}};\ndescribe("x", () => {\n${body}});\n`;
    const found = [module("base/a.ts", text)];
    expect(laws.oversized(found, { file: 17, function: 5 }, [])).toEqual([]);
    expect(laws.oversized(found, { file: 16, function: 4 }, [])).toEqual([
      "base/a.ts has 17 lines of at most 16",
      "base/a.ts:3 a has 5 lines of at most 4",
      "base/a.ts:8 b has 5 lines of at most 4",
    ]);
    expect(
      laws.oversized(found, { file: 16, function: 5 }, [{ file: "base/a.ts", allows: "size", because: "a table" }]),
    ).toEqual([]);
  });

  test("ways through a function are counted, those of functions within it too; another room isn't asked", () => {
    const text = [
      "export function a(x: number[], y?: string) {",
      "  if (y && x.length > 0) return 1;",
      "  for (const one of x) x.map((z) => (z ? 1 : 2));",
      "  try { f(); } catch { return y ?? 3; }",
      '  switch (y) { case "a": return 1; default: return 2; }',
      "}",
    ].join("\n");
    const found = [module("cli/a.ts", text), module("plan/a.ts", text)];
    expect(laws.tangled(found, "cli/**", 7)).toEqual([]);
    expect(laws.tangled(found, "cli/**", 6)).toEqual(["cli/a.ts:1 a has 7 ways through it of at most 6"]);
  });

  test("types.ts without a doc comment is refused", () => {
    const silent = module("base/types.ts", 'import type { A } from "./a.ts";\nexport type B = A;');
    const spoken = module(
      "plan/types.ts",
      'import type { A } from "./a.ts";\n\n/** What it is. */\nexport type B = A;',
    );
    expect(laws.silentTypes([silent, spoken])).toEqual(["base/types.ts doesn't open with a doc comment"]);
  });
});

describe("what no file holds", () => {
  const file = (text: string, path = "README.md") => ({ path, text });

  test("paths of a machine, this one's and others'", () => {
    const here = ["/", "/app", "/srv/checkout"];
    const home = ["", "home", "ada", "x"].join("/");
    const texts = [
      "in /srv/checkout/a.ts",
      `in ${home}`,
      "in C:" + String.raw`\Users\ada`,
      "in /app/a",
      "in /srv/checkout-two",
    ];
    expect(
      laws.machinePaths(
        texts.map((t) => file(t)),
        here,
        [],
      ),
    ).toHaveLength(3);
    expect(
      laws.machinePaths([file(`in ${home}`)], [], [{ file: "README.md", allows: home.slice(0, -1), because: "" }]),
    ).toEqual([]);
  });

  test("hosts of registries, and where a package was fetched", () => {
    const official = ["registry", "npmjs", "org"].join(".");
    expect(laws.registryHosts([file(`https://${official}/yaml`)], [])).toHaveLength(1);
    expect(laws.registryHosts([file("save-exact=true\nregistry=x", ".npmrc")], [])).toHaveLength(1);
    expect(laws.registryHosts([file("from packages.acme.example:8080")], ["packages.acme.example:8080"])).toHaveLength(
      1,
    );
    expect(laws.registryHosts([file('{ "resolved": "file:x" }', "package-lock.json")], [])).toHaveLength(1);
    expect(laws.registryHosts([file('{ "resolved": "file:x", "registry": 1 }', "a.json")], [])).toEqual([]);
  });
});

test("whoever opens a file by itself", () => {
  const read = { path: "io/a.ts", text: 'import { readFileSync } from "node:fs";\nread(openSync(file));\n' };
  expect(laws.strayReads([read], [])).toEqual(["io/a.ts:1 has readFileSync", "io/a.ts:2 has openSync"]);
  expect(laws.strayReads([read, { path: "io/b.ts", text: "readPlain(file);\n" }], ["io/a.ts"])).toEqual([]);
});

test("an exemption without a file or a reason is refused", () => {
  const because = "a reason that says enough";
  const exemptions = [
    { file: "a.ts", allows: "size", because },
    { file: "b.ts", allows: "size", because: "so" },
    { file: "gone.ts", allows: "size", because },
  ];
  expect(laws.unusedExemptions(exemptions, ["a.ts", "b.ts"])).toHaveLength(2);
});

describe("what leads somewhere", () => {
  test("a type's name that two modules export means two things", () => {
    const a = module("base/a.ts", "export interface Found { readonly a: 1 } interface Own {}");
    const b = module("plan/b.ts", "export type Found = 2; export type Own = 3;");
    const c = module("plan/c.ts", 'export type { Found } from "../base/a.ts";');
    expect(laws.sharedTypes([a, b, c], {})).toEqual(["Found is a type of base/a.ts and of plan/b.ts"]);
    expect(laws.sharedTypes([a, b, c], { Found: "both are meant" })).toEqual([]);
  });

  test("a room in which nobody lives, and a name in the table that leads nowhere", () => {
    const table: readonly Room[] = [
      { name: "base", files: ["base/**"], imports: [] },
      { name: "plan", files: ["plan/**"], imports: ["base/**", "types of gone/types.ts"] },
      { name: "attic", files: ["attic/**"], imports: [] },
    ];
    expect(laws.emptyRooms(["base/a.ts", "plan/b.ts"], table)).toEqual([
      "attic has no files",
      "plan names gone/types.ts, where no file is",
      "attic names attic/**, where no file is",
    ]);
  });

  test.each([
    ["a numbered decision", "/** As it is (decision 7). */", 1],
    ["a page of elsewhere", "// see decisions.md 7", 1],
    ["a section", "// section 4: roles", 1],
    ["a script that isn't there", "// `npm run gone` does it", 1],
    ["a script that is", "// `npm run there` does it", 0],
    ["a decision in words", "/** It decides nothing: decisions are made before. */", 0],
    ["code", "const section = 4;", 0],
  ])("a comment points at %s", (_, text, found) => {
    expect(laws.strayReferences([{ path: "base/a.ts", text }], ["there"])).toHaveLength(found);
  });
});
