import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** What an app pays: `tsc` over one file that imports one role module and calls some of its tools, and over an empty one. */

const ROLE = { name: "role-0", value: "role0", servers: "Role0Servers" };
const CALLS = 25;

export function makeConsumers(project) {
  writeFileSync(path.join(project, "package.json"), '{ "type": "module" }\n');
  const app = path.join(project, "app");
  const empty = path.join(project, "empty");
  writeProject(app, appText(project));
  writeProject(empty, "export {};\n");
  return { app, empty };
}

function appText(project) {
  const access = JSON.parse(readFileSync(path.join(project, "src/mcp/access.json"), "utf8"));
  const servers = Object.entries(access.roles[ROLE.name].servers);
  const tools = servers.flatMap(([server, grant]) => Object.keys(grant.tools).map((tool) => [server, tool]));
  const calls = tools.slice(0, CALLS).map(([server, tool], i) => {
    return `export const call${i} = tools[${JSON.stringify(server)}][${JSON.stringify(tool)}]({} as never);\n`;
  });
  const module = `../src/mcp/roles/${ROLE.name}.js`;
  return `import { ${ROLE.value}, type ${ROLE.servers} } from "${module}";\ndeclare const tools: ${ROLE.servers};\n${calls.join("")}export const held = ${ROLE.value}.name;\n`;
}

function writeProject(folder, text) {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom", "esnext.disposable"],
    module: "nodenext",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true, // only the libraries of TypeScript itself are .d.ts here: what we generate is checked
    noEmit: true,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "main.ts"), text);
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
}

/** The native compiler itself: its wrapper in Node costs more than a small check. */
export async function nativeTsc() {
  const home = path.dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const found = await import(pathToFileURL(path.join(home, "lib/getExePath.js")).href);
  return found.default();
}

export function instantiations(tsc, folder) {
  const { stdout } = spawnSync(tsc, ["-p", folder, "--extendedDiagnostics"], { encoding: "utf8" });
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
}
