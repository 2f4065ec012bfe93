import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildAnew } from "../../../compiler/cli/compiling.ts";
import { engine } from "../../../compiler/cli/engine.ts";
import { at, newFolderForEachTest, put, run, text, tree, ts } from "../../support/output-folder.ts";

newFolderForEachTest();

const told = (file: string): string[] => [
  `output/shadowed \`${file}\` would be taken for \`src/mcp/roles/a.ts\` by whatever imports that`,
];

describe("what a module resolver would take for a module of ours", () => {
  const endings = ["js", "mjs", "cjs", "jsx", "tsx", "mts", "cts", "d.ts", "d.mts", "node", "native.js", "js.ts"];
  test.each([...endings.map((ending) => `a.${ending}`), "a", "A.js", "a/index.js", "a/package.json"])(
    "%s is told, and nothing is written",
    (name) => {
      const file = `src/mcp/roles/${name}`;
      put(file, "export const a = 1;\n");
      expect(run([ts("a")], "check").says).toEqual(told(file));
      expect(run([ts("a")]).says).toEqual(told(file));
      expect(Object.keys(tree())).toEqual([file]);
      rmSync(at(file));
      expect(run([ts("a")]).says).toEqual([]);
    },
  );

  test("a link is too", () => {
    mkdirSync(at("src/mcp/roles"), { recursive: true });
    put("elsewhere.js", "");
    symlinkSync(at("elsewhere.js"), at("src/mcp/roles/a.js"));
    expect(run([ts("a")], "check").says).toEqual(told("src/mcp/roles/a.js"));
  });

  test.each(["rolecall.yaml", "files.txt"])("no %s beside it hides it", (name) => {
    expect(run([ts("a")]).says).toEqual([]);
    put(`src/mcp/roles/${name}`, text("src/mcp/files.txt").split("\n")[0]!);
    put("src/mcp/roles/a.js", "");
    for (const mode of ["check", "write"] as const)
      expect(run([ts("a")], mode).says).toEqual(told("src/mcp/roles/a.js"));
  });

  test("behind a link to a folder it is told too", () => {
    expect(run([ts("a")]).says).toEqual([]);
    renameSync(at("src/mcp/roles"), at("src/elsewhere"));
    symlinkSync("../elsewhere", at("src/mcp/roles"));
    put("src/elsewhere/a.js", "");
    expect(run([ts("a")], "check").says).toContain(told("src/mcp/roles/a.js")[0]);
  });

  test.each([
    "a.test.ts",
    "b.js",
    "a.md",
    "a.js.map",
    "aa.js",
    "a/notes.ts",
    "a/index.test.ts",
    "a/index.css",
    "a.json",
    "../a.js",
    "a.data.js",
  ])("%s is somebody's own", (name) => {
    put(`src/mcp/roles/${name}`, "mine\n");
    expect(run([ts("a")])).toMatchObject({ says: [], notes: [] });
    expect(text(`src/mcp/roles/${name}`)).toBe("mine\n");
  });
});

describe("many are one error, with the step for what they are", () => {
  const compiled = ["a.js", "a.d.ts"].map((name) => `src/mcp/roles/${name}`);
  const helpWith = (config?: object): string => {
    for (const file of compiled) put(file, "");
    if (config !== undefined) put("tsconfig.json", JSON.stringify(config));
    const { says, help } = run([ts("a")], "check");
    expect(says).toEqual([
      "output/shadowed `src/mcp/roles/a.d.ts`, `src/mcp/roles/a.js` would be taken for generated code by whatever imports it",
    ]);
    return help[0]!;
  };

  test("a compiler left them, and would again", () =>
    expect(helpWith({ compilerOptions: { strict: true } })).toBe(
      'they are what `tsc` makes of generated code: write "outDir": "dist", "rootDir": "." in tsconfig.json ("noEmit": true where nothing runs what it makes), delete them, then build again',
    ));

  test.each([{ outDir: "dist" }, { noEmit: true }])(
    "a compiler left them, and doesn't any more: %j",
    (compilerOptions) =>
      expect(helpWith({ compilerOptions })).toBe(
        "they are what `tsc` made of generated code before it had another folder for it: delete them, then build again",
      ),
  );

  test("nobody knows what they are", () => {
    put("src/mcp/roles/a.jsx", "");
    put("src/mcp/roles/a.js", "");
    expect(run([ts("a")], "check").help[0]).toContain("move it out of there or call it otherwise");
  });
});

const PROJECT = `version: 1
project: harbor
servers:
  notes: { connect: [{ stdio: [notes] }] }
roles:
  reader: { tools: { notes: [search] } }
`;

test("one that comes after a build is seen by the next, which knows of nothing else that changed", async () => {
  put("rolecall.yaml", PROJECT);
  const codes = async (): Promise<string[]> =>
    (await engine.build(at(""), { check: false, cache: true })).diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
  expect(await codes()).toEqual([]);
  expect(await codes()).toEqual([]);
  put("src/mcp/roles/reader.js", "export const reader = {};\n");
  expect(await codes()).toEqual(["output/shadowed"]);
  rmSync(at("src/mcp/roles/reader.js"));
  expect(await codes()).toEqual([]);
});

test("reviews fold what is the build's by its name, and nothing beside it", () => {
  put("rolecall.yaml", PROJECT);
  buildAnew(at(""), { check: false, cache: false });
  const [, ...lines] = text("src/mcp/.gitattributes").trimEnd().split("\n");
  const folded = lines.map((line) => line.split(" ")[0]!);
  expect(folded.filter((one) => /[*?[\]!]/.test(one))).toEqual([]);
  const made = Object.keys(tree()).filter((file) => file.startsWith("src/mcp/"));
  const reviewed = ["src/mcp/ACCESS.md", "src/mcp/access.json"];
  expect(folded.map((one) => `src/mcp${one}`).sort()).toEqual(made.filter((file) => !reviewed.includes(file)).sort());
});
