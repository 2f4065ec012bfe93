import { createRequire } from "node:module";
import path from "node:path";
import type * as TsMorph from "ts-morph";
import { readPlainText } from "../bytes.ts";
import { mayLookFor } from "../package-files.ts";
import type { TypeScript } from "../../usage/types.ts";

/** A TypeScript that can be asked, and its own declarations of the language. */
export interface TypeScriptLibrary {
  readonly ts: TypeScript;
  /** For people: `ts-morph 28.0.0`. */
  readonly name: string;
  readonly libFolder: string;
  readLib(file: string): string | undefined;
  /** Those that were read, for every program of a run. */
  readonly libs: Map<string, TsMorph.ts.SourceFile>;
}

/**
 * The app's own ts-morph, else its own TypeScript where that one can be asked (7 can't), else what lies beside rolecall.
 * Loaded here and nowhere else: it takes a quarter of a second, and no build needs it.
 */
export function loadTypeScript(dir: string): TypeScriptLibrary | undefined {
  const own = ["ts-morph", "typescript"].every((name) => mayLookFor(name, dir)) ? [path.join(dir, "package.json")] : [];
  for (const from of [...own, import.meta.url]) {
    const require = createRequire(from);
    const found = tsMorph(require) ?? plain(require);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tsMorph(require: NodeJS.Require): TypeScriptLibrary | undefined {
  const library = loaded(() => require("ts-morph")) as typeof TsMorph | undefined;
  if (library?.ts === undefined) return undefined;
  // It brings the language's declarations in its own memory.
  const host = new library.Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  return {
    ts: library.ts,
    name: `ts-morph${versionOf(require)}`,
    libFolder: "/node_modules/typescript/lib",
    readLib: (file) => host.readFile?.(file),
    libs: new Map(),
  };
}

const OLDEST = 5;

function plain(require: NodeJS.Require): TypeScriptLibrary | undefined {
  const ts = loaded(() => require("typescript")) as TypeScript | undefined;
  if (typeof ts?.createProgram !== "function" || Number.parseInt(ts.version, 10) < OLDEST) return undefined;
  const libFolder = path.dirname(require.resolve("typescript")).split(path.sep).join("/");
  return {
    ts,
    name: `typescript ${ts.version}`,
    libFolder,
    readLib: (file) => readPlainText(file),
    libs: new Map(),
  };
}

function loaded(load: () => unknown): unknown {
  try {
    return load();
  } catch {
    return undefined;
  }
}

function versionOf(require: NodeJS.Require): string {
  const manifest = loaded(() => require("ts-morph/package.json")) as { readonly version?: string } | undefined;
  return manifest?.version === undefined ? "" : ` ${manifest.version}`;
}
