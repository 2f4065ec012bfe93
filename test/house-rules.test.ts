import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as laws from "./support/laws.ts";
import type { Exemption, Room } from "./support/laws.ts";
import { readModule } from "./support/module-facts.ts";

/**
 * The laws of the house, as data. This is the one place that says who may import whom: compiler/README.md points here.
 * The laws themselves are in support/laws.ts, and test/laws.test.ts sees each of them fail.
 */

const BASE = ["compiler/base/**", "runtime/canonical.ts"];
const PURE_RUNTIME = [
  "contract",
  "server-data",
  "conditions",
  "path-glob",
  "pinned-schema",
  "canonical",
  "json-values",
  "last-words",
  "loopback",
  "covered-tool",
].map((name) => `runtime/${name}.ts`);
const PLAN = ["types", "held", "access", "condition-words"].map((name) => `compiler/3-plan/${name}.ts`);
const RUNTIME_DATA = ["compiler/runtime-data/**"];
const FIT = ["compiler/4-fit/**"];
/** What every target may use: the contract of artifacts, and how text of a kind is made. */
const TARGET_TOOLS = [
  "compiler/5-artifacts/*.ts",
  "compiler/5-artifacts/typescript/**",
  "compiler/5-artifacts/managed/block.ts",
];
const EVERY_PASS = [
  "compiler/base/**",
  "compiler/diagnostics/**",
  "compiler/1-source/**",
  "compiler/2-model/**",
  "compiler/3-plan/**",
  "compiler/checks/**",
  "compiler/4-fit/**",
  "compiler/5-artifacts/**",
];

