import path from "node:path";
import { sorted } from "../base/order.ts";
import { compile, type Compilation } from "../compile.ts";
import { createReport, type Report } from "../diagnostics/report.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { unchosenHosts } from "../4-fit/fit.ts";
import { leftPlaces } from "../5-artifacts/hosts/left-places.ts";
import { isHost } from "../5-artifacts/target.ts";
import { allTargets } from "../5-artifacts/targets.ts";
import { earlierBuild, saveCache } from "../io/remember/cache.ts";
import { LIST_NAME } from "../base/file-list.ts";
import { strays } from "../io/write/find-strays.ts";
import { keepOutputs } from "../io/remember/kept-outputs.ts";
import { lookedAt, type LookedAt } from "../io/remember/looked-at.ts";
import { lastFolders, rememberFolders } from "../io/remember/last-folders.ts";
import { lazyLibraries } from "../io/libraries.ts";
import { newerRuntime } from "../io/write/newer-runtime.ts";
import { openMemories } from "../io/remember/memory.ts";
import type { WriteResult } from "../io/write/comparison.ts";
import { isChangedMeanwhile, openProject, withTexts, type Seen } from "../io/read/project-files.ts";
import { readResources } from "../io/read/resources.ts";
import { finishEarlierBuild, writeArtifacts } from "../io/write/write-artifacts.ts";
import type { BuildOptions, Built, Compiled, Counts } from "./command.ts";
import { joinedByHosts, withLooked } from "./joined-by-hosts.ts";
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
  const remembered = rememberedFor(dir, how);
  const finishing = createReport(() => undefined);
  if (!how.check) finishEarlierBuild(dir, finishing);
  const files = openProject(dir, remembered?.earlier?.digestBy);
  const memories = remembered && { memory: remembered.memory };
  const targets = allTargets(readResources());
  const compiled = compile(files, targets, { ...lazyLibraries(), ...memories });
  const { plan, others, locate } = compiled;
  const { out, folder } = plan.project;
  const counts = countsOf(plan);
  const ended = (diagnostics: readonly Diagnostic[]): Built => ({
    diagnostics,
    counts,
    plan,
    locate,
    others,
    folder,
    outcome: undefined,
  });
  const found = [...compiled.diagnostics, ...finishing.sorted()];
  if (found.some((diagnostic) => diagnostic.severity === "error")) return ended(found);
  const former = lastFolders(dir);
  const report = createReport(locate);
  refuseNewer(dir, former === undefined ? [out] : [out, former.out], how, report);
  if (report.failed) return ended([...found, ...report.sorted()]);
  const mode = how.check ? "check" : "write";
  const known = targets.filter(isHost);
  const left = leftPlaces(compiled.hosts, unchosenHosts(plan, known));
  const joined = joinedByHosts(dir, compiled.hosts, known, { check: how.check, report });
  const place = {
    dir,
    out,
    folder,
    hosts: known,
    former,
    mode,
    left,
    joined: joined.tell,
    earlier: remembered?.earlier,
  } as const;
  const result = writeArtifacts(told(compiled.artifacts, how), place, report);
  const diagnostics = [...compiled.diagnostics, ...joined.beside(), ...report.sorted()];
  if (report.failed) return ended(diagnostics);
  if (!how.check) rememberFolders(dir, { out, folder });
  if (remembered !== undefined)
    rememberBuild(dir, remembered.memory, withLooked(files.seen, joined, result), compiled, result);
  const lookedAtNow = (): LookedAt => lookedAt(files.seen, result);
  return { diagnostics, counts, plan, locate, others, folder, outcome: result, lookedAt: lookedAtNow };
}

/** What an earlier build left for this one to save work by. */
function rememberedFor(dir: string, { cache, check }: BuildOptions) {
  if (!cache || check) return undefined;
  return { earlier: earlierBuild(dir, buildId), memory: openMemories(dir, buildId) };
}

function rememberBuild(
  dir: string,
  memory: ReturnType<typeof openMemories>,
  seen: Seen,
  { plan, others, diagnostics }: Compilation,
  result: WriteResult,
): void {
  const { outputs, made, keys, folders } = result;
  const { folder } = plan.project;
  memory.manifests.save();
  memory.documents.save();
  keepOutputs(dir, new Map([...made].map(([file, { digest }]) => [file, digest])));
  // The diagnostics are those of compiling: what was overwritten is said once.
  const summary: BuildSummary = { counts: countsOf(plan), others, folder, unchanged: outputs.size };
  saveCache(dir, buildId, { seen, outputs, made, keys, folders, diagnostics, summary });
}

/** A look is told too: what it would compare with isn't what the newer one writes. */
function refuseNewer(dir: string, folders: readonly string[], { downgrade }: BuildOptions, report: Report): void {
  if (downgrade) return;
  const newer = newerRuntime(dir, folders, version);
  if (newer !== undefined) report.add("output/newer", undefined, { file: newer.file, version: newer.version });
}

/** What the cache keeps of a build: enough to say that there is nothing to do. */
export interface BuildSummary {
  readonly counts: Counts;
  readonly others: readonly string[];
  readonly folder: string;
  readonly unchanged: number;
}

/** Passes the artifacts on; tells `progress` of each before it is written. */
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
