import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import ts from "typescript-6";
import { ROOT } from "./root.ts";

/** The packages of the repository in a project's own `node_modules`, with rolecall among them as the sources make it now. */
export async function installPackages(dir: string): Promise<void> {
  const modules = path.join(dir, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(path.join(ROOT, "node_modules")))
    if (name !== "rolecall") symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
  const own = path.join(modules, "rolecall");
  mkdirSync(own);
  const exports = { "./testing": { types: "./fake-server.d.ts", default: "./testing.mjs" } };
  writeFileSync(path.join(own, "package.json"), JSON.stringify({ name: "rolecall", type: "module", exports }));
  for (const name of ["fake-server", "types"]) writeFileSync(path.join(own, `${name}.d.ts`), declarationsOf(name));
  await build({
    entryPoints: [path.join(ROOT, "compiler/testing/fake-server.ts")],
    write: false,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    // Packages that are asked for when they are needed are found from the repository.
    define: { "import.meta.url": JSON.stringify(`file://${ROOT}/compiler/io/libraries.ts`) },
  }).then(({ outputFiles }) => writeFileSync(path.join(own, "testing.mjs"), outputFiles[0]!.text));
}

function declarationsOf(name: string): string {
  const source = readFileSync(path.join(ROOT, "compiler/testing", `${name}.ts`), "utf8");
  return ts.transpileDeclaration(source, {}).outputText.replaceAll('.ts"', '.js"');
}
