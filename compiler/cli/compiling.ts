import { compile, type Compilation } from "../compile.ts";
import { createReport } from "../diagnostics/report.ts";
import type { ManifestMemory } from "../1-source/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { allTargets } from "../4-artifacts/targets.ts";
import { withTexts } from "../capture/overlay.ts";
import { saveCache } from "../io/cache.ts";
import { lastOut, rememberOut } from "../io/last-out.ts";
import { lazyLibraries } from "../io/libraries.ts";
import { rememberedManifests } from "../io/memory.ts";
import { openProject, type ProjectFiles } from "../io/project-files.ts";
import { readResources } from "../io/resources.ts";
import { finishEarlierBuild, writeArtifacts } from "../io/write-artifacts.ts";
import type { BuildOptions, Built, Compiled, Counts } from "./command.ts";
import { buildId } from "./version.ts";

/** Everything heavy, in one module of its own: it is loaded when a project is really compiled. */
export function compileProject(dir: string, instead: ReadonlyMap<string, string> = new Map()): Compiled {
  const files = withTexts(openProject(dir), instead);
  const { plan, diagnostics, locate } = compile(files, allTargets(readResources()), lazyLibraries());
  return { plan, diagnostics, locate };
}

export function buildAnew(dir: string, how: BuildOptions): Built {
  const memory = how.cache && !how.check ? rememberedManifests(dir, buildId) : undefined;
  const earlier = createReport(() => undefined);
  if (!how.check) finishEarlierBuild(dir, earlier);
  const { files, compiled } = compilation(dir, memory);
  const { plan, locate } = compiled;
  const { out } = plan.project;
  const counts = countsOf(plan);
  const found = [...compiled.diagnostics, ...earlier.sorted()];
  if (found.some((diagnostic) => diagnostic.severity === "error"))
    return { diagnostics: found, counts, outcome: undefined };
  const report = createReport(locate);
  const result = writeArtifacts(
    told(compiled.artifacts, how),
    {
      dir,
      out,
      formerOut: how.cache ? lastOut(dir) : undefined,
      ownFolders: ownFolders(plan),
      mode: how.check ? "check" : "write",
    },
    report,
  );
  const diagnostics = [...compiled.diagnostics, ...report.sorted()];
  if (report.failed) return { diagnostics, counts, outcome: undefined };
  if (how.cache && !how.check) {
    memory?.save();
    rememberOut(dir, out);
    saveCache(dir, buildId, {
      seen: files.seen,
      outputs: result.outputs,
      diagnostics,
      summary: { counts, unchanged: result.outputs.size } satisfies Summary,
    });
  }
  return { diagnostics, counts, outcome: result };
}

/** Besides `out`, which may hold files of the team's too. */
function ownFolders({ project }: Plan): string[] {
  return [`${project.folder}/hosts`, `${project.folder}/schema`, ".mcp/servers"];
}

/** What the cache keeps of a build: enough to say that there is nothing to do. */
export interface Summary {
  readonly counts: Counts;
  readonly unchanged: number;
}

function compilation(
  dir: string,
  manifests?: ManifestMemory,
): { readonly files: ProjectFiles; readonly compiled: Compilation } {
  const files = openProject(dir);
  return {
    files,
    compiled: compile(files, allTargets(readResources()), { ...lazyLibraries(), ...(manifests && { manifests }) }),
  };
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
  return {
    roles: plan.roles.length,
    servers: plan.servers.length,
    tools: plan.servers.reduce((sum, server) => sum + server.tools.length, 0),
  };
}
