import { builtinModules } from "node:module";
import path from "node:path";
import { literally, matches } from "../support/file-pattern.ts";
import type { Import, ModuleFacts } from "../support/module-facts.ts";

/**
 * The laws of the house, each a function from modules (or texts) to sentences about what breaks it. The
 * tables are handed in, so that the laws can be seen failing over made-up ones.
 */

/** Who lives in a room, and whom they may import besides each other. `*` stays within a folder, `**` doesn't. */
export interface Room {
  readonly name: string;
  /** The first room of the table that names a file is its room. */
  readonly files: readonly string[];
  /** Modules, or `types of <modules>` where nothing may be left of the import at run time. */
  readonly imports: readonly string[];
  /** The room touches the world: `node:` modules, clock, process, console. */
  readonly world?: true;
  /** Every folder that this names is a room of its own: neighbours don't import each other. */
  readonly folderEach?: string;
}

export interface Exemption {
  readonly file: string;
  /** What is allowed there. */
  readonly allows: string;
  readonly because: string;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Imports between files of the project. `table` says who may import whom; a module without a room breaks the law too. */
export function strayImports(modules: readonly ModuleFacts[], table: readonly Room[]): string[] {
  return modules.flatMap((module) => {
    const room = roomOf(module.path, table);
    if (!room) return [`${module.path} has no room in the table`];
    return module.imports
      .filter((i) => i.specifier.startsWith(".") || i.specifier.startsWith("("))
      .filter((i) => !mayImport(module.path, i, room, table))
      .map(
        (i) =>
          `${module.path}:${i.line} (${room.name}) may not import ${i.types ? "types of " : ""}${targetOf(module.path, i)}`,
      );
  });
}

function mayImport(from: string, imported: Import, room: Room, table: readonly Room[]): boolean {
  const target = targetOf(from, imported);
  if (roomOf(target, table) === room && sameFolder(from, target, room)) return true;
  return room.imports.some((pattern) => {
    const typesOnly = pattern.startsWith("types of ");
    return (!typesOnly || imported.types) && matches(target, typesOnly ? pattern.slice("types of ".length) : pattern);
  });
}

function sameFolder(from: string, target: string, room: Room): boolean {
  if (!room.folderEach) return true;
  const folder = (file: string) => file.slice(0, file.indexOf("/", room.folderEach!.length));
  return folder(from) === folder(target);
}

function roomOf(file: string, table: readonly Room[]): Room | undefined {
  return table.find((room) => room.files.some((pattern) => matches(file, pattern)));
}

function targetOf(from: string, imported: Import): string {
  return imported.specifier.startsWith(".")
    ? path.posix.join(path.posix.dirname(from), imported.specifier)
    : imported.specifier;
}

/** Packages and where they may be imported; a package that isn't in the table may be imported nowhere. */
export function strayPackages(
  modules: readonly ModuleFacts[],
  table: Readonly<Record<string, readonly string[]>>,
): string[] {
  return modules.flatMap((module) =>
    module.imports
      .filter((i) => !i.specifier.startsWith(".") && !isBuiltin(i.specifier))
      .filter(
        (i) =>
          !(Object.hasOwn(table, packageOf(i.specifier)) ? table[packageOf(i.specifier)]! : []).some((p) =>
            matches(module.path, p),
          ),
      )
      .map((i) => `${module.path}:${i.line} may not import the package ${i.specifier}`),
  );
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

const WORLD = [
  ["the process", ["process", "console", "globalThis", "require", "__dirname", "Buffer"]],
  ["the clock", ["Date", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]],
  ["chance", ["Math.random", "crypto"]],
  ["the network", ["fetch", "WebSocket", "EventSource"]],
  ["the locale", ["Intl", ".localeCompare", ".toLocaleString", ".toLocaleLowerCase", ".toLocaleUpperCase"]],
] as const;

/** Outside the rooms that may touch the world: no `node:` module, process, clock, chance, network or locale. */
export function worldTouched(
  modules: readonly ModuleFacts[],
  table: readonly Room[],
  exemptions: readonly Exemption[],
): string[] {
  return modules
    .filter((module) => !roomOf(module.path, table)?.world)
    .flatMap((module) => {
      const builtins = module.imports
        .filter((i) => isBuiltin(i.specifier))
        .map((i) => ({ what: i.specifier, line: i.line }));
      const globals = module.globals.flatMap((g) => {
        const kind = WORLD.find(([, names]) => (names as readonly string[]).includes(g.name));
        return kind ? [{ what: g.name, line: g.line }] : [];
      });
      return [...builtins, ...globals]
        .filter(({ what }) => !exemptions.some((e) => e.file === module.path && e.allows === what))
        .map(({ what, line }) => `${module.path}:${line} uses ${what}; only the rooms marked \`world\` may`);
    });
}

/** Circles of imports, types included, each told once as the way around. */
export function cycles(modules: readonly ModuleFacts[]): string[] {
  const next = new Map(
    modules.map((m) => [m.path, m.imports.filter((i) => i.specifier.startsWith(".")).map((i) => targetOf(m.path, i))]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) return void found.push([...way.slice(start), file].join(" -> "));
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

export function defaultExports(modules: readonly ModuleFacts[], exemptions: readonly Exemption[]): string[] {
  return modules
    .filter((m) => m.defaultExport !== undefined && !exempt(exemptions, m.path, "default export"))
    .map((m) => `${m.path}:${m.defaultExport} has a default export`);
}

/** A barrel says nothing of its own, or passes on all of another; `doors` are the only ones. */
export function barrels(
  modules: readonly ModuleFacts[],
  doors: readonly string[],
  exemptions: readonly Exemption[],
): string[] {
  return modules
    .filter((m) => !doors.includes(m.path) && !exempt(exemptions, m.path, "barrel"))
    .filter((m) => m.onlyReexports || m.reexportsAll)
    .map((m) => `${m.path} is a barrel`);
}

export function classes(modules: readonly ModuleFacts[], exemptions: readonly Exemption[]): string[] {
  return modules
    .flatMap((m) => m.classes.map((c) => ({ ...c, path: m.path })))
    .filter((c) => !exempt(exemptions, c.path, `class ${c.name}`))
    .map((c) => `${c.path}:${c.line} declares the class ${c.name}`);
}

export function moduleState(modules: readonly ModuleFacts[], exemptions: readonly Exemption[]): string[] {
  return modules
    .flatMap((m) => m.moduleState.map((s) => ({ ...s, path: m.path })))
    .filter((s) => !exempt(exemptions, s.path, `state ${s.name}`))
    .map((s) => `${s.path}:${s.line} keeps state in the module: ${s.name}`);
}

/**
 * A name is declared by one of the modules, and none of them uses the global of that name: they can be put into one file.
 */
export function sharedNames(modules: readonly ModuleFacts[]): string[] {
  const first = new Map<string, string>();
  const twice: string[] = [];
  for (const { path: file, declares } of modules) {
    const own = new Set<string>();
    for (const { name, line } of declares) {
      const other = first.get(name);
      if (other !== undefined && !own.has(name)) twice.push(`${file}:${line} declares ${name}, as ${other} does`);
      if (other === undefined) first.set(name, file);
      own.add(name);
    }
  }
  const hidden = modules.flatMap((m) =>
    m.globals
      .filter((g) => first.has(g.name))
      .map((g) => `${m.path}:${g.line} uses ${g.name}, a global that ${first.get(g.name)} would hide`),
  );
  return [...twice, ...hidden];
}

/** A type's name means one thing in all of these modules. `meant`: names that may mean several, with the reason. */
export function sharedTypes(modules: readonly ModuleFacts[], meant: Readonly<Record<string, string>>): string[] {
  const files = new Map<string, string[]>();
  for (const { path: file, exportedTypes } of modules)
    for (const { name } of exportedTypes) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files]
    .filter(([name, all]) => all.length > 1 && !Object.hasOwn(meant, name))
    .map(([name, all]) => `${name} is a type of ${all.join(" and of ")}`);
}

/** Rooms of the table in which no file lies. */
export function emptyRooms(paths: readonly string[], table: readonly Room[]): string[] {
  const lived = new Set(paths.map((file) => roomOf(file, table)?.name));
  const unknown = table.flatMap(({ name, files, imports }) =>
    [...files, ...imports.map((one) => one.replace(/^types of /, ""))]
      .filter((pattern) => !paths.some((file) => matches(file, pattern)))
      .map((pattern) => `${name} names ${pattern}, where no file is`),
  );
  return [...table.filter(({ name }) => !lived.has(name)).map(({ name }) => `${name} has no files`), ...unknown];
}

/** What a comment sends its reader to and the repository doesn't have: numbers of pages elsewhere, scripts that aren't there. */
export function strayReferences(files: readonly TextFile[], scripts: readonly string[]): string[] {
  const numbers = linesWith(files, /(?:\/\/|\*).*?(\bdecisions?(?:\.md)? \d+|\bdesign page|\bsections? \d+)/i);
  const runs = files.flatMap((file) =>
    [...file.text.matchAll(/`npm run ([\w:-]+)/g)]
      .filter(([, script]) => !scripts.includes(script!))
      .map(([text]) => `${file.path} names ${text!.slice(1)}, and there is no such script`),
  );
  return [...numbers.map((hit) => `${hit.path}:${hit.line} points out of the repository: ${hit.text}`), ...runs];
}

/** Each `types.ts` opens with what its value is. */
export function silentTypes(modules: readonly ModuleFacts[]): string[] {
  return modules
    .filter((m) => path.posix.basename(m.path) === "types.ts" && !m.opensWithDoc)
    .map((m) => `${m.path} doesn't open with a doc comment`);
}

const NAMELESS = /^(utils?|helpers?|common|misc)(\.|$)/i;

/** No part of a path says nothing about what is in it. */
export function namelessFiles(paths: readonly string[]): string[] {
  return paths
    .filter((p) => p.split("/").some((part) => NAMELESS.test(part)))
    .map((p) => `${p} has a name that says nothing`);
}

export interface Sizes {
  readonly file: number;
  readonly function: number;
}

export function oversized(modules: readonly ModuleFacts[], most: Sizes, exemptions: readonly Exemption[]): string[] {
  return modules.flatMap((m) => {
    const files =
      m.lines > most.file && !exempt(exemptions, m.path, "size")
        ? [`${m.path} has ${m.lines} lines of at most ${most.file}`]
        : [];
    const functions = m.functions
      .filter(
        (f) =>
          f.lines > most.function &&
          !f.name.startsWith("callback of describe") &&
          !exempt(exemptions, m.path, `size of ${f.name}`),
      )
      .map((f) => `${m.path}:${f.line} ${f.name} has ${f.lines} lines of at most ${most.function}`);
    return [...files, ...functions];
  });
}

/** Functions of a room that have more ways through them than `most`: what decides belongs into another room. */
export function tangled(modules: readonly ModuleFacts[], room: string, most: number): string[] {
  return modules
    .filter((m) => matches(m.path, room))
    .flatMap((m) =>
      m.functions
        .filter((f) => f.ways > most)
        .map((f) => `${m.path}:${f.line} ${f.name} has ${f.ways} ways through it of at most ${most}`),
    );
}

/** Paths that exist on one machine only. `here` are this machine's own: the checkout and the home folder, where they are deep enough to be telling. */
export function machinePaths(
  files: readonly TextFile[],
  here: readonly string[],
  exemptions: readonly Exemption[],
): string[] {
  const known = here.filter((p) => p.split(/[\\/]/).length > 2).map(literally);
  const machine = new RegExp(
    [...known.map((p) => `${p}(?![\\w-])`), "/home/\\w+/", "/Users/\\w+/", "[A-Za-z]:\\\\+Users\\\\"].join("|"),
  );
  return linesWith(files, machine)
    .filter((hit) => !exempt(exemptions, hit.path, hit.text))
    .map((hit) => `${hit.path}:${hit.line} holds the path of a machine: ${hit.text}`);
}

/** Package registries, ours and any mirror (`mirrors` are the hosts that this machine is set to). */
export function registryHosts(files: readonly TextFile[], mirrors: readonly string[]): string[] {
  const registry = new RegExp(
    ["registry\\.[a-z0-9-]+\\.[a-z]{2,}", "npm\\.pkg\\.[a-z]+", "^registry *=", ...mirrors.map(literally)].join("|"),
    "im",
  );
  const hosts = linesWith(files, registry).map((hit) => `${hit.path}:${hit.line} names a registry: ${hit.text}`);
  const lock = files.filter((f) => path.posix.basename(f.path) === "package-lock.json");
  return [
    ...hosts,
    ...linesWith(lock, /"resolved":/).map((hit) => `${hit.path}:${hit.line} says where a package was fetched`),
  ];
}

interface Hit extends TextFile {
  readonly line: number;
}

function linesWith(files: readonly TextFile[], what: RegExp): Hit[] {
  return files
    .filter((f) => what.test(f.text))
    .flatMap((f) =>
      f.text.split("\n").flatMap((text, i) => {
        const found = what.exec(text);
        return found ? [{ path: f.path, line: i + 1, text: found[0] }] : [];
      }),
    );
}

/** A pipe would be waited for, and a device takes all memory: `readers` alone open files by themselves. */
export function strayReads(files: readonly TextFile[], readers: readonly string[]): string[] {
  const hits = linesWith(files, /\b(?:readFileSync|createReadStream|openSync|fs\/promises)\b/);
  return hits.filter((hit) => !readers.includes(hit.path)).map((hit) => `${hit.path}:${hit.line} has ${hit.text}`);
}

/** Exemptions that nothing needs any more. */
export function unusedExemptions(exemptions: readonly Exemption[], paths: readonly string[]): string[] {
  return exemptions
    .filter((e) => !paths.includes(e.file) || e.because.length < 20)
    .map((e) =>
      paths.includes(e.file)
        ? `the exemption for ${e.file} gives no reason`
        : `the exemption for ${e.file} is for a file that isn't there`,
    );
}

function exempt(exemptions: readonly Exemption[], file: string, allows: string): boolean {
  return exemptions.some((e) => e.file === file && e.allows === allows);
}
