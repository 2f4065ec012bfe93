import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownVersion } from "../../../compiler/io/read/own-version.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { ROOT } from "../../support/root.ts";
import { compilers, type Compiler } from "../../types/tsc.ts";

/** What `rolecall init` does for a folder's TypeScript: with what it wrote and said, real compilers take what a build makes. */

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  install("typescript", "@types/node", "undici-types", "@modelcontextprotocol/client");
});
afterEach(() => project.remove());

function install(...names: string[]): void {
  for (const name of names) {
    const to = path.join(project.dir, "node_modules", name);
    mkdirSync(path.dirname(to), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules", name), to, "dir");
  }
}

const ENV = { PATH: process.env["PATH"]! };

interface Started {
  readonly files: readonly { readonly path: string }[];
  readonly forCode: readonly string[];
}

async function init(): Promise<Started> {
  const { exit, out, err } = await project.run(["init", "--yes", "--json"], { env: ENV });
  expect([exit, err]).toEqual([0, ""]);
  return JSON.parse(out) as Started;
}

/** With a role that holds something, and an app that uses it. */
async function build(importOf: string): Promise<void> {
  expect((await project.run(["capture", "--accept"], { env: ENV })).exit).toBe(0);
  expect((await project.run(["build"])).exit).toBe(0);
  project.write(
    "src/app.ts",
    `import { team } from "./mcp/index${importOf}";\nexport const read = () => team().as("reader").notes.read_note({ name: "welcome" });\n`,
  );
}

function compile(compiler: Compiler, ...argv: string[]): string {
  const tsc = path.join(ROOT, "node_modules", compilers[compiler], "bin/tsc");
  return spawnSync(process.execPath, [tsc, "--noEmit", ...argv], { cwd: project.dir, encoding: "utf8" }).stdout;
}

const json = (file: string, value: object) => project.write(file, JSON.stringify(value, null, 2));
const STRICT = {
  target: "es2022",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  rootDir: "src",
  outDir: "dist",
};
const configure = (options: object) =>
  json("tsconfig.json", { compilerOptions: { ...STRICT, ...options }, include: ["src"] });

const CONFIGURE =
  'npx tsc --init, then write "types": ["node"], "rewriteRelativeImportExtensions": true and "outDir": "dist", "rootDir": "." in the tsconfig.json that it makes';

describe("a package", () => {
  const client = { dependencies: { "@modelcontextprotocol/client": "2.4.0" }, devDependencies: { rolecall: "0.1.0" } };

  test("of CommonJS is told what makes it one of ES modules, and compiles then", async () => {
    json("package.json", { name: "old", ...client });
    configure({ module: "commonjs", ignoreDeprecations: "6.0" });
    const { forCode } = await init();
    expect(forCode).toEqual([
      'write "module": "nodenext" in tsconfig.json: generated code is ES modules, and `module` makes others',
      'write "type": "module" in package.json: generated code is ES modules, and its package isn\'t one',
    ]);
    await build(".js");
    expect(compile("7.0", "-p", ".")).not.toBe("");
    configure({ module: "nodenext" });
    expect(compile("7.0", "-p", ".")).not.toBe("");
    json("package.json", { name: "old", type: "module" });
    expect(compile("7.0", "-p", ".")).toBe("");
  }, 60_000);

  test.each<Compiler>(["5.2", "7.0"])(
    "of ES modules for Node needs nothing: TypeScript %s",
    async (compiler) => {
      json("package.json", { name: "new", type: "module", ...client });
      configure({ module: "nodenext" });
      expect((await init()).forCode).toEqual([]);
      expect(project.read("rolecall.yaml")).not.toContain("importExtension");
      await build(".js");
      expect(compile(compiler, "-p", ".")).toBe("");
    },
    60_000,
  );

  test.each<[string, object, string]>([
    ["a bundler", { module: "esnext", moduleResolution: "bundler" }, "none"],
    ["a bundler that keeps modules", { module: "preserve" }, "none"],
    [
      "a bundler that takes .ts",
      { module: "esnext", moduleResolution: "bundler", allowImportingTsExtensions: true },
      "ts",
    ],
    ["Node itself", { module: "nodenext", rewriteRelativeImportExtensions: true }, "ts"],
  ])(
    "for %s gets its `importExtension`, and compiles",
    async (_, options, imports) => {
      json("package.json", { name: "app", type: "module", ...client });
      configure(options);
      expect((await init()).forCode).toEqual([]);
      expect(project.read("rolecall.yaml")).toContain(`\nimportExtension: ${imports} #`);
      await build(imports === "none" ? "" : ".ts");
      expect(compile("7.0", "-p", ".")).toBe("");
      expect((await project.run(["doctor"], { env: ENV })).out).not.toContain("not ready");
    },
    60_000,
  );

  const BESIDE =
    'write "outDir": "dist", "rootDir": "." in tsconfig.json, or "noEmit": true: what `tsc` makes beside generated code stops the next build';
  test.each([
    [{}, {}, [BESIDE]],
    [{ noEmit: true }, {}, []],
    [{}, { check: "tsc --noEmit" }, []],
  ])("whose compiler puts its files beside generated code is told: %j %j", async (options, scripts, steps) => {
    json("package.json", { name: "new", type: "module", ...client, scripts });
    configure({ module: "nodenext", outDir: undefined, rootDir: undefined, ...options });
    expect((await init()).forCode).toEqual(steps);
  });

  test("that lacks what code needs is told the commands", async () => {
    json("package.json", { name: "app" });
    expect((await init()).forCode).toEqual([
      'write "type": "module" in package.json: generated code is ES modules',
      "npm install --save-dev typescript @types/node",
      CONFIGURE,
      "npm install @modelcontextprotocol/client: generated code connects by it",
      "npm install --save-dev FILE, the one that `npm pack` writes in your clone of rolecall",
    ]);
  });
});

test("no package at all: with what it says, it compiles", async () => {
  const { forCode } = await init();
  expect(forCode[0]).toBe("npm init -y, then npm pkg set type=module");
  const env = { ...process.env, npm_config_offline: "true" };
  for (const command of forCode[0]!.split(", then ")) execFileSync("sh", ["-c", command], { cwd: project.dir, env });
  expect(project.read("rolecall.yaml")).toContain("\nimportExtension: ts #");
  await build(".ts");
  expect(forCode).toContain(CONFIGURE);
  compile("7.0", "--init");
  const made = project.read("tsconfig.json");
  const doctor = async () => (await project.run(["doctor"], { env: ENV })).out.replace(/\s+/g, " ");
  expect(await doctor()).toContain('write "rewriteRelativeImportExtensions": true in tsconfig.json');
  project.write(
    "tsconfig.json",
    made
      .replace(/"types": \[\]/, '"types": ["node"]')
      .replace(/\n\s*"strict"/, '\n"rewriteRelativeImportExtensions": true, "outDir": "dist", "rootDir": ".",$&'),
  );
  expect(compile("7.0", "-p", ".", "--noEmit", "false")).toBe("");
  expect((await project.run(["build"])).err).not.toContain("output/shadowed");
  expect(await doctor()).not.toContain("not ready");
  project.write("tsconfig.json", made);
  expect(compile("7.0", "-p", ".")).not.toBe("");
}, 60_000);

describe("the devDependency", () => {
  const at = (entry: object | undefined): string | undefined => {
    json("modules/.package-lock.json", { packages: { "node_modules/rolecall": entry } });
    return ownVersion(pathToFileURL(path.join(project.dir, "modules/rolecall/")));
  };

  test.each([
    ["a registry", { resolved: "https://packages.example/rolecall/-/rolecall-1.2.3.tgz" }, "1.2.3"],
    ["a registry that the lock leaves out", {}, "1.2.3"],
    ["a file", { resolved: "file:../rolecall-1.2.3.tgz" }, undefined],
    ["a folder", { resolved: "../rolecall", link: true }, undefined],
    ["an address of somebody's", { resolved: "https://example.com/rolecall.tgz" }, undefined],
    ["git", { resolved: "git+ssh://git@example.com/rolecall.git#0a1b" }, undefined],
  ])("is this version where it came from %s", (_, entry, version) => {
    expect(at({ version: "1.2.3", ...entry })).toBe(version);
  });

  test("is none where npm noted nothing", () => {
    expect(at(undefined)).toBeUndefined();
    expect(ownVersion(pathToFileURL(path.join(project.dir, "clone/")))).toBeUndefined();
  });
});
