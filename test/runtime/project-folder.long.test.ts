import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build, type Format } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOOLS } from "../support/faults/tools.mjs";
import { generatedProject, type GeneratedProject } from "../support/generated-team.ts";
import { FAULT_SERVER, ROOT } from "../support/root.ts";

/** What servers start from is the project's folder, wherever the app was started and however it was bundled. */

const CONFIG = JSON.stringify(JSON.stringify({}));
const APP = `import { team } from "./mcp/index.js";
const options = process.argv[2] === undefined ? {} : { root: process.argv[2] };
const crew = team(options);
const tester = crew.as("tester");
const folders = await Promise.all([tester.plain.seen(), tester.inner.seen(), tester.script.seen()]);
const judged = await tester.judged.echo({ path: process.cwd() + "/tests/a" }).then(() => "passed", (error) => error.code);
console.log(JSON.stringify([...folders.map(({ structured }) => structured.cwd), judged]));
await crew.close();
`;
const LIGHT = `import { team } from "./mcp/runtime.js";
import { tester as role } from "./mcp/roles/tester.js";
const crew = team();
const { structured } = await crew.as(role).plain.seen();
console.log(JSON.stringify(structured.cwd));
await crew.close();
`;

let project: GeneratedProject;
let elsewhere: string;
beforeAll(async () => {
  elsewhere = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-elsewhere-")));
  const stdio = `[${process.execPath}, ${FAULT_SERVER}, ${CONFIG}]`;
  project = await generatedProject(
    {
      "rolecall.yaml": `version: 1
project: harbor
servers:
  plain: { connect: [{ stdio: ${stdio} }] }
  inner: { connect: [{ stdio: ${stdio}, cwd: tools }] }
  script: { connect: [{ stdio: [./start.sh] }] }
  judged: { connect: [{ stdio: ${stdio} }], root: . }
roles:
  tester:
    tools: { plain: [seen], inner: [seen], script: [seen], judged: { include: [echo], where: { echo: { path: { glob: "**" } } } } }
`,
      "start.sh": `#!/bin/sh\nexec ${process.execPath} ${FAULT_SERVER} '{}'\n`,
      "tools/keep": "",
      "mcp/manifests/plain.json": manifest("plain"),
      "mcp/manifests/inner.json": manifest("inner"),
      "mcp/manifests/script.json": manifest("script"),
      "mcp/manifests/judged.json": manifest("judged", { type: "object", properties: { path: { type: "string" } } }),
      "package.json": '{ "type": "module" }',
      "src/app.ts": APP,
      "src/light.ts": LIGHT,
    },
    [["build"]],
  );
  chmodSync(path.join(project.dir, "start.sh"), 0o755);
});
afterAll(() => {
  project.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

function manifest(server: string, inputSchema?: object): string {
  const tools = TOOLS.map((tool) => (tool.name === "echo" && inputSchema ? { ...tool, inputSchema } : tool));
  return JSON.stringify({ format: 1, server, capabilities: { tools: {} }, tools });
}

async function bundled(outfile: string, format: Format, entry = "app", more: object = {}): Promise<string> {
  await build({
    entryPoints: [path.join(project.dir, `src/${entry}.ts`)],
    outfile,
    bundle: true,
    packages: "external",
    format,
    platform: "node",
    logLevel: "error",
    ...more,
  });
  return outfile;
}

async function ran(file: string, cwd: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd });
  return JSON.parse(stdout);
}

describe("an app that was started elsewhere", () => {
  // A path below the folder that the app was started in is no path of the project's.
  const inProject = (dir: string): unknown[] => [dir, path.join(dir, "tools"), dir, "argument-refused"];

  test("bundled into one file", async () => {
    const file = await bundled(path.join(project.dir, "dist/a/b/c/app.mjs"), "esm");
    expect(await ran(file, elsewhere)).toEqual(inProject(project.dir));
    const [plain, , , judged] = (await ran(file, path.join(project.dir, "dist"))) as string[];
    // Below `dist` it is a path of the project's: the condition lets it pass, and the tool isn't the one that was pinned.
    expect([plain, judged]).toEqual([project.dir, "tool-changed"]);
  });

  test("bundled and minified, in pieces", async () => {
    const outdir = path.join(project.dir, "dist/pieces");
    const more = { outfile: undefined, outdir, splitting: true, minify: true, outExtension: { ".js": ".mjs" } };
    await bundled("", "esm", "app", more);
    expect(await ran(path.join(outdir, "app.mjs"), elsewhere)).toEqual(inProject(project.dir));
  });

  test("not bundled: each file as it was generated, without its types", async () => {
    const outdir = path.join(project.dir, "out");
    const compilerOptions = { outDir: outdir, rootDir: "src", module: "nodenext", target: "es2023", noCheck: true };
    project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
    await promisify(execFile)(path.join(ROOT, "node_modules/typescript/bin/tsc"), ["-p", project.dir]);
    expect(await ran(path.join(outdir, "app.js"), elsewhere)).toEqual(inProject(project.dir));
  });

  test("with a role module and the runtime alone", async () => {
    const file = await bundled(path.join(project.dir, "dist/light.mjs"), "esm", "light");
    expect(await ran(file, elsewhere)).toBe(project.dir);
  });

  test("`root` is what counts where it is given, relative to where the app was started", async () => {
    const file = await bundled(path.join(project.dir, "dist/app.mjs"), "esm");
    const copy = path.join(elsewhere, "copy");
    mkdirSync(path.join(copy, "tools"), { recursive: true });
    cpSync(path.join(project.dir, "start.sh"), path.join(copy, "start.sh"));
    expect(await ran(file, elsewhere, "copy")).toEqual(inProject(copy));
  });

  test("deployed without rolecall.yaml: the folder as the build knew it", async () => {
    const moved = path.join(elsewhere, "moved");
    mkdirSync(path.join(moved, "tools"), { recursive: true });
    cpSync(path.join(project.dir, "start.sh"), path.join(moved, "start.sh"));
    symlinkSync(path.join(ROOT, "node_modules"), path.join(moved, "node_modules"), "dir");
    const file = await bundled(path.join(moved, "build/mcp/app.mjs"), "esm");
    expect(await ran(file, elsewhere)).toEqual(inProject(moved));
  });
});
