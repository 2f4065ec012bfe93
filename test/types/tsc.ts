import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The compilers that generated modules promise to compile with, by their folder in node_modules. */
export const compilers = {
  "5.2": "typescript-5.2",
  "5.9": "typescript-5.9",
  "6.0": "typescript-6",
  "7.0": "typescript",
} as const;
export type Compiler = keyof typeof compilers;

const require = createRequire(import.meta.url);
const modules = dirname(dirname(require.resolve("vitest/package.json")));

/** Every flag of the contract; `erasableSyntaxOnly` and `isolatedDeclarations` where the version has them. */
function optionsFor(compiler: Compiler): Record<string, unknown> {
  return {
    target: "es2022",
    lib: ["es2023", "esnext.disposable"],
    types: ["node"],
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    declaration: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    ...(compiler === "5.2" ? {} : { isolatedDeclarations: true, erasableSyntaxOnly: true }),
  };
}

export interface Project {
  readonly folder: string;
  write(path: string, text: string): void;
  remove(): void;
}

/** A temporary ESM package that sees this one's node_modules. */
export function temporaryProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-types-"));
  symlinkSync(modules, join(folder, "node_modules"), "dir");
  const project: Project = {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  project.write("package.json", '{ "type": "module" }\n');
  return project;
}

/** What the compiler says about the files of a project, as lines; none when all is well. */
export async function typeCheck(
  project: Project,
  compiler: Compiler,
  include: readonly string[],
  more: Record<string, unknown> = {},
  flags: readonly string[] = [],
): Promise<string[]> {
  const config = `tsconfig.${compiler}.json`;
  project.write(config, JSON.stringify({ compilerOptions: { ...optionsFor(compiler), ...more }, include }));
  const output = await run(
    join(modules, compilers[compiler], "bin/tsc"),
    ["-p", join(project.folder, config), "--pretty", "false", ...flags],
    project.folder,
  );
  return output.split("\n").filter((line) => line !== "");
}

function run(script: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
