import { readdirSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { firstOf } from "../../base/list-words.ts";
import { byName } from "../../base/order.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import { joined } from "./folder-entries.ts";
import { ignoredBy } from "./git.ts";

/** Files below a folder that may be another system's, by their endings: what is near comes first. */
export interface Candidates {
  readonly files: readonly string[];
  /** In words, what nobody looked at. */
  readonly passedBy: readonly string[];
}

export interface Bounds {
  readonly depth: number;
  readonly entries: number;
  readonly files: number;
  readonly bytes: number;
}

export const BOUNDS: Bounds = { depth: 6, entries: 50_000, files: 2_000, bytes: 256 * 1024 };

const DATA = /\.(?:jsonc?|ya?ml|toml)$/i;
/** A skill: text, with what it needs in front of it. */
export const SKILL = "SKILL.md";
/** Other programs' own, and often large. */
const KNOWN = /^(?:package|package-lock|composer|deno|tsconfig.*|.*-lock|.*\.lock|.*\.schema)\.[a-z]+$/i;
/** What is built, or what others wrote. */
const MADE = new Set([
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "vendor",
  "bower_components",
  "__pycache__",
  "venv",
]);
/** What they hold shows how something could be, not how the team works. */
const SHOWN = new Set([
  "test",
  "tests",
  "__tests__",
  "spec",
  "fixtures",
  "__fixtures__",
  "example",
  "examples",
  "docs",
  "doc",
]);

interface Walk {
  readonly dir: string;
  readonly bounds: Bounds;
  readonly found: string[];
  readonly shown: string[];
  readonly deep: string[];
  entries: number;
}

export function findCandidates(dir: string, bounds: Bounds = BOUNDS): Candidates {
  const walk: Walk = { dir, bounds, found: [], shown: [], deep: [], entries: 0 };
  let level: readonly string[] = [""];
  for (let depth = 0; level.length > 0; depth++) level = level.flatMap((folder) => below(folder, depth, walk));
  const ignored = ignoredBy(dir, walk.found);
  const all = walk.found.filter((file) => !ignored.has(file));
  const near = all.slice(0, bounds.files);
  const large = near.filter((file) => isLarger(path.join(dir, file), bounds.bytes));
  const left = new Set(large);
  return { files: near.filter((file) => !left.has(file)), passedBy: passedBy(walk, all.length - near.length, large) };
}

/** Its folders. Links are followed by nobody: what they lead to lies elsewhere too. */
function below(folder: string, depth: number, walk: Walk): string[] {
  if (walk.entries > walk.bounds.entries) return [];
  const entries = entriesOf(path.join(walk.dir, folder));
  walk.entries += entries.length;
  // Another project's.
  if (folder !== "" && entries.some(({ name }) => name === PROJECT_FILE)) return [];
  const folders: string[] = [];
  for (const entry of entries) {
    const at = joined(folder, entry.name);
    if (
      entry.isFile() &&
      (DATA.test(entry.name) || entry.name === SKILL) &&
      !KNOWN.test(entry.name) &&
      !entry.name.startsWith(".")
    )
      walk.found.push(at);
    if (!entry.isDirectory() || isPassedBy(entry.name) || MADE.has(entry.name)) continue;
    const list = SHOWN.has(entry.name) ? walk.shown : depth === walk.bounds.depth ? walk.deep : folders;
    list.push(at);
  }
  return folders;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  } catch {
    return [];
  }
}

function isLarger(file: string, most: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most;
}

function passedBy({ shown, deep, entries, bounds }: Walk, further: number, large: readonly string[]): string[] {
  return [
    ...(shown.length > 0 ? [`${firstOf(shown)}: tests, examples and pages`] : []),
    ...(deep.length > 0 ? [`${firstOf(deep)}: deeper than ${bounds.depth} folders`] : []),
    ...(large.length > 0 ? [`${firstOf(large)}: larger than ${bounds.bytes / 1024} KB`] : []),
    ...(further > 0 ? [`${further} more files, behind the first ${bounds.files}`] : []),
    ...(entries > bounds.entries ? [`what lies behind the first ${bounds.entries} files and folders`] : []),
  ];
}
