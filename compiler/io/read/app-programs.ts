import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import type { ts } from "ts-morph";
import { isGenerated } from "../../usage/generated-names.ts";
import { readPlain, readPlainText } from "../bytes.ts";
import { findAppCode, slashed } from "./app-code.ts";
import type { TypeScriptLibrary } from "./typescript-library.ts";

/** The app as TypeScript sees it: a program for each of its configurations, and one for what none of them names. */
export interface AppPrograms {
  readonly programs: readonly AppProgram[];
  /** Where something comes in of which no types are known: by file and line, or the file alone. */
  readonly walls: readonly Wall[];
  /** Files of code, generated ones left out. */
  readonly files: number;
  readonly others: readonly string[];
}

export interface AppProgram {
  readonly program: ts.Program;
  /** Something that is no library can't be found. */
  readonly hasGaps: boolean;
  /** Files that import generated code, directly or not; undefined: any may see it. */
  readonly reaching: ReadonlySet<string> | undefined;
}

export interface Wall {
  readonly file: string;
  readonly specifier: string;
}

export interface AppPlace {
  readonly root: string;
  /** The generated code. */
  readonly out: string;
}

export function openAppPrograms(place: AppPlace, library: TypeScriptLibrary): AppPrograms {
  const found = findAppCode(place.root);
  const below = `${slashed(place.out)}/`;
  const configs = configsOf(found.configs, library);
  const built = configs.flatMap(({ options }) => [options.outDir, options.declarationDir]).flatMap((dir) => dir ?? []);
  const isBuilt = (file: string): boolean => built.some((dir) => file.startsWith(`${dir}/`));
  const walls: Wall[] = [];
  const named = new Set<string>();
  const programs: AppProgram[] = [];
  const add = (files: readonly string[], options: ts.CompilerOptions): void => {
    const opened = openProgram(files, options, { below, library, walls });
    for (const file of opened.program.getSourceFiles()) named.add(file.fileName);
    programs.push(opened);
  };
  for (const { fileNames, options } of configs) if (fileNames.length > 0) add(fileNames, options);
  const rest = found.files.filter(
    (file) => !named.has(file) && !isBuilt(file) && !file.startsWith(below) && !isOutput(file),
  );
  if (rest.length > 0) add(rest, {});
  const read = [...named].filter(
    (file) => !file.startsWith(below) && /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file),
  );
  return { programs, walls, files: read.length, others: found.others.filter((file) => !isBuilt(file)) };
}

/** Folders that builds write to, where no configuration says so. */
function isOutput(file: string): boolean {
  return /\/(?:dist|build|coverage)\//.test(file);
}

function configsOf(files: readonly string[], { ts }: TypeScriptLibrary): ts.ParsedCommandLine[] {
  const known = new Map<string, ts.ParsedCommandLine>();
  const host = { ...ts.sys, readFile: textOf, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const read = (file: string): void => {
    if (known.has(file)) return;
    const parsed = ts.getParsedCommandLineOfConfigFile(file, { allowJs: true }, host);
    if (parsed === undefined) return;
    known.set(file, parsed);
    for (const reference of parsed.projectReferences ?? []) read(slashed(ts.resolveProjectReferencePath(reference)));
  };
  files.forEach(read);
  return [...known.values()];
}

/** In TypeScript's place, which waits for a pipe and reads a device without end: a configuration names any file. */
function textOf(file: string): string | undefined {
  const bytes = readPlain(file);
  const isWide = bytes?.[0] === 0xff && bytes[1] === 0xfe;
  return bytes && new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

interface Opening {
  /** The folder of generated code, with `/` at its end. */
  readonly below: string;
  readonly library: TypeScriptLibrary;
  readonly walls: Wall[];
}

/** What is asked is which tools are named, not whether the code is right: libraries' types are left out, which saves seconds. */
function openProgram(files: readonly string[], own: ts.CompilerOptions, opening: Opening): AppProgram {
  const { ts } = opening.library;
  const options: ts.CompilerOptions = {
    ...(Object.keys(own).length > 0 ? own : defaults(ts)),
    allowJs: true,
    checkJs: false,
    strict: true,
    noEmit: true,
    composite: false,
    incremental: false,
    noLib: false,
    lib: ["lib.esnext.d.ts"],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    configFilePath: undefined,
  };
  const edges = new Map<string, Set<string>>();
  let hasGaps = false;
  const host = hostFor(options, opening, (from, specifier, resolved) => {
    if (resolved === undefined) hasGaps = true;
    else if (resolved === "wall") opening.walls.push({ file: from, specifier });
    else if (edges.has(resolved)) edges.get(resolved)!.add(from);
    else edges.set(resolved, new Set([from]));
  });
  const program = ts.createProgram(files, options, host);
  const loadsAny = (file: ts.SourceFile): boolean =>
    !file.isDeclarationFile && !isMade(file, opening.below) && LOADS_ANY.test(file.text);
  if (program.getSourceFiles().some(loadsAny)) hasGaps = true;
  return { program, hasGaps, reaching: hasGaps ? undefined : reachingOf(program, edges, opening) };
}

/** A module whose name is made at run time. */
const LOADS_ANY = /\b(?:import|require)\(\s*[^"'`\s)]/;

function defaults(ts: TypeScriptLibrary["ts"]): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    resolveJsonModule: true,
  };
}

type Found = (from: string, specifier: string, resolved: string | "wall" | undefined) => void;

function hostFor(options: ts.CompilerOptions, { library }: Opening, found: Found): ts.CompilerHost {
  const { ts, libFolder, readLib, libs } = library;
  const host = ts.createCompilerHost(options, true);
  host.readFile = textOf;
  const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), host.getCanonicalFileName, options);
  const isLib = (file: string): boolean => file.startsWith(`${libFolder}/`);
  return {
    ...host,
    getDefaultLibLocation: () => libFolder,
    fileExists: (file) => (isLib(file) ? readLib(file) !== undefined : host.fileExists(file)),
    getSourceFile: (file, how, ...more) => {
      if (!isLib(file)) return host.getSourceFile(file, how, ...more);
      const known = libs.get(file) ?? ts.createSourceFile(file, readLib(file) ?? "", how);
      libs.set(file, known);
      return known;
    },
    resolveModuleNameLiterals: (literals, from, redirected, settings, file) =>
      literals.map((literal) => {
        const specifier = literal.text;
        const kind = kindOf(specifier, path.dirname(from));
        if (kind === "library") return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(file, literal, settings);
        const answer = ts.resolveModuleName(specifier, from, settings, host, cache, redirected, mode);
        const to = answer.resolvedModule?.resolvedFileName;
        if (to !== undefined) found(from, specifier, isUntyped(to) ? "wall" : slashed(to));
        else if (!ASSET.test(specifier)) found(from, specifier, kind === "workspace" ? "wall" : undefined);
        return answer;
      }),
  };
}

