import path from "node:path";
import { sorted } from "../base/order.ts";
import { compile, type Compilation } from "../compile.ts";
import { createReport, type Report } from "../diagnostics/report.ts";
import type { Memories } from "../1-source/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { leftPlaces } from "../5-artifacts/hosts/left-places.ts";
import { allTargets } from "../5-artifacts/targets.ts";
import { withTexts } from "../capture/overlay.ts";
import { earlierBuild, saveCache } from "../io/remember/cache.ts";
import type { EarlierBuild } from "../io/remember/earlier-build.ts";
import { LIST_NAME } from "../io/write/file-list.ts";
import { strays } from "../io/write/find-ours.ts";
import { keepOutputs } from "../io/remember/kept-outputs.ts";
import { lastOut, rememberOut } from "../io/remember/last-out.ts";
import { lazyLibraries } from "../io/libraries.ts";
import { newerRuntime } from "../io/write/newer-runtime.ts";
import { openMemories } from "../io/remember/memory.ts";
import { isChangedMeanwhile, openProject, type ProjectFiles } from "../io/read/project-files.ts";
import { readResources } from "../io/read/resources.ts";
import { finishEarlierBuild, writeArtifacts } from "../io/write/write-artifacts.ts";
import type { BuildOptions, Built, Compiled, Counts } from "./command.ts";
import { buildId, version } from "./version.ts";

/** Everything heavy, in one module of its own: it is loaded when a project is really compiled. */
export function compileProject(dir: string, instead: ReadonlyMap<string, string> = new Map()): Compiled {
  const files = withTexts(openProject(dir), instead);
  const { plan, diagnostics, locate } = compile(files, allTargets(readResources()), lazyLibraries());
  return { plan, diagnostics, locate };
}

/** What bears rolecall's header below the project's folder and is made by no build of it; nothing, while there are errors. */
export function straysOf(dir: string): readonly string[] {
  const { plan, artifacts, diagnostics } = compile(openProject(dir), allTargets(readResources()), lazyLibraries());
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  const made = new Set(Array.from(artifacts, (artifact) => artifact.path));
  return sorted(strays(dir, made.add(path.posix.join(plan.project.out, LIST_NAME))));
}

/** How often a build begins again because somebody saves a file while it is read. */
const MOST_BEGINNINGS = 5;

export function buildAnew(dir: string, how: BuildOptions): Built {
  for (let beginning = 1; ; beginning++) {
    try {
      return buildOnce(dir, how);
    } catch (problem) {
      if (!isChangedMeanwhile(problem) || beginning === MOST_BEGINNINGS) throw problem;
    }
  }
}

function buildOnce(dir: string, how: BuildOptions): Built {
  const remembering = how.cache && !how.check;
  const earlier = remembering ? earlierBuild(dir, buildId) : undefined;
  const memory = remembering ? openMemories(dir, buildId) : undefined;
  const finishing = createReport(() => undefined);
  if (!how.check) finishEarlierBuild(dir, finishing);
  const { files, compiled } = compilation(dir, memory, earlier);
  const { plan, prompts, locate } = compiled;
  const { out, folder } = plan.project;
  const counts = countsOf(plan);
  const found = [...compiled.diagnostics, ...finishing.sorted()];
  if (found.some((diagnostic) => diagnostic.severity === "error"))
    return { diagnostics: found, counts, plan, prompts, folder, outcome: undefined };
  const former = how.cache ? lastOut(dir) : undefined;
  const report = createReport(locate);
  if (!how.downgrade) refuseNewer(dir, [out, ...(former === undefined ? [] : [former.out])], report);
  if (report.failed)
    return { diagnostics: [...found, ...report.sorted()], counts, plan, prompts, folder, outcome: undefined };
  const result = writeArtifacts(
    told(compiled.artifacts, how),
    {
      dir,
      out,
      folder,
      former,
      mode: how.check ? "check" : "write",
      left: leftPlaces(compiled.hosts),
      earlier,
    },
    report,
  );
  const diagnostics = [...compiled.diagnostics, ...report.sorted()];
  if (report.failed) return { diagnostics, counts, plan, prompts, folder, outcome: undefined };
  if (remembering) {
    memory?.manifests.save();
    memory?.documents.save();
    rememberOut(dir, { out, folder });
    keepOutputs(dir, new Map([...result.made].map(([file, { digest }]) => [file, digest])));
    saveCache(dir, buildId, {
      seen: files.seen,
      outputs: result.outputs,
      made: result.made,
      keys: result.keys,
      folders: result.folders,
      // What was overwritten is said once.
      diagnostics: compiled.diagnostics,
      summary: { counts, prompts, folder, unchanged: result.outputs.size } satisfies Summary,
    });
  }
  return { diagnostics, counts, plan, prompts, folder, outcome: result };
}

/** A look is told too: what it would compare with isn't what the newer one writes. */
function refuseNewer(dir: string, folders: readonly string[], report: Report): void {
  const newer = newerRuntime(dir, folders, version);
  if (newer !== undefined) report.add("output/newer", undefined, { file: newer.file, version: newer.version });
}

/** What the cache keeps of a build: enough to say that there is nothing to do. */
export interface Summary {
  readonly counts: Counts;
  readonly prompts: readonly string[];
  readonly folder: string;
  readonly unchanged: number;
}

function compilation(
  dir: string,
  memory: Memories | undefined,
  earlier: EarlierBuild | undefined,
): { readonly files: ProjectFiles; readonly compiled: Compilation } {
  const files = openProject(dir, earlier?.digestBy);
  return {
    files,
    compiled: compile(files, allTargets(readResources()), { ...lazyLibraries(), ...(memory && { memory }) }),
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
