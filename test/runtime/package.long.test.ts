import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compilers, type Compiler } from "../types/tsc.ts";
import { ROOT } from "../support/root.ts";

/** `runtime: package`: the packed package in an empty folder, a real server, and JavaScript as this Node runs it. */

const MODULES = path.join(ROOT, "node_modules");
const SERVER = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const PROJECT = `version: 1
project: harbor
runtime: package
hosts: [ai-sdk]
servers:
  everything: { connect: [{ stdio: [node, ${SERVER}, stdio] }] }
roles:
  caller: { tools: { everything: [echo, get-sum] } }
`;
const APP = `import { team } from "./mcp/index.js";
import { caller } from "./mcp/roles/caller.js";
import { aiTools } from "./mcp/hosts/ai-sdk.js";
import { RolecallError, team as light } from "rolecall/runtime";

const harbor = team();
const own = light();
try {
  const session = harbor.as("caller");
  const { text } = await session.everything.echo({ message: "ahoy" });
  const sum = await own.as(caller).everything["get-sum"]({ a: 2, b: 3 });
  // @ts-expect-error not held
  const refused = await session.$call("everything", "get-env", {}).catch((error: unknown) => error);
  console.log(JSON.stringify([text, sum.text, refused instanceof RolecallError && refused.code]));
  console.log(JSON.stringify(Object.keys(await aiTools(session))));
} finally {
  await harbor.close();
  await own.close();
}
`;

let home: string;
let app: string;
const cli = (...argv: string[]) =>
  spawnSync(process.execPath, [path.join(app, "node_modules/rolecall/dist/cli.js"), ...argv], {
    cwd: app,
    encoding: "utf8",
  });
const tsc = (compiler: Compiler, ...argv: string[]) =>
  spawnSync(process.execPath, [path.join(MODULES, compilers[compiler], "bin/tsc"), ...argv], {
    cwd: app,
    encoding: "utf8",
  });

beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-package-")));
  app = path.join(home, "app");
  install(pack());
  writeFileSync(path.join(app, "rolecall.yaml"), PROJECT);
  mkdirSync(path.join(app, "mcp"));
  mkdirSync(path.join(app, "src"));
  writeFileSync(path.join(app, "src/app.ts"), APP);
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** From a copy, as `prepack` makes it: dist/ of the repository stays what it is. */
function pack(): string {
  const copy = path.join(home, "package");
  const parts = ["compiler", "runtime", "schemas", "scripts", "docs", "package.json", "README.md", "LICENSE"];
  const configs = readdirSync(ROOT).filter((name) => /^tsconfig\..*json$/.test(name));
  for (const part of [...parts, "tsconfig.json", ...configs])
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  symlinkSync(MODULES, path.join(copy, "node_modules"), "dir");
  const npm = (...argv: string[]) => execFileSync("npm", argv, { cwd: copy, encoding: "utf8", stdio: "pipe" });
  npm("run", "prepack");
  npm("pack", "--ignore-scripts", "--pack-destination", home);
  return path.join(
    home,
    readdirSync(home).find((name) => name.endsWith(".tgz"))!,
  );
}

/** As npm would, without the network: the package unpacked, and what it depends on beside it. */
function install(tarball: string): void {
  const target = path.join(app, "node_modules/rolecall");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["xzf", tarball, "-C", target, "--strip-components=1"]);
  const { version, dependencies } = JSON.parse(readFileSync(path.join(target, "package.json"), "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), "@modelcontextprotocol/server-everything", "@types/node", "ai"]) {
    mkdirSync(path.dirname(path.join(app, "node_modules", name)), { recursive: true });
    symlinkSync(path.join(MODULES, name), path.join(app, "node_modules", name), "dir");
  }
  const own = { type: "module", dependencies: { rolecall: version, ai: "6" } };
  writeFileSync(path.join(app, "package.json"), JSON.stringify(own));
}

function configure(): void {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom"],
    types: ["node"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    noUnusedLocals: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    rootDir: "src",
    outDir: "dist",
  };
  writeFileSync(path.join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
}

describe("the packed package", () => {
  // npm counts all of these, `prepare` too where a tarball is named, and warns of them.
  test("has nothing that npm would run where it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(app, "node_modules/rolecall/package.json"), "utf8"));
    const run = ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts);
    expect(run).toEqual([]);
    // Of a clone both would leave nothing to start.
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["dependencies", "prepack"]));
  });

  test("captures and builds, and writes no runtime", () => {
    const captured = cli("capture", "--accept");
    expect(captured.status, captured.stderr).toBe(0);
    const built = cli("build");
    expect(built.status, built.stderr).toBe(0);
    expect(readdirSync(path.join(app, "src/mcp")).filter((name) => name.startsWith("runtime"))).toEqual([]);
    expect(readFileSync(path.join(app, "src/mcp/index.ts"), "utf8")).toContain(' from "rolecall/runtime";\n');
    expect(readFileSync(path.join(app, "src/mcp/roles/caller.ts"), "utf8")).toContain(
      ' from "rolecall/runtime/types";\n',
    );
    expect(cli("build", "--check").status).toBe(0);
  });

  test.each(Object.keys(compilers) as Compiler[])("its declarations type-check: TypeScript %s", (compiler) => {
    configure();
    const checked = tsc(compiler, "--noEmit");
    expect(checked.stdout).toBe("");
  });

  test("its declarations are sound by themselves", () => {
    const types = path.join(app, "node_modules/rolecall/dist/runtime/package");
    const files = ["runtime", "runtime-types", "runtime-connect"].map((name) => path.join(types, `${name}.d.ts`));
    const checked = tsc(
      "7.0",
      "--ignoreConfig",
      "--noEmit",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node",
      "--lib",
      "es2023,esnext.disposable",
      "--strict",
      ...files,
    );
    expect(checked.stdout).toBe("");
  });

  test("calls a real server, from JavaScript", () => {
    configure();
    expect(tsc("7.0").stdout).toBe("");
    expect(existsSync(path.join(app, "dist/app.js"))).toBe(true);
    const ran = spawnSync(process.execPath, ["dist/app.js"], { cwd: app, encoding: "utf8", timeout: 60_000 });
    const [calls, tools] = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect([calls, ran.stderr]).toEqual([
      ["Echo: ahoy", expect.stringContaining("5"), "tool-denied"],
      expect.any(String),
    ]);
    expect(tools).toEqual(["everything_echo", "everything_get-sum"]);
  });
});
