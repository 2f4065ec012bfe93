/** The compiler's door, for programs that build on it. The `rolecall` command is made of the same parts. */
export { compile, type Compilation, type Libraries } from "./compile.ts";
export type { Diagnostic, RelatedPlace, Severity } from "./diagnostics/types.ts";
export { renderText } from "./diagnostics/render-text.ts";
export { renderJson } from "./diagnostics/render-json.ts";
export { memoryFiles } from "./1-source/memory-files.ts";
export type { FileAnswer, FileProblem, ListedFile, SourceFiles } from "./1-source/types.ts";
export type { Decision, Effect, Grant, Plan, PlannedRole, Reason, Server, Tool } from "./3-plan/types.ts";
export { held, holdsAny } from "./3-plan/held.ts";
export { planJson } from "./3-plan/plan-json.ts";
export type { Host } from "./5-artifacts/target.ts";
export type { Target } from "./5-artifacts/target.ts";
export type { Artifact, LargeFile, ManagedBlock, ManagedKey, ManagedKeys, WholeFile } from "./5-artifacts/types.ts";
export { allTargets, type Resources } from "./5-artifacts/targets.ts";
export { lazyLibraries } from "./io/libraries.ts";
export { openProject } from "./io/read/project-files.ts";
export { textWithKeys, type FilledText } from "./io/text-with-keys.ts";
export { readResources } from "./io/read/resources.ts";
