import type { Locate } from "./base/place.ts";
import { createReport } from "./diagnostics/report.ts";
import type { Diagnostic } from "./diagnostics/types.ts";
import { createDocumentReader } from "./1-source/document/read-document.ts";
import type { YamlModule } from "./1-source/document/yaml-module.ts";
import { readSources } from "./1-source/read-sources.ts";
import { serversWritten } from "./1-source/types.ts";
import type { FileAnswer, Memories, SourceDocument, SourceFiles, Sources } from "./1-source/types.ts";
import { emptyModel, link } from "./2-model/link.ts";
import { decide } from "./3-plan/decide.ts";
import type { Plan } from "./3-plan/types.ts";
import { emit, type ReadPlaces } from "./5-artifacts/emit.ts";
import { fitHosts } from "./4-fit/fit.ts";
import type { FittedPlan } from "./4-fit/types.ts";
import { isHost, type Host, type Target } from "./5-artifacts/target.ts";
import type { Artifact } from "./5-artifacts/types.ts";
import { runChecks } from "./checks/run-checks.ts";
import type { SchemaCheck } from "./2-model/types.ts";

/** What the compiler uses and doesn't load itself: each is asked for only when a project needs it. */
export interface Libraries {
  readonly yaml: () => YamlModule;
  /** What is wrong with a JSON Schema, if anything. */
  readonly schemaProblem: SchemaCheck;
  readonly memory?: Memories;
}

export interface Compilation {
  readonly plan: Plan;
  /** What each chosen host gets of the plan. */
  readonly hosts: readonly FittedPlan<Host>[];
  /** Made one by one while they are read; none when there is an error. */
  readonly artifacts: Iterable<Artifact>;
  readonly diagnostics: readonly Diagnostic[];
  /** Files besides sources that count: prompts, whether they are there or not, and files of other systems and what is read beside them. */
  readonly others: readonly string[];
  readonly locate: Locate;
}

/** The whole pipeline: what was written, every name resolved, every tool decided, files. A project can choose hosts among the targets. */
export function compile(files: SourceFiles, targets: readonly (Target | Host)[], libraries: Libraries): Compilation {
  const reader = createDocumentReader(libraries.yaml);
  const locate = reader.locator((file) => textOf(files.read(file)));
  const report = createReport(locate);
  const knownHosts = targets.filter(isHost);
  const sources = readSources(files, reader.read, knownHosts, libraries.memory, report);
  const model = sources ? link(sources, knownHosts, libraries.schemaProblem, report) : emptyModel;
  const plan = decide(model);
  const hosts = fitHosts(plan, knownHosts);
  runChecks({ model, plan, hosts, knownHosts }, sources?.broken.size === 0, report);
  const artifacts = report.failed ? [] : emit(plan, hosts, targets, readPlaces(sources?.documents ?? []));
  return { plan, hosts, artifacts, diagnostics: report.sorted(), others: besides(sources), locate };
}

function readPlaces(documents: readonly SourceDocument[]): ReadPlaces {
  const foreign = documents.filter(({ origins }) => origins !== undefined);
  return new Map(foreign.map((one) => [one.file, serversWritten(one).map((path) => path.map(String))]));
}

function besides(sources: Sources | undefined): string[] {
  if (sources === undefined) return [];
  const foreign = sources.documents.flatMap(({ file, origins, beside = [] }) =>
    origins === undefined ? [] : [file, ...beside],
  );
  return [...sources.prompts.keys(), ...foreign];
}

export function textOf(answer: FileAnswer): string | undefined {
  return answer.problem === undefined ? answer.text : undefined;
}
