import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as laws from "./laws.ts";
import type { Exemption } from "./laws.ts";
import { readModule } from "../support/module-facts.ts";
import { ROOMS } from "./rooms.ts";
import { ROOT } from "../support/root.ts";

/**
 * The laws of the house, as data: who may import whom is in rooms.ts, the rest is here; compiler/README.md points
 * to both. The laws themselves are in laws.ts, and laws.test.ts sees each of them fail.
 */

/** Packages of the compiler and the runtime. `npm run bundle` puts them into the CLI. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: [
    "compiler/1-source/**",
    "compiler/5-artifacts/managed/**",
    "compiler/source-edits/**",
    "compiler/io/libraries.ts",
  ],
  "jsonc-parser": ["compiler/5-artifacts/managed/**", "compiler/io/**"],
  zod: ["schemas/**", "compiler/1-source/**", "compiler/5-artifacts/editor-schemas/**"],
  ajv: ["compiler/io/libraries.ts"],
  jose: ["compiler/io/libraries.ts"],
  "ts-morph": ["compiler/io/read/**", "compiler/usage/**"],
  typescript: ["compiler/io/read/typescript-library.ts"],
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

const DOORS = ["compiler/index.ts", "compiler/testing/fake-server.ts", "runtime/index.ts"];
const MOST = { file: 350, function: 70, waysInACommand: 10 };

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
    file: "compiler/5-artifacts/typescript/writer.ts",
    allows: "state indents",
    because: "the few texts of an indent, made once: the same whenever they are made",
  },
  {
    file: "compiler/5-artifacts/typescript/type-of-schema/type.ts",
    allows: "state wideTypes",
    because:
      "a type for every set of kinds is one object, so that it can be recognised; making all of them costs each build",
  },
  {
    file: "compiler/2-model/template.ts",
    allows: "state NAME",
    because: "an expression that is told where to look before each use",
  },
  {
    file: "compiler/calls/filter.ts",
    allows: "Date",
    because: "Date.parse is a function of its text alone: no clock is read",
  },
  {
    file: "compiler/cli/calls/json.ts",
    allows: "Date",
    because: "a time that was handed in is written as ISO: no clock is read",
  },
  {
    file: "compiler/cli/login/page.ts",
    allows: "Date",
    because: "a time that was handed in is written as ISO: no clock is read",
  },
  {
    file: "test/support/arbitrary/project.ts",
    allows: "size",
    because: "one generator, read from top to bottom: its parts call each other",
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

/** Who opens files by other means than compiler/io/bytes.ts, and why no stranger's pipe or device is met there. */
const READERS: Readonly<Record<string, string>> = {
  "compiler/io/bytes.ts": "the one that takes plain files alone",
  "compiler/io/login/private-file.ts": "the same, of a user's own files, and follows no link",
  "compiler/io/state/team-files.ts": "the same, follows no link, and looks whether the file changed meanwhile",
  "compiler/io/remember/work-folder.ts": "makes a file that wasn't there",
  "compiler/io/read/record-lines.ts": "a record may come by a pipe, and is read line by line",
  "compiler/cli/explain/try-arguments.ts": "what a person names there may be a pipe",
  "compiler/cli/diff/compiled.ts": "what a person names there may be a pipe",
  "compiler/io/serve/http/inbox-door.ts": "a file of rolecall's own",
  "compiler/io/serve/place.ts": "files in a folder that is closed to other users",
  "compiler/io/serve/folder-gone.ts": "a folder of ours, held open",
  "compiler/io/write/lock.ts": "what the system says of a process",
  "compiler/io/read/shipped-presets.ts": "files of rolecall's own",
  "compiler/io/read/resources.ts": "files of rolecall's own",
  "compiler/io/read/own-version.ts": "what npm wrote beside rolecall",
};

/** Names of types that mean something in the compiler and something else in what it hands in. */
const SHARED_TYPES: Readonly<Record<string, string>> = {};

type Scripts = { readonly scripts: object };
const SKIPPED = new Set(["node_modules", "dist", ".git", ".rolecall"]);
const files = readdirSync(ROOT, { withFileTypes: true, recursive: false })
  .filter((entry) => !SKIPPED.has(entry.name))
  .flatMap((entry) => (entry.isDirectory() ? below(entry.name) : [entry.name]))
  .map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), "utf8") }));