const ASSET =
  /\.(?:css|s[ac]ss|less|svg|png|jpe?g|gif|webp|avif|ico|woff2?|json|txt|md|html|graphql|wasm|node|vue|svelte|astro|mdx)(?:\?.*)?$|^virtual:|\?\w+$/;

/** Generated code that a build of the app made JavaScript of, without declarations beside it. */
function isUntyped(file: string): boolean {
  return /\.[cm]?js$/.test(file) && (readPlainText(file)?.slice(0, 200).includes("// Generated by rolecall.") ?? false);
}

/** A package of the same repository is code of the app; one that was installed isn't, and rolecall's own types are needed. */
function kindOf(specifier: string, from: string): "library" | "workspace" | "other" {
  if (/^(?:\.|\/|#|rolecall(?:\/|$))/.test(specifier)) return "other";
  if (specifier.startsWith("node:")) return "library";
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  for (let folder = from; ; folder = path.dirname(folder)) {
    const stat = lstatSync(path.join(folder, "node_modules", name), { throwIfNoEntry: false });
    if (stat !== undefined) return stat.isSymbolicLink() && !isStored(folder, name) ? "workspace" : "library";
    if (path.dirname(folder) === folder)
      return process.getBuiltinModule("node:module").isBuiltin(name) ? "library" : "other";
  }
}

/** Some package managers link every installed package. */
function isStored(folder: string, name: string): boolean {
  const ts = process.getBuiltinModule("node:fs").realpathSync.native;
  const link = path.join(folder, "node_modules", name);
  return !existsSync(link) || ts(link).includes(`${path.sep}node_modules${path.sep}`);
}

function isMade(file: ts.SourceFile, below: string): boolean {
  return file.fileName.startsWith(below) || isGenerated(file);
}

/** Whoever imports generated code, and whoever imports those; undefined: something is declared for everybody. */
function reachingOf(
  program: ts.Program,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
  { below, library }: Opening,
): ReadonlySet<string> | undefined {
  const isOurs = (file: string): boolean => {
    const source = program.getSourceFile(file);
    return source !== undefined && isMade(source, below);
  };
  const folder = `/${path.posix.basename(below)}`;
  const naming = program.getSourceFiles().filter((file) => !file.isDeclarationFile && file.text.includes(folder));
  const reaching = new Set([...[...edges.keys()].filter(isOurs), ...naming.map(({ fileName }) => fileName)]);
  for (const file of reaching) for (const from of edges.get(file) ?? []) reaching.add(from);
  for (const file of reaching) {
    const source = program.getSourceFile(file);
    if (source === undefined || isOurs(file)) continue;
    const isScript = !library.ts.isExternalModule(source) && !/\brequire\s*\(/.test(source.text);
    if (isScript || /\bdeclare\s+global\b|\bglobalThis\b/.test(source.text)) return undefined;
  }
  return reaching;
}
