import { createRequire } from "node:module";
import path from "node:path";
import { parse } from "jsonc-parser";
import type { SourceSettings } from "../../1-source/types.ts";
import {
  KNOWS_TS_IMPORTS,
  NODE_TYPES,
  OTHER_FOLDER,
  OTHER_FOLDER_ALONE,
  TS_IMPORTS,
} from "../../base/typescript-settings.ts";
import { readPlainText, withPlainFile } from "../bytes.ts";
import { mayLookFor } from "../package-files.ts";

/** What the TypeScript that will compile the output is told to do, as far as generated code depends on it. */
export interface TypeScriptSetup {
  /** The tsconfig.json that covers the output, relative to the project; undefined: there is none, and nothing is judged. */
  readonly config: string | undefined;
  readonly version: string | undefined;
  /** How generated modules can import each other there, and be found by what runs them: a bundler, Node, or neither yet. */
  readonly imports: SourceSettings["importExtension"];
  /** Where what a compiler makes of the output comes to lie; undefined: nobody knows. */
  readonly emits: "beside" | "elsewhere" | undefined;
  /** What to write, so that it's elsewhere. */
  readonly otherFolder: string;
  readonly problems: readonly SetupProblem[];
}

export interface SetupProblem {
  readonly says: string;
  readonly next: string;
}

type Settings = Pick<SourceSettings, "out"> & Partial<Pick<SourceSettings, "runtime" | "importExtension">>;

/**
 * Reads configuration only: no compiler runs. What can't be found out isn't called wrong, and a setting that is left out
 * isn't judged.
 */
export function readTypeScriptSetup(dir: string, { out, runtime, importExtension }: Settings): TypeScriptSetup {
  const from = path.join(dir, out);
  const config = nearest(from, "tsconfig.json");
  const packaged = runtime === "package" ? packageProblem(from) : [];
  if (config === undefined)
    return {
      config: undefined,
      version: undefined,
      imports: "ts",
      emits: undefined,
      otherFolder: OTHER_FOLDER,
      problems: packaged,
    };
  const version = versionOf("typescript", path.dirname(config));
  const options = optionsOf(config);
  const facts: Facts = {
    name: path.relative(dir, config).split(path.sep).join("/"),
    options,
    version: numberOf(version),
    hasNodeTypes: versionOf("@types/node", path.dirname(config)) !== undefined,
    isModule: isModule(from),
    importExtension,
  };
  const problems = [tooOld, nodeTypes, library, modules, extensions].flatMap((check) => check(facts) ?? []);
  const emits = options["noEmit"] === true || typeof options["outDir"] === "string" ? "elsewhere" : "beside";
  const otherFolder = typeof options["rootDir"] === "string" ? OTHER_FOLDER_ALONE : OTHER_FOLDER;
  const imports = importsUnder(options);
  return { config: facts.name, version, imports, emits, otherFolder, problems: [...packaged, ...problems] };
}

interface Facts {
  readonly name: string;
  readonly options: Options;
  /** Such as 5.9; undefined where TypeScript isn't installed. */
  readonly version: number | undefined;
  readonly hasNodeTypes: boolean;
  /** What package.json says of the output's folder. */
  readonly isModule: boolean;
  readonly importExtension: SourceSettings["importExtension"] | undefined;
}

const OLDEST = 5.2;
/** From this one on, and when `types` isn't written, no installed types are taken. */
const TAKES_NO_TYPES = 6;

function tooOld({ version }: Facts): SetupProblem | undefined {
  if (version === undefined || version >= OLDEST) return undefined;
  return { says: `TypeScript ${version} is too old for generated code`, next: "npm install --save-dev typescript" };
}

/** They also declare what `using` needs, so that `esnext.disposable` in `lib` isn't asked for beside them. */
function nodeTypes({ name, options, version, hasNodeTypes }: Facts): SetupProblem | undefined {
  if (!hasNodeTypes)
    return {
      says: "generated code needs Node's types, which aren't installed",
      next: "npm install --save-dev @types/node",
    };
  const types = options["types"];
  const taken = Array.isArray(types)
    ? types.some((type) => type === "node" || type === "*")
    : version === undefined || version < TAKES_NO_TYPES;
  if (taken) return undefined;
  return { says: "generated code needs Node's types, which aren't taken", next: `write ${NODE_TYPES} in ${name}` };
}

/** Of ECMAScript 2022, for the errors' causes and `Object.hasOwn`. */
function library({ name, options, version }: Facts): SetupProblem | undefined {
  const lib = options["lib"];
  const target = options["target"];
  const years = Array.isArray(lib)
    ? lib.map(yearOf)
    : [yearOf(target ?? (version !== undefined && version < 6 ? "es5" : "esnext"))];
  if (years.some((year) => year === undefined || year >= 2022)) return undefined;
  return {
    says: "generated code needs the library of ES2022, and an older one is chosen",
    next: Array.isArray(lib) ? `write "es2022" in \`lib\` of ${name}` : `write "target": "es2022" in ${name}`,
  };
}

/** Parts of a library, such as `dom`, have no year: they say nothing about it. */
function yearOf(name: unknown): number | undefined {
  const written = String(name).toLowerCase();
  if (written === "esnext") return Infinity;
  const [, number] = /^es(\d+)$/.exec(written) ?? [];
  return number === undefined ? 0 : Number(number) < 2000 ? 2009 + Number(number) : Number(number);
}