/** The first room that names a file is its room. A room imports itself and what is listed; `types of` leaves nothing at run time. */
const ROOMS: readonly Room[] = [
  { name: "base", files: ["compiler/base/**"], imports: PURE_RUNTIME },
  { name: "diagnostics", files: ["compiler/diagnostics/**"], imports: BASE },
  {
    name: "1-source",
    files: ["compiler/1-source/**"],
    imports: [...BASE, "compiler/diagnostics/**", "schemas/**", "runtime/covered-tool.ts"],
  },
  {
    name: "2-model",
    files: ["compiler/2-model/**"],
    imports: [
      ...BASE,
      "compiler/diagnostics/**",
      "compiler/1-source/types.ts",
      "types of schemas/types.ts",
      ...PURE_RUNTIME,
    ],
  },
  { name: "3-plan", files: ["compiler/3-plan/**"], imports: [...BASE, "compiler/2-model/types.ts", ...PURE_RUNTIME] },
  {
    name: "checks",
    files: ["compiler/checks/**"],
    imports: [
      ...BASE,
      "compiler/diagnostics/**",
      ...["types", "argument-path", "lineage"].map((name) => `compiler/2-model/${name}.ts`),
      "types of compiler/4-fit/types.ts",
      ...PLAN,
      ...PURE_RUNTIME,
    ],
  },
  {
    name: "what the runtime is given",
    files: RUNTIME_DATA,
    imports: [...BASE, ...PLAN, "types of runtime/contract.ts", "types of runtime/server-data.ts"],
  },
  { name: "4-fit", files: FIT, imports: [...BASE, ...PLAN] },
  {
    name: "the lists of targets and hosts",
    files: [
      "compiler/5-artifacts/targets.ts",
      "compiler/5-artifacts/emit.ts",
      "compiler/5-artifacts/hosts/all-hosts.ts",
    ],
    imports: [...BASE, ...PLAN, ...FIT, "compiler/5-artifacts/**"],
  },
  {
    name: "5-artifacts",
    files: ["compiler/5-artifacts/*.ts", "compiler/5-artifacts/typescript/**", "compiler/5-artifacts/managed/**"],
    imports: [...BASE, ...PLAN, ...FIT, "compiler/5-artifacts/typescript/writer.ts"],
  },
  {
    name: "what hosts have in common",
    files: ["compiler/5-artifacts/hosts/*.ts"],
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS],
  },
  {
    name: "a host",
    files: ["compiler/5-artifacts/hosts/*/**"],
    folderEach: "compiler/5-artifacts/hosts/",
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "compiler/5-artifacts/hosts/*.ts"],
  },
  {
    name: "the editor schemas' target",
    files: ["compiler/5-artifacts/editor-schemas/**"],
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "schemas/**"],
  },
  {
    name: "a target for reviewers",
    files: ["compiler/5-artifacts/review/*/**"],
    folderEach: "compiler/5-artifacts/review/",
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "types of runtime/contract.ts"],
  },
  {
    name: "a target",
    files: ["compiler/5-artifacts/*/**"],
    folderEach: "compiler/5-artifacts/",
    imports: [...BASE, ...PLAN, ...FIT, ...RUNTIME_DATA, ...TARGET_TOOLS],
  },
  {
    name: "capture",
    files: ["compiler/capture/**"],
    imports: [
      ...BASE,
      "types of compiler/diagnostics/types.ts",
      "compiler/1-source/types.ts",
      "compiler/1-source/examine-manifest.ts",
      "compiler/3-plan/types.ts",
      "types of compiler/3-plan/compare-access.ts",
      "runtime/last-words.ts",
      "types of runtime/server-data.ts",
      "runtime/secrets.ts",
    ],
  },
  { name: "calls", files: ["compiler/calls/**"], imports: [...BASE] },
  {
    name: "io",
    files: ["compiler/io/**"],
    world: true,
    imports: [
      ...BASE,
      "compiler/diagnostics/**",
      "compiler/1-source/types.ts",
      "compiler/5-artifacts/*.ts",
      "compiler/3-plan/read-access.ts",
      "compiler/5-artifacts/managed/**",
      "types of compiler/5-artifacts/targets.ts",
      "types of compiler/2-model/types.ts",
      "types of compiler/4-fit/types.ts",
      "compiler/capture/**",
      // A server is reached in one way only: capture and doctor connect as the runtime does.
      "runtime/connect/**",
      // And what is said of a call's arguments is what a call is told.
      "runtime/session/schemas.ts",
      "runtime/session/root.ts",
      ...PURE_RUNTIME,
      "types of runtime/link.ts",
    ],
  },
  { name: "the pipeline", files: ["compiler/compile.ts"], imports: EVERY_PASS },
  {
    name: "the compiler's door",
    files: ["compiler/index.ts"],
    imports: ["compiler/compile.ts", "compiler/io/**", ...EVERY_PASS],
  },
  {
    name: "cli",
    files: ["compiler/cli/**"],
    world: true,
    imports: [
      "compiler/compile.ts",
      "compiler/io/**",
      "compiler/capture/**",
      "compiler/calls/**",
      ...RUNTIME_DATA,
      ...EVERY_PASS,
      ...PURE_RUNTIME,
      "package.json",
    ],
  },
  { name: "the pure part of the runtime", files: PURE_RUNTIME, imports: [] },
  {
    name: "the runtime's connections, which know nothing of sessions",
    files: ["runtime/connect/**"],
    world: true,
    imports: [...PURE_RUNTIME, "runtime/*.ts"],
  },
  { name: "runtime", files: ["runtime/**"], world: true, imports: [...PURE_RUNTIME, "runtime/connect/**"] },
  { name: "schemas", files: ["schemas/**"], imports: [] },
];

