import type { BuildOptions, Built, Compiled, Engine } from "./command.ts";
import type { Summary } from "./compiling.ts";
import { buildId } from "./version.ts";

/** The real compiler on real files. Everything heavy is imported when it is first asked: `--help` never comes here. */
export const engine: Engine = { compile: compileProject, build: buildProject, watch: watchProject };

async function compileProject(dir: string, instead?: ReadonlyMap<string, string>): Promise<Compiled> {
  return (await import("./compiling.ts")).compileProject(dir, instead);
}

/** With nothing changed since the last build the compiler isn't even loaded. */
async function buildProject(dir: string, how: BuildOptions): Promise<Built> {
  const cached = how.cache && !how.check ? await fromCache(dir) : undefined;
  return cached ?? (await import("./compiling.ts")).buildAnew(dir, how);
}

async function fromCache(dir: string): Promise<Built | undefined> {
  const { isUpToDate } = await import("../io/cache.ts");
  const last = isUpToDate(dir, buildId);
  if (last === undefined) return undefined;
  const { counts, unchanged } = last.summary as Summary;
  return { diagnostics: last.diagnostics, counts, outcome: { missing: [], differs: [], stale: [], unchanged } };
}

async function watchProject(dir: string, changed: (files: readonly string[]) => void): Promise<() => void> {
  const { watch } = await import("../io/watch.ts");
  return watch(dir, changed);
}
