import path from "node:path";
import { byName } from "../../base/order.ts";

/** A name beside one of our modules, or below it, that a module resolver would take in its place. */
export interface Shadow {
  readonly file: string;
  readonly module: string;
}

const OURS = /\.ts$/;
/** What resolvers add to a name, or put in the place of what it ends in: `.js`, `.d.ts`, `.native.js`, and `.js.ts` too. */
const ENDING = /(?:\.(?:[cm]?[jt]sx?|d))?(?:\.(?:android|ios|macos|native|web|windows))?\.(?:[cm]?[jt]sx?|node|wasm)$/;
/** Of a folder a module's name and nothing but such an ending, or what says what the folder is. */
const isOfAFolder = (name: string): boolean => name === "package.json" || name.replace(ENDING, "") === "index";

/** `folders`: the names in every folder that was looked through, of links too. Names that differ in case are one on some systems. */
export function shadows(
  made: ReadonlySet<string>,
  folders: ReadonlyMap<string, readonly string[]>,
  isGone: (file: string) => boolean,
): readonly Shadow[] {
  const found: Shadow[] = [];
  for (const [folder, modules] of modulesIn(made)) {
    for (const name of folders.get(folder) ?? []) {
      const file = path.posix.join(folder, name);
      const module = modules.get(name.toLowerCase()) ?? modules.get(name.toLowerCase().replace(ENDING, ""));
      if (module === undefined || made.has(file) || isGone(file)) continue;
      const inside = folders.get(file);
      const taken = inside === undefined ? name : inside.find(isOfAFolder);
      if (taken !== undefined) found.push({ file: inside === undefined ? file : path.posix.join(file, taken), module });
    }
  }
  return found.sort((a, b) => byName(a.file, b.file));
}

/** By folder, and by name without its ending. */
function modulesIn(made: ReadonlySet<string>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const file of made) {
    if (!OURS.test(file)) continue;
    const folder = path.posix.dirname(file);
    const modules = found.get(folder) ?? new Map<string, string>();
    found.set(folder, modules.set(path.posix.basename(file, ".ts").toLowerCase(), file));
  }
  return found;
}
