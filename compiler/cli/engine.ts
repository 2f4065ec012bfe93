import type { Compilation } from "../compile.ts";
import { createReport } from "../diagnostics/report.ts";
import type { BuildOptions, Built, Compiled, Engine } from "./command.ts";

/** The real compiler on real files. Everything heavy is imported when it is first asked: `--help` never comes here. */
export const engine: Engine = { compile: compileProject, build: buildProject, watch: watchProject };

async function compileProject(dir: string): Promise<Compiled> {
  const { plan, diagnostics, locate } = await compilation(dir);
  return { plan, diagnostics, locate };
}

async function buildProject(dir: string, how: BuildOptions): Promise<Built> {
  const { plan, diagnostics, locate, artifacts } = await compilation(dir);
  if (diagnostics.some((diagnostic) => diagnostic.severity === "error")) return { plan, diagnostics, locate, outcome: undefined };
  const { writeArtifacts } = await import("../io/write-artifacts.ts");
  const report = createReport(locate);
  const outcome = writeArtifacts(told(artifacts, how), { dir, out: plan.project.out, mode: how.check ? "check" : "write" }, report);
  return { plan, diagnostics: [...diagnostics, ...report.sorted()], locate, outcome: report.failed ? undefined : outcome };
}

async function watchProject(dir: string, changed: () => void): Promise<() => void> {
  const { watch } = await import("../io/watch.ts");
  return watch(dir, changed);
}

async function compilation(dir: string): Promise<Compilation> {
  const [{ compile }, { openProject }, { allTargets }, { readResources }, { loadYaml, schemaProblem }] = await Promise.all([
    import("../compile.ts"),
    import("../io/project-files.ts"),
    import("../4-artifacts/targets.ts"),
    import("../io/resources.ts"),
    import("../io/libraries.ts"),
  ]);
  return compile(openProject(dir), allTargets(readResources()), { yaml: loadYaml, schemaProblem });
}

/** The same artifacts; each is announced before it is written. */
function* told<Made extends { readonly path: string }>(artifacts: Iterable<Made>, how: BuildOptions): Generator<Made> {
  let count = 0;
  for (const artifact of artifacts) {
    how.progress?.(`${how.check ? "comparing" : "writing"} ${artifact.path} (${++count})`);
    yield artifact;
  }
}
