import { existsSync, readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { byName } from "../../base/order.ts";
import type { FoundName } from "../../4-fit/merged.ts";
import type { AgentsFolder, MergedFile, NamedByPath, MergedPlace, PersonsFolder } from "../../4-fit/merged-place.ts";
import { digestInPieces, digestOfBytes, LARGEST_FILE, readPlainText, wholeOf, withPlainFile } from "../bytes.ts";
import { agentName } from "./agent-name.ts";
import { heldIn } from "./held-names.ts";
import { soundText } from "./sound-text.ts";

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
    for (const one of foldersOf(look, place.in, env))
      if ("file" in place) lookIntoFile(one, place, look);
      else {
        const shown = joined(one.shown, place.folder);
        lookBelow(
          { folder: path.join(one.folder, place.folder), shown, way: "" },
          { place, shown, seen: new Set() },
          look,
        );
      }
  return look;
}

interface Folder {
  readonly folder: string;
  /** As a person is told it; empty for the project's own. */
  readonly shown: string;
  /** Above the repository, where a host looks only when git knows of none. */
  readonly isBeyond?: true;
}

function foldersOf(look: Look, where: MergedPlace["in"], env: Variables | undefined): readonly Folder[] {
  const { dir } = look;
  const own = [{ folder: dir, shown: "" }];
  if (where === "project") return own;
  if (where === "local") return env === undefined ? [] : withMainCheckout(dir, repositoryAbove(look) ?? own);
  if (where === "above") return repositoryAbove(look) ?? own;
  if (where !== "top") return env === undefined ? [] : [personsFolder(dir, where, env)];
  const all = allAbove(dir);
  const within = repositoryAbove(look);
  if (within === undefined) return all;
  const beyond = all.slice(within.length).map((one) => ({ ...one, isBeyond: true as const }));
  return env === undefined ? within : [...within, ...beyond];
}

/** Undefined: there is no repository. Where it was looked for counts as looked at. */
function repositoryAbove(look: Look): readonly Folder[] | undefined {
  const all = allAbove(look.dir);
  const root = all.findIndex(({ folder }) => isRepository(path.join(folder, ".git"), look));
  return root < 0 ? undefined : all.slice(0, root + 1);
}

/** A folder by what names its branch: all else in it changes with each command of git's. */
function isRepository(git: string, look: Look): boolean {
  textAt(kindOf(git) === "folder" ? path.join(git, "HEAD") : git, look);
  return existsSync(git);
}

function allAbove(dir: string): readonly Folder[] {
  const folders: Folder[] = [];
  for (let [folder, shown] = [dir, ""]; ; folder = path.dirname(folder), shown = joined("..", shown)) {
    folders.push({ folder, shown });
    if (path.dirname(folder) === folder) return folders;
  }
}

/** A linked worktree has a file in place of the folder, which leads to the main checkout's. */
function withMainCheckout(dir: string, folders: readonly Folder[]): readonly Folder[] {
  const root = folders.at(-1)!.folder;
  const led = /^gitdir: (.+)$/m.exec(readPlainText(path.join(root, ".git")) ?? "")?.[1];
  const inside = path.resolve(root, led ?? ".");
  const common = led === undefined ? undefined : readPlainText(path.join(inside, "commondir"))?.trim();
  if (common === undefined) return folders;
  const folder = path.dirname(path.resolve(inside, common));
  return [...folders, { folder, shown: path.relative(dir, folder) }];
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

/** Once, by the first place that leads there. */
function lookIntoFile(at: Folder, { file, names, settings = [] }: MergedFile, look: Look): void {
  const { folder, shown, isBeyond = false } = at;
  const whole = path.join(folder, file);
  if (look.seen.has(whole)) return;
  look.seen.add(whole);
  const read = textAt(whole, look);
  if (read === undefined) return;
  const told = joined(shown, file);
  const held = read.text === undefined ? undefined : heldIn(file, read.text);
  for (const { of, at, isOpen = false } of names) {
    if (held === undefined) look.found.push({ file: told, of, at, name: undefined, isOpen });
    else
      for (const one of held.names(at))
        look.found.push({ file: told, of, ...one, isOpen: isOpen && !isBeyond && !one.isOff });
  }
  for (const { at, undoes, unless = [] } of settings) {
    const name = held === undefined ? undefined : at.join(".");
    const isHarmless = (value: unknown) => !isSaid(value) || unless.some((one) => one === value);
    if (held?.values(at).every(isHarmless) !== true)
      look.found.push({ file: told, of: "settings", at, name, isOpen: false, undoes });
  }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** A folder of agents as a whole, and what was entered of it: there may be links in a circle. */
interface Agents {
  readonly place: AgentsFolder;
  readonly shown: string;
  readonly seen: Set<string>;
}

/** `way`: from the folder of agents. */
interface Below {
  readonly folder: string;
  readonly shown: string;
  readonly way: string;
}

/** A link out of it may lead to all that there is. */
const MOST_FOLDERS = 2000;

/** Links are followed wherever they lead, and a folder is entered once. */
function lookBelow({ folder, shown, way }: Below, agents: Agents, look: Look): void {
  const real = realPath(folder);
  const names = real === undefined ? undefined : namesOf(real);
  look.folders.set(path.relative(look.dir, folder), names);
  if (real === undefined || names === undefined || agents.seen.has(real) || agents.seen.size > MOST_FOLDERS) return;
  agents.seen.add(real);
  const found = { of: "agents", isOpen: false } as const;
  if (agents.seen.size > MOST_FOLDERS) look.found.push({ ...found, file: agents.shown, at: [], name: undefined });
  for (const name of names) {
    const whole = path.join(folder, name);
    if (kindOf(whole) === "folder")
      lookBelow({ folder: whole, shown: joined(shown, name), way: joined(way, name) }, agents, look);
    else if (name.endsWith(".md")) {
      for (const called of namesAt(whole, joined(way, name), agents.place, look))
        look.found.push({ ...found, file: joined(shown, name), at: ["name"], name: called });
    }
  }
}

function namesAt(file: string, way: string, { byPath }: AgentsFolder, look: Look): readonly (string | undefined)[] {
  const read = textAt(file, look);
  if (read === undefined) return [];
  const called = byPath && nameByPath(way, byPath);
  const names = read.text === undefined ? [undefined] : agentName(read.text, called);
  return byPath?.when === "always" ? [...new Set([...names, called])] : names;
}

function nameByPath(way: string, { slash, endings }: NamedByPath): string {
  const ending = endings.find((one) => way.endsWith(one)) ?? "";
  return way.slice(0, way.length - ending.length).replaceAll("/", slash);
}

/** Undefined: no file is there. Without a text it can't be read. */
function textAt(whole: string, look: Look): { readonly text: string | undefined } | undefined {
  const file = path.relative(look.dir, whole);
  const read = withPlainFile(whole, (handle, stats) => {
    if (stats.size > LARGEST_FILE) return { bytes: undefined, stats, digest: digestInPieces(handle, stats) };
    const bytes = wholeOf(handle, stats);
    return { bytes, stats, digest: digestOfBytes(bytes) };
  });
  look.files.set(file, read && { stats: read.stats, digest: read.digest });
  if (read === undefined) return isFile(whole) ? { text: undefined } : undefined;
  return { text: read.bytes && soundText(read.bytes) };
}

/** Or what a host could read as one: not a folder of that name, nor nothing in its place (/dev/null). */
function isFile(whole: string): boolean {
  try {
    const stats = statSync(whole);
    return stats.isFile() || stats.isFIFO();
  } catch {
    return false;
  }
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
