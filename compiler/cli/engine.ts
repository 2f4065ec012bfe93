import { sorted } from "../base/order.ts";
import type { BuildOptions, Built, Compiled, Engine } from "./command.ts";
import type { BuildSummary } from "./compiling.ts";
import { buildId } from "./version.ts";

/** The real compiler on real files. Everything heavy is imported when it is first asked: `--help` never comes here. */
export const engine: Engine = {
  compile: compileProject,
  build: buildProject,
  strays: async (dir) => (await import("./compiling.ts")).straysOf(dir),
  watch: watchProject,
};

async function compileProject(dir: string, instead?: ReadonlyMap<string, string>): Promise<Compiled> {
  return (await import("./compiling.ts")).compileProject(dir, instead);
}

/** With no source changed since the last build the compiler isn't even loaded. */
async function buildProject(dir: string, how: BuildOptions): Promise<Built> {
  const cached = how.cache && !how.check ? await fromCache(dir) : undefined;
  return cached ?? (await import("./compiling.ts")).buildAnew(dir, how);
}

async function fromCache(dir: string): Promise<Built | undefined> {
  const { standingBuild } = await import("../io/remember/cache.ts");
  const standing = standingBuild(dir, buildId);
  if (standing === undefined) return undefined;
  const { last, gone } = standing;
  if (gone.size > 0) {
    if (!(await import("../io/write/restore-outputs.ts")).restoreOutputs(dir, gone)) return undefined;
    standing.settle();
  }
  const { counts, others, folder, unchanged } = last.summary as BuildSummary;
  const outcome = { missing: sorted(gone.keys()), differs: [], stale: [], unchanged: unchanged - gone.size };
  return { diagnostics: last.diagnostics, counts, others, folder, outcome };
}

async function watchProject(...[dir, changed, followed]: Parameters<Engine["watch"]>): Promise<() => void> {
  const { watch } = await import("../io/read/watch.ts");
  return watch(dir, changed, { others: () => followed().others, folder: () => followed().folder });
}