const scripts = Object.keys((JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Scripts).scripts);
const paths = files.map((file) => file.path);
const written = files.filter((f) => /\.(ts|mts|mjs|js)$/.test(f.path) && !/^(examples|test\/cases)\//.test(f.path));
const modules = written.map((file) => readModule(file.path, file.text));
const product = modules.filter((m) => /^(compiler|runtime|schemas)\//.test(m.path));
const compiler = modules.filter((m) => /^(compiler|schemas)\//.test(m.path));

describe("who may import whom", () => {
  test("a room imports what the table lets it", () => expect(laws.strayImports(product, ROOMS)).toEqual([]));
  test("a package is imported where the table says", () => expect(laws.strayPackages(product, PACKAGES)).toEqual([]));
  test("random things are generated by a seed that everybody has", () =>
    expect(modules.filter((m) => m.imports.some((i) => i.specifier === "fast-check")).map((m) => m.path)).toEqual([
      "test/support/generated.ts",
    ]));
  test("no imports run in a circle, types included", () => expect(laws.cycles(product)).toEqual([]));
});

describe("what a module may do", () => {
  test("only the rooms marked `world` touch it", () =>
    expect(laws.worldTouched(product, ROOMS, EXEMPTIONS)).toEqual([]));
  test("files are opened by the reader of plain ones", () =>
    expect(laws.strayReads(files.filter(isCompilers), Object.keys(READERS))).toEqual([]));
  test("the compiler has no classes", () => expect(laws.classes(compiler, EXEMPTIONS)).toEqual([]));
  test("the compiler keeps no state in modules", () => expect(laws.moduleState(compiler, EXEMPTIONS)).toEqual([]));
  test("nothing is exported as default", () => expect(laws.defaultExports(modules, EXEMPTIONS)).toEqual([]));
  test("the only barrels are the two doors", () => expect(laws.barrels(modules, DOORS, EXEMPTIONS)).toEqual([]));
});

describe("how a module reads", () => {
  test("its name says what is in it", () => expect(laws.namelessFiles(paths)).toEqual([]));
  test("files and functions have a size to feel at home in", () =>
    expect(laws.oversized(modules, MOST, EXEMPTIONS)).toEqual([]));
  test("a command asks and prints: what decides is in another room", () =>
    expect(laws.tangled(modules, "compiler/cli/**", MOST.waysInACommand)).toEqual([]));
  test("a name of the runtime stands for one thing: its modules become one file", () =>
    expect(laws.sharedNames(modules.filter((m) => m.path.startsWith("runtime/")))).toEqual([]));
  test("a type's name means one thing", () => expect(laws.sharedTypes(compiler, SHARED_TYPES)).toEqual([]));
  test("types.ts opens with what its value is", () => expect(laws.silentTypes(modules)).toEqual([]));
});

describe("what no file holds", () => {
  test("the path of a machine", () => expect(laws.machinePaths(files, [ROOT, homedir()], EXEMPTIONS)).toEqual([]));
  test("the host of a registry", () => expect(laws.registryHosts(files, mirrors())).toEqual([]));
});

describe("what leads somewhere", () => {
  test("every room of the table has files", () => expect(laws.emptyRooms(paths, ROOMS)).toEqual([]));
  test("comments and pages", () => expect(laws.strayReferences(written.filter(isNoExample), scripts)).toEqual([]));
});

test("every exemption has a file and a reason", () => expect(laws.unusedExemptions(EXEMPTIONS, paths)).toEqual([]));

test("the rules are about something", () => {
  expect(product.length).toBeGreaterThan(20);
  expect(modules.flatMap((m) => m.imports).length).toBeGreaterThan(50);
});

function isCompilers({ path: file }: laws.TextFile): boolean {
  return /^compiler\/.*\.ts$/.test(file);
}

/** The laws' own tests hold what breaks them. */
function isNoExample(file: laws.TextFile): boolean {
  return file.path !== "test/house/laws.test.ts";
}

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
