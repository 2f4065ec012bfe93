export type Modules = ReadonlyMap<string, string>;

export function entriesIn(modules: Modules): ReadonlyMap<string, string>;
export function flatten(modules: Modules, entries: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
export function readModules(folder: string): Modules;
export function writeRuntime(root: string, out: string): void;
