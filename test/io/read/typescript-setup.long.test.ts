import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { readResources } from "../../../compiler/io/read/resources.ts";
import { readTypeScriptSetup } from "../../../compiler/io/read/typescript-setup.ts";
import { captureProject } from "../../support/capture-project.ts";
import { compilers, temporaryProject, type Compiler, type Project } from "../../types/tsc.ts";
import { ROOT } from "../../support/root.ts";

/** What `doctor` says of a TypeScript setup, held against what the compilers say of generated code in it. */
let project: Project;
/** Of the generated code, what asks most of a setup. A project's compiler is spared it; these are checked. */
const FILES = readResources().runtime;
beforeAll(() => {
  project = temporaryProject();
  for (const { name, text } of FILES) project.write(`src/mcp/${name}.ts`, text);
});
afterAll(() => project.remove());

/** Of this compiler, whichever version the project has under the name of `typescript`. */
function install(compiler: Compiler | undefined, withNode = true): void {
  const modules = path.join(project.folder, "node_modules");
  try {
    unlinkSync(modules);
  } catch {
    rmSync(modules, { recursive: true, force: true });
  }
  mkdirSync(path.join(modules, "@types"), { recursive: true });
  const link = (name: string, from: string) =>
    symlinkSync(path.join(ROOT, "node_modules", from), path.join(modules, name), "dir");
  if (compiler !== undefined) link("typescript", compilers[compiler]);
  if (withNode) link("@types/node", "@types/node");
  if (withNode) link("undici-types", "undici-types");
}

function compiles(): Promise<boolean> {
  const tsc = path.join(project.folder, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) =>
    execFile(process.execPath, [tsc, "-p", project.folder, "--noEmit"], (problem) => resolve(problem === null)),
  );
}

const GOOD = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2022"],
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};
const setup = () => readTypeScriptSetup(project.folder, { out: "src/mcp" });
const configure = (compilerOptions: object, more: object = {}) =>
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"], ...more }));

describe("what it says is what the compilers find", () => {
  test.each<[string, Compiler, object, string | undefined]>([
    ["all is well", "7.0", GOOD, undefined],
    ["no types are written", "7.0", { ...GOOD, types: undefined }, 'write "types": ["node"] in tsconfig.json'],
    ["no types are written", "5.2", { ...GOOD, types: undefined }, undefined],
    ["other types are written", "7.0", { ...GOOD, types: [] }, 'write "types": ["node"] in tsconfig.json'],
    [
      "an old target",
      "7.0",
      { ...GOOD, lib: undefined, target: "es2018" },
      'write "target": "es2022" in tsconfig.json',
    ],
    ["an old library", "7.0", { ...GOOD, lib: ["es2020", "dom"] }, 'write "es2022" in `lib` of tsconfig.json'],
    ["a library that is enough", "7.0", { ...GOOD, target: "es2020", lib: ["ES2022", "esnext.disposable"] }, undefined],
    ["CommonJS", "7.0", { ...GOOD, module: "commonjs" }, 'write "module": "nodenext" in tsconfig.json'],
    ["a bundler's modules", "7.0", { ...GOOD, module: "esnext", moduleResolution: "bundler" }, undefined],
  ])(
    "%s (%s)",
    async (_, compiler, options, next) => {
      install(compiler);
      configure(options);
      expect(setup().problems.map((problem) => problem.next)).toEqual(next === undefined ? [] : [next]);
      expect(await compiles()).toBe(next === undefined);
    },
    20_000,
  );

  test("a package that isn't one of ES modules", async () => {
    install("7.0");
    configure(GOOD);
    project.write("package.json", "{}");
    expect(setup().problems).toMatchObject([{ next: 'write "type": "module" in package.json' }]);
    expect(await compiles()).toBe(false);
    project.write("package.json", '{ "type": "module" }');
  });

  test.each<["js" | "ts" | "none", object, string | undefined]>([
    ["ts", GOOD, 'write "rewriteRelativeImportExtensions": true in tsconfig.json'],
    [
      "ts",
      { ...GOOD, module: "esnext", moduleResolution: "bundler" },
      "write `importExtension: none` in rolecall.yaml",
    ],
    ["none", GOOD, "write `importExtension: js` in rolecall.yaml"],
    ["ts", { ...GOOD, rewriteRelativeImportExtensions: true }, undefined],
    ["none", { ...GOOD, module: "preserve" }, undefined],
    ["js", { ...GOOD, module: "preserve" }, undefined],
  ])(
    "`importExtension: %s` under %j",
    async (importExtension, options, instead) => {
      install("7.0");
      configure(options);
      project.write(
        "src/app.ts",
        `export * from "./mcp/runtime${importExtension === "none" ? "" : `.${importExtension}`}";`,
      );
      try {
        const { problems } = readTypeScriptSetup(project.folder, { out: "src/mcp", importExtension });
        expect(problems.map(({ next }) => next)).toEqual(instead === undefined ? [] : [instead]);
        expect(await compiles()).toBe(instead === undefined);
      } finally {
        rmSync(path.join(project.folder, "src/app.ts"));
      }
    },
    20_000,
  );

  test("no types of Node's at all", async () => {
    install("7.0", false);
    configure(GOOD);
    expect(setup().problems).toMatchObject([{ next: "npm install --save-dev @types/node" }]);
    expect(await compiles()).toBe(false);
  });
});

