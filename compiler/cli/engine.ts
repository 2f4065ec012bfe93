import type { Compilation } from "../compile.ts";
import type { ManifestMemory } from "../1-source/types.ts";
import type { Plan } from "../3-plan/types.ts";
import type { ProjectFiles } from "../io/project-files.ts";
import type { BuildOptions, Built, Compiled, Counts, Engine } from "./command.ts";
import { buildId } from "./version.ts";

/** The real compiler on real files. Everything heavy is imported when it is first asked: `--help` never comes here. */
export const engine: Engine = { compile: compileProject, build: buildProject, watch: watchProject };

async function compileProject(dir: string): Promise<Compiled> {
  const { plan, diagnostics, locate } = (await compilation(dir)).compiled;
  return { plan, diagnostics, locate };
}

async function buildProject(dir: string, how: BuildOptions): Promise<Built> {
  const cached = how.cache && !how.check;
  return (cached ? await fromCache(dir) : undefined) ?? buildAnew(dir, how);
}

async function buildAnew(dir: string, how: BuildOptions): Promise<Built> {
  const { rememberedManifests } = await import("../io/memory.ts");
  const memory = how.cache && !how.check ? rememberedManifests(dir, buildId) : undefined;
  const { files, compiled } = await compilation(dir, memory);
  const { plan, locate } = compiled;
  const counts = countsOf(plan);
  if (compiled.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return { diagnostics: compiled.diagnostics, counts, outcome: undefined };
  const [{ writeArtifacts }, { createReport }] = await Promise.all([import("../io/write-artifacts.ts"), import("../diagnostics/report.ts")]);
  const report = createReport(locate);
  const result = writeArtifacts(told(compiled.artifacts, how), { dir, out: plan.project.out, mode: how.check ? "check" : "write" }, report);
  const diagnostics = [...compiled.diagnostics, ...report.sorted()];
  if (report.failed) return { diagnostics, counts, outcome: undefined };
  if (how.cache && !how.check) {
    const { saveCache } = await import("../io/cache.ts");
    memory?.save();
    saveCache(dir, buildId, { seen: files.seen, outputs: result.outputs, diagnostics, summary: { counts, unchanged: result.outputs.size } satisfies Summary });
  }
  return { diagnostics, counts, outcome: result };
}

/** What the cache keeps of a build: enough to say that there is nothing to do. */
interface Summary {
  readonly counts: Counts;
  readonly unchanged: number;
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

async function compilation(dir: string, manifests?: ManifestMemory): Promise<{ readonly files: ProjectFiles; readonly compiled: Compilation }> {
  const [{ compile }, { openProject }, { allTargets }, { readResources }, { lazyLibraries }] = await Promise.all([
    import("../compile.ts"),
    import("../io/project-files.ts"),
    import("../4-artifacts/targets.ts"),
    import("../io/resources.ts"),
    import("../io/libraries.ts"),
  ]);
  const files = openProject(dir);
  return { files, compiled: compile(files, allTargets(readResources()), { ...lazyLibraries(), ...(manifests && { manifests }) }) };
}

/** The same artifacts; each is announced before it is written. */
function* told<Made extends { readonly path: string }>(artifacts: Iterable<Made>, how: BuildOptions): Generator<Made> {
  let count = 0;
  for (const artifact of artifacts) {
    how.progress?.(`${how.check ? "comparing" : "writing"} ${artifact.path} (${++count})`);
    yield artifact;
  }
}

function countsOf(plan: Plan): Counts {
  return { roles: plan.roles.length, servers: plan.servers.length, tools: plan.servers.reduce((sum, server) => sum + server.tools.length, 0) };
}
