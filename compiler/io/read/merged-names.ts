import { existsSync, readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { byName } from "../../base/order.ts";
import { isObject, own } from "../../base/json.ts";
import { readToml } from "../../1-source/document/toml/read-toml.ts";
import type { FoundName } from "../../4-fit/merged.ts";
import type { AgentsFolder, MergedFile, MergedPlace, PersonsFolder } from "../../4-fit/merged-place.ts";
import { digestOfBytes, withPlainFile } from "../bytes.ts";
import { agentName } from "./agent-name.ts";
import { jsonNames, jsonValues } from "./json-names.ts";

/** What stands in the places that a host looks into, and what was looked at to know it, from the project's folder. */
export interface MergedNames {
  readonly found: readonly FoundName[];
  readonly files: ReadonlyMap<string, { readonly stats: Stats; readonly digest: string } | undefined>;
  readonly folders: ReadonlyMap<string, readonly string[] | undefined>;
}

type Variables = Readonly<Record<string, string | undefined>>;

interface Look {
  readonly dir: string;
  readonly found: FoundName[];
  readonly files: Map<string, { readonly stats: Stats; readonly digest: string } | undefined>;
  readonly folders: Map<string, readonly string[] | undefined>;
  readonly seen: Set<string>;
}

/** Without variables no person's folder is looked into. */
export function mergedNames(dir: string, places: readonly MergedPlace[], env?: Variables): MergedNames {
  const look: Look = { dir, found: [], files: new Map(), folders: new Map(), seen: new Set() };
  for (const place of places)
    for (const { folder, shown } of foldersOf(dir, place.in, env))
      if ("file" in place) lookIntoFile({ folder, shown }, place, look);
      else lookBelow(path.join(folder, place.folder), joined(shown, place.folder), place, look);
  return look;
}

interface Folder {
  readonly folder: string;
  /** As a person is told it; empty for the project's own. */
  readonly shown: string;
}

function foldersOf(dir: string, where: MergedPlace["in"], env: Variables | undefined): readonly Folder[] {
  if (where === "project" || (where === "local" && env !== undefined)) return [{ folder: dir, shown: "" }];
  if (where === "above") return above(dir);
  return env === undefined || where === "local" ? [] : [personsFolder(dir, where, env)];
}

/** To the folder with the repository; where there is none, to the top. */
function above(dir: string): readonly Folder[] {
  const folders: Folder[] = [];
  for (let [folder, shown] = [dir, ""]; ; folder = path.dirname(folder), shown = joined("..", shown)) {
    folders.push({ folder, shown });
    if (existsSync(path.join(folder, ".git")) || path.dirname(folder) === folder) return folders;
  }
}

/** Set to nothing counts as not set. */
function personsFolder(dir: string, { variable, otherwise, below = "" }: PersonsFolder, env: Variables): Folder {
  const set = variable === undefined ? undefined : env[variable];
  return set
    ? { folder: path.resolve(dir, set, below), shown: joined(`$${variable}`, below) }
    : { folder: path.join(env["HOME"] || homedir(), otherwise, below), shown: joined(joined("~", otherwise), below) };
}

function joined(folder: string, name: string): string {
  return folder === "" || name === "" ? folder + name : `${folder}/${name}`;
}

function lookIntoFile({ folder, shown }: Folder, { file, names, settings = [] }: MergedFile, look: Look): void {
  const whole = path.join(folder, file);
  const text = textAt(whole, look);
  if (text === undefined) return;
  for (const { of, at, isOpen = false } of names) {
    const held = namesIn(file, text, at);
    const told = joined(shown, file);
    if (held === undefined) look.found.push({ file: told, of, at, name: undefined, isOpen });
    else for (const one of held) look.found.push({ file: told, of, ...one, isOpen: isOpen && !one.isOff });
  }
  for (const { at, undoes, unless = [] } of settings)
    if (valuesIn(file, text, at).some((value) => isSaid(value) && !unless.some((one) => one === value)))
      look.found.push({ file: joined(shown, file), of: "settings", at, name: at.join("."), isOpen: false, undoes });
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** None where the file can't be read: nor can the host, and its names are told of. */
function valuesIn(file: string, text: string, at: readonly string[]): readonly unknown[] {
  if (!file.endsWith(".toml")) return jsonValues(text, at);
  const { value } = tomlOf(text);
  return [at.reduce<unknown>((held, key) => (isObject(held) ? own(held, key) : undefined), value)];
}

function tomlOf(text: string) {
  return readToml(text.replace(/^\uFEFF/, ""));
}

/** Undefined: it can't be read. */
function namesIn(file: string, text: string, at: readonly string[]) {
  if (file.endsWith(".toml")) return tomlNames(text, at);
  return file.endsWith(".env") ? variableNames(text) : jsonNames(text, at);
}

function tomlNames(text: string, at: readonly string[]) {
  const { value, problem } = tomlOf(text);
  if (problem !== undefined) return undefined;
  const map = at.reduce<unknown>((held, key) => (isObject(held) ? own(held, key) : undefined), value);
  if (!isObject(map)) return [];
  return Object.entries(map).map(([name, entry]) => ({
    at: [...at, name],
    name,
    isOff: isObject(entry) && own(entry, "enabled") === false,
  }));
}

function variableNames(text: string) {
  return [...text.matchAll(/^[^\S\n]*(?:export\s+)?([\w.-]+)\s*[=:]/gm)].map(([, name = ""]) => ({
    at: [name],
    name,
    isOff: false,
  }));
}

/** Links are followed, and a folder is entered once. */
function lookBelow(folder: string, shown: string, place: AgentsFolder, look: Look, way = ""): void {
  const real = realPath(folder);
  const names = real === undefined || look.seen.has(`${shown}\n${real}`) ? undefined : namesOf(real);
  look.folders.set(path.relative(look.dir, folder), names);
  if (real === undefined || names === undefined) return;
  // By the place from which it was entered too: two places may lead into one folder and call what is there otherwise.
  look.seen.add(`${shown}\n${real}`);
  for (const name of names) {
    const whole = path.join(folder, name);
    if (kindOf(whole) === "folder") {
      if (!isAbove(whole, real)) lookBelow(whole, joined(shown, name), place, look, joined(way, name));
    } else if (name.endsWith(".md")) {
      const text = textAt(whole, look);
      if (text === undefined) continue;
      const byPath = place.isNamedByPath === true ? joined(way, name.slice(0, -".md".length)) : undefined;
      for (const called of agentName(text, byPath))
        look.found.push({ file: joined(shown, name), of: "agents", at: ["name"], name: called, isOpen: false });
    }
  }
}

/** A link that leads back to where it lies, or above. */
function isAbove(folder: string, below: string): boolean {
  const real = realPath(folder);
  return real === undefined || below === real || below.startsWith(real + path.sep);
}

function textAt(whole: string, look: Look): string | undefined {
  const file = path.relative(look.dir, whole);
  const read = withPlainFile(whole, (handle, stats) => ({ bytes: readFileSync(handle), stats }));
  look.files.set(file, read && { stats: read.stats, digest: digestOfBytes(read.bytes) });
  return read?.bytes.toString("utf8");
}

function namesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).toSorted(byName);
  } catch {
    return undefined;
  }
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function kindOf(file: string): "folder" | "other" {
  try {
    return statSync(file).isDirectory() ? "folder" : "other";
  } catch {
    return "other";
  }
}
