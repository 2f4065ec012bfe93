// Is everything in the repository that is made from something else up to date? Schemas are made again and compared,
// every example is built with --check. Needs dist/cli.js.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..");
const stale = [...staleSchemas(), ...staleExamples()];
for (const problem of stale) console.error(problem);
if (stale.length === 0) console.log("schemas and examples are up to date");
process.exitCode = stale.length === 0 ? 0 : 1;

/** The new files stay, so that they only need to be committed. */
function staleSchemas() {
  const before = readSchemas();
  const ended = node("scripts/run.mjs", "scripts/write-schemas.ts");
  if (ended.status !== 0) return [`scripts/write-schemas.ts failed:\n${ended.stdout}${ended.stderr}`];
  const after = readSchemas();
  const files = [...new Set([...before.keys(), ...after.keys()])].sort();
  return files
    .filter((file) => before.get(file) !== after.get(file))
    .map((file) => `schemas/json/${file} was out of date; it is made again, commit it`);
}

function readSchemas() {
  const folder = path.join(ROOT, "schemas/json");
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

function staleExamples() {
  return examples().flatMap((example) => {
    const ended = node("dist/cli.js", "build", "--check", "--no-cache", "--project", `examples/${example}`);
    if (ended.status === 0) return [];
    const mend = `node dist/cli.js build --project examples/${example}`;
    return [`examples/${example} is out of date; make it again with: ${mend}\n${ended.stdout}${ended.stderr}`];
  });
}

function examples() {
  const folder = path.join(ROOT, "examples");
  // Some leave what is made of them to whoever looks at them: test/docs/small-examples.long.test.ts builds those.
  const isCommitted = (name) => !existsSync(path.join(folder, name, ".gitignore"));
  return readdirSync(folder).filter(
    (name) => existsSync(path.join(folder, name, "rolecall.yaml")) && isCommitted(name),
  );
}

function node(...argv) {
  return spawnSync(process.execPath, argv, { cwd: ROOT, encoding: "utf8" });
}
