// Which code an `exclude` and a `where` pass through, for docs/decisions/measures.md, in a checkout of any age:
//   node --import tsx scripts/walk.mjs [--list] [FOLDER]
// A project is compiled with them and without, and V8 counts the calls of each function: one that is called more often
// with them is on their way. Files of their texts are made too.
import { Session } from "node:inspector/promises";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript-6";

const folder = process.argv.slice(2).find((word) => word !== "--list");
const root = path.resolve(folder ?? path.join(import.meta.dirname, ".."));
const { allTargets, compile, lazyLibraries, memoryFiles, readResources } = await import(
  pathToFileURL(path.join(root, "compiler/index.ts")).href
);

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const without = project("{ include: [list, read, write] }");
const withThem = project('{ exclude: ["delete_*"], where: { write: { path: { glob: "tests/**" } } } }');
// The first time what is made once is made.
for (const files of [without, withThem]) await callsOf(files);
const before = await callsOf(without);
const after = await callsOf(withThem);
const onTheWay = [...after].filter(([one, calls]) => calls > (before.get(one) ?? 0)).map(([one]) => JSON.parse(one));

print(
  "run",
  [...after.keys()].map((one) => JSON.parse(one)),
);
print("on the way", onTheWay);
if (process.argv.includes("--list")) list(onTheWay);

function project(role) {
  const tools = ["delete_file", "delete_tree", "list", "read", "write"].map((name) => ({
    name,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  }));
  return {
    "rolecall.yaml": `version: 1
project: walk
hosts: [{ id: claude-code, whenUnenforceable: leave-out }]
servers:
  files:
    connect: [{ stdio: [node, server.js] }]
roles:
  tester:
    description: Writes tests.
    tools:
      files: ${role}
`,
    "mcp/manifests/files.json": JSON.stringify({ tools }),
  };
}

/** Calls by function: its file, name and place. */
async function callsOf(files) {
  await session.post("Profiler.takePreciseCoverage");
  const { artifacts, diagnostics } = compile(memoryFiles(files), allTargets(readResources()), lazyLibraries());
  for (const one of artifacts) void ("chunks" in one ? [...one.chunks] : one.text);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const wrong = diagnostics.filter(({ severity }) => severity === "error");
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  return new Map(
    result
      .filter(({ url }) => isOurs(url))
      .flatMap((script) =>
        script.functions.flatMap(({ functionName, ranges: [{ startOffset, endOffset, count }] }) => {
          const file = path.relative(root, fileURLToPath(script.url.split("?")[0]));
          // The first of a file is the file itself.
          return startOffset === 0 ? [] : [[JSON.stringify([file, functionName, startOffset, endOffset]), count]];
        }),
      ),
  );
}

function isOurs(url) {
  return ["compiler", "runtime", "schemas"].some((folder) =>
    url.startsWith(pathToFileURL(path.join(root, folder)).href),
  );
}

function print(name, functions) {
  const files = [...new Set(functions.map(([file]) => file))];
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  const named = functions.filter(([, called]) => called !== "" && called !== "__name");
  const inFunctions = named.reduce((sum, [file, called]) => sum + (functionsIn(file).get(called) ?? 0), 0);
  console.log(
    `${name}: ${files.length} files of ${lines} lines; ${named.length} named functions of ${inFunctions} lines`,
  );
}

function linesOf(file) {
  return readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
}

/** Lines by name. */
function functionsIn(file) {
  const tree = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const lines = new Map();
  const visit = (node) => {
    const named = ts.isVariableDeclaration(node)
      ? node.initializer && ts.isArrowFunction(node.initializer)
      : ts.isFunctionLike(node);
    if (named && node.name !== undefined) lines.set(node.name.getText(), node.getText().split("\n").length);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lines;
}

function list(functions) {
  for (const file of [...new Set(functions.map(([one]) => one))].sort()) {
    const names = functions.flatMap(([one, name]) => (one === file && name !== "" && name !== "__name" ? [name] : []));
    console.log(`${file} (${linesOf(file)}): ${names.join(", ")}`);
  }
}