/** With the first mended, the second is what counts. */
function modules({ name, options, isModule }: Facts): SetupProblem[] {
  const module = lower(options["module"]);
  const others: SetupProblem = {
    says: "generated code is ES modules, and `module` makes others",
    next: `write "module": "nodenext" in ${name}`,
  };
  const isOther = /^(?:commonjs|amd|umd|system|none)$/.test(module);
  const isNodes = isOther || NODES.test(module);
  return [...(isOther ? [others] : []), ...(isNodes && !isModule ? [NO_MODULE] : [])];
}

const NODES = /^node(?:next|\d\d+)$/;

const NO_MODULE: SetupProblem = {
  says: "generated code is ES modules, and its package isn't one",
  next: 'write "type": "module" in package.json',
};

function lower(option: unknown): string {
  return String(option ?? "").toLowerCase();
}

/** What `./x.ts` needs: without one of them TypeScript refuses it. */
function takesTs(options: Options): boolean {
  return options["allowImportingTsExtensions"] === true || options["rewriteRelativeImportExtensions"] === true;
}

/** `./x.js` compiles everywhere, but not every bundler finds the `.ts` file that is meant. */
function importsUnder(options: Options): SourceSettings["importExtension"] {
  if (takesTs(options)) return "ts";
  const resolution = lower(options["moduleResolution"] ?? (lower(options["module"]) === "preserve" ? "bundler" : ""));
  return resolution === "bundler" ? "none" : "js";
}

function extensions({ name, options, version, importExtension }: Facts): SetupProblem | undefined {
  const isNodes = [options["moduleResolution"], options["module"]].some((option) => NODES.test(lower(option)));
  const isRefused = importExtension === "ts" ? !takesTs(options) : importExtension === "none" && isNodes;
  if (!isRefused) return undefined;
  const written = importExtension === "ts" ? "./x.ts" : "./x";
  // What `init` chose where there was no tsconfig.json stays: it is what Node itself runs.
  const mayStay = importExtension === "ts" && isNodes && (version === undefined || version >= KNOWS_TS_IMPORTS);
  return {
    says: `generated modules import each other as \`${written}\`, which ${name} doesn't let them`,
    next: mayStay
      ? `write ${TS_IMPORTS} in ${name}`
      : `write \`importExtension: ${importsUnder(options)}\` in rolecall.yaml`,
  };
}

/** With `runtime: package` an app needs rolecall where it runs, and not only where it is built. */
function packageProblem(from: string): SetupProblem[] {
  const installed = readNearest(from, "node_modules/rolecall/package.json");
  const own = readNearest(from, "package.json");
  const says = "generated code imports `rolecall/runtime`, and ";
  const next = "run `npm pack` in your clone of rolecall, and here `npm install` with the file that it wrote";
  if (installed === undefined) return [{ says: `${says}rolecall isn't installed`, next }];
  if (!hasKey(installed["exports"], "./runtime"))
    return [{ says: `${says}the rolecall that is installed is too old to have it`, next }];
  if (["dependencies", "peerDependencies", "optionalDependencies"].some((kind) => hasKey(own?.[kind], "rolecall")))
    return [];
  return [{ says: `${says}package.json doesn't have rolecall under \`dependencies\``, next }];
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

function readNearest(from: string, name: string): Options | undefined {
  const file = nearest(from, name);
  return file === undefined ? undefined : readJson(file);
}

type Options = Readonly<Record<string, unknown>>;

const DEEPEST = 20;

/** The options of the file over those of the files that it extends. What can't be read adds nothing. */
function optionsOf(config: string, depth: number = 0): Options {
  const { extends: parents, compilerOptions } = readJson(config) ?? {};
  const list = (Array.isArray(parents) ? parents : [parents]).filter((one) => typeof one === "string");
  const inherited = depth === DEEPEST ? [] : list.map((one) => optionsOf(configNamed(one, config), depth + 1));
  return Object.assign({}, ...inherited, compilerOptions) as Options;
}

function configNamed(name: string, by: string): string {
  if (/^\.{1,2}(?:$|[\\/])/.test(name) || path.isAbsolute(name)) {
    const file = path.resolve(path.dirname(by), name);
    return file.endsWith(".json") ? file : `${file}.json`;
  }
  if (!mayLookFor(name, path.dirname(by))) return name;
  const require = createRequire(by);
  for (const wanted of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      const file = require.resolve(wanted);
      if (file.endsWith(".json")) return file;
    } catch {
      // It may be the next.
    }
  }
  return name;
}

function isModule(from: string): boolean {
  return readNearest(from, "package.json")?.["type"] === "module";
}

function versionOf(name: string, from: string): string | undefined {
  const version = readNearest(from, `node_modules/${name}/package.json`)?.["version"];
  return typeof version === "string" ? version : undefined;
}

/** As a number they compare well: after x.9 came the next major. */
function numberOf(version: string | undefined): number | undefined {
  const number = Number(/^\d+\.\d+/.exec(version ?? "")?.[0]);
  return Number.isNaN(number) ? undefined : number;
}

/** The file of this name in the folder or the closest one above it. */
function nearest(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, name);
    if (isPlainFile(file)) return file;
    if (at === path.dirname(at)) return undefined;
  }
}

function readJson(file: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = parse(readPlainText(file)?.replace(/^\ufeff/, "") ?? "", [], { allowTrailingComma: true });
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

function isPlainFile(file: string): boolean {
  return withPlainFile(file, () => true) === true;
}