/** Packages of the compiler and the runtime. `npm run build` bundles them into the CLI. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: ["compiler/1-source/**", "compiler/5-artifacts/managed/**", "compiler/io/libraries.ts"],
  "jsonc-parser": ["compiler/5-artifacts/managed/**", "compiler/io/**"],
  zod: ["schemas/**", "compiler/1-source/**", "compiler/5-artifacts/editor-schemas/**"],
  ajv: ["compiler/io/libraries.ts"],
  "@modelcontextprotocol/client": ["compiler/io/**", "runtime/**"],
  "@napi-rs/keyring": ["compiler/io/login/keychain.ts"],
  "@opentelemetry/api": ["runtime/session/telemetry.ts"],
  ai: ["runtime/hosts/ai-sdk.ts"],
  "@google/adk": ["runtime/hosts/adk.ts"],
  "@github/copilot-sdk": ["runtime/hosts/copilot-sdk.ts"],
  "@anthropic-ai/claude-agent-sdk": ["runtime/hosts/claude-agent-sdk.ts"],
  "@modelcontextprotocol/sdk": ["runtime/hosts/claude-agent-sdk.ts"],
  "@openai/agents": ["runtime/hosts/openai-agents.ts"],
};

const DOORS = ["compiler/index.ts", "runtime/index.ts"];
const MOST = { file: 350, function: 70 };

const EXEMPTIONS: readonly Exemption[] = [
  {
    file: "compiler/base/digest.ts",
    allows: "node:crypto",
    because: "SHA-256 is a pure function, and Node's is the fast one",
  },
  {
    file: "compiler/base/canonical.ts",
    allows: "barrel",
    because: "canonical JSON is written once, in the runtime; the compiler's rooms read it as a part of base",
  },
  {
    file: "compiler/5-artifacts/typescript/writer.ts",
    allows: "class FinishedText",
    because: "finished text is known by its class, and as literals the engine would take its millions for long-lived",
  },
  {
    file: "test/support/arbitrary-project.ts",
    allows: "size",
    because: "one generator, read from top to bottom: its parts call each other",
  },
  {
    file: "test/support/sample-plan.ts",
    allows: "size of samplePlan",
    because: "a plan as data, laid out to be read",
  },
  {
    file: "test/types/soundness.test.ts",
    allows: "size of callback of fc.letrec",
    because: "the grammar of random schemas: a table of alternatives that refer to each other",
  },
  {
    file: "vitest.config.ts",
    allows: "default export",
    because: "vitest reads its configuration from the default export",
  },
];

const ROOT = path.join(import.meta.dirname, "..");
const SKIPPED = new Set(["node_modules", "dist", ".git", ".rolecall"]);
const files = readdirSync(ROOT, { withFileTypes: true, recursive: false })
  .filter((entry) => !SKIPPED.has(entry.name))
  .flatMap((entry) => (entry.isDirectory() ? below(entry.name) : [entry.name]))
  .map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), "utf8") }));
const paths = files.map((file) => file.path);
const written = files.filter((f) => /\.(ts|mts|mjs|js)$/.test(f.path) && !/^(examples|test\/cases)\//.test(f.path));
const modules = written.map((file) => readModule(file.path, file.text));
const product = modules.filter((m) => /^(compiler|runtime|schemas)\//.test(m.path));
const compiler = modules.filter((m) => /^(compiler|schemas)\//.test(m.path));

describe("who may import whom", () => {
  test("a room imports what the table lets it", () => expect(laws.strayImports(product, ROOMS)).toEqual([]));
  test("a package is imported where the table says", () => expect(laws.strayPackages(product, PACKAGES)).toEqual([]));
  test("no imports run in a circle, types included", () => expect(laws.cycles(product)).toEqual([]));
});

describe("what a module may do", () => {
  test("only the rooms marked `world` touch it", () =>
    expect(laws.worldTouched(product, ROOMS, EXEMPTIONS)).toEqual([]));
  test("the compiler has no classes", () => expect(laws.classes(compiler, EXEMPTIONS)).toEqual([]));
  test("the compiler keeps no state in modules", () => expect(laws.moduleState(compiler, EXEMPTIONS)).toEqual([]));
  test("nothing is exported as default", () => expect(laws.defaultExports(modules, EXEMPTIONS)).toEqual([]));
  test("the only barrels are the two doors", () => expect(laws.barrels(modules, DOORS, EXEMPTIONS)).toEqual([]));
});

describe("how a module reads", () => {
  test("its name says what is in it", () => expect(laws.namelessFiles(paths)).toEqual([]));
  test("files and functions have a size to feel at home in", () =>
    expect(laws.oversized(modules, MOST, EXEMPTIONS)).toEqual([]));
  test("a name of the runtime stands for one thing: its modules become one file", () =>
    expect(laws.sharedNames(modules.filter((m) => m.path.startsWith("runtime/")))).toEqual([]));
  test("types.ts opens with what its value is", () => expect(laws.silentTypes(modules)).toEqual([]));
});

describe("what no file holds", () => {
  test("the path of a machine", () => expect(laws.machinePaths(files, [ROOT, homedir()], EXEMPTIONS)).toEqual([]));
  test("the host of a registry", () => expect(laws.registryHosts(files, mirrors())).toEqual([]));
});

test("every exemption has a file and a reason", () => expect(laws.unusedExemptions(EXEMPTIONS, paths)).toEqual([]));

test("the rules are about something", () => {
  expect(product.length).toBeGreaterThan(20);
  expect(modules.flatMap((m) => m.imports).length).toBeGreaterThan(50);
});

/** Sorted; a link is a file like any other and isn't followed. */
function below(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      return entry.isDirectory() ? below(file) : entry.isFile() ? [file] : [];
    });
}

/** The registry that npm is set to on this machine, when it runs the tests. */
function mirrors(): string[] {
  const registry = process.env["npm_config_registry"];
  return registry && URL.canParse(registry) ? [new URL(registry).host] : [];
}