describe("how it reads", () => {
  test("comments, trailing commas, and files that are extended, the last one first", () => {
    install("7.0");
    project.write("base/old.json", JSON.stringify({ compilerOptions: { target: "es5", types: [] } }));
    project.write("base/new.json", '{ "extends": "./old", "compilerOptions": { "target": "es2022" } }');
    project.write("node_modules/shared-config/tsconfig.json", '{ "compilerOptions": { "types": ["node"] } }');
    project.write("node_modules/shared-config/package.json", '{ "name": "shared-config" }');
    const written =
      '{ // ours\n "extends": ["./base/new.json", "shared-config"], "compilerOptions": { "module": "nodenext", }, }';
    project.write("tsconfig.json", written);
    expect(setup()).toMatchObject({ config: "tsconfig.json", version: expect.stringMatching(/^7\./), problems: [] });
    project.write("tsconfig.json", written.replace(', "shared-config"', ""));
    expect(setup().problems).toMatchObject([{ says: expect.stringContaining("Node's types") }]);
  });

  test("the closest tsconfig.json; files that extend each other, or nothing, end", () => {
    install("7.0");
    project.write("tsconfig.json", '{ "extends": "./tsconfig.json", "compilerOptions": { "types": ["node"] } }');
    expect(setup().problems).toEqual([]);
    project.write("src/tsconfig.json", '{ "extends": "nowhere", "compilerOptions": { "types": [] } }');
    expect(setup()).toMatchObject({ config: "src/tsconfig.json", problems: [{ says: expect.any(String) }] });
    project.write("src/tsconfig.json", "not JSON");
    expect(setup().config).toBe("src/tsconfig.json");
    rmSync(path.join(project.folder, "src/tsconfig.json"));
  });

  test("a TypeScript that is too old is told, and none is no fault", () => {
    install(undefined);
    configure(GOOD);
    expect(setup()).toMatchObject({ version: undefined, problems: [] });
    project.write("node_modules/typescript/package.json", '{ "version": "5.1.6" }');
    expect(setup().problems).toMatchObject([{ says: "TypeScript 5.1 is too old for generated code" }]);
  });
});

describe("a project that takes the runtime from the package", () => {
  const asked = () => readTypeScriptSetup(project.folder, { out: "src/mcp", runtime: "package" }).problems;
  const depends = (kinds: object) => project.write("package.json", JSON.stringify({ type: "module", ...kinds }));

  test("needs rolecall where it runs", () => {
    install("7.0");
    configure(GOOD);
    depends({ dependencies: { rolecall: "1" } });
    expect(asked()).toMatchObject([
      { says: expect.stringContaining("isn't installed"), next: expect.stringContaining("npm pack") },
    ]);
    expect(setup().problems).toEqual([]);
    project.write("node_modules/rolecall/package.json", '{ "version": "0.0.1", "exports": { ".": "./a.js" } }');
    expect(asked()).toMatchObject([
      { says: expect.stringContaining("too old"), next: expect.stringContaining("npm pack") },
    ]);
    project.write("node_modules/rolecall/package.json", '{ "version": "1.0.0", "exports": { "./runtime": "./a.js" } }');
    expect(asked()).toEqual([]);
    for (const kinds of [{}, { devDependencies: { rolecall: "1" } }]) {
      depends(kinds);
      expect(asked()).toMatchObject([{ says: expect.stringContaining("under `dependencies`") }]);
    }
    depends({});
    rmSync(path.join(project.folder, "tsconfig.json"));
    expect(asked()).toHaveLength(1);
    rmSync(path.join(project.folder, "node_modules/rolecall"), { recursive: true });
  });
});

test("doctor shows it, and it changes no exit code", async () => {
  const asked = captureProject();
  try {
    asked.write("rolecall.yaml", "version: 1\nproject: harbor\n");
    asked.write("mcp/README.md", "");
    asked.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...GOOD, lib: undefined, target: "es5" } }));
    const { exit, out } = await asked.run(["doctor"]);
    expect(exit).toBe(0);
    expect(out).toContain(
      "TypeScript, tsconfig.json: not ready\n  generated code needs Node's types, which aren't installed",
    );
    const { typescript } = JSON.parse((await asked.run(["doctor", "--json"])).out) as { typescript: object };
    expect(typescript).toMatchObject({ config: "tsconfig.json", version: null });
    asked.write("rolecall.yaml", "version: 1\nproject: harbor\nruntime: package\n");
    asked.write("tsconfig.json", JSON.stringify({ compilerOptions: GOOD }));
    expect((await asked.run(["doctor"])).out.replace(/\s+/g, " ")).toContain(
      "generated code imports `rolecall/runtime`, and rolecall isn't installed next: run `npm pack` in your clone of rolecall, and here `npm install` with the file that it wrote",
    );
  } finally {
    asked.remove();
  }
});
