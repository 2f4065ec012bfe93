import type { Room } from "./laws.ts";

/** The one place that says who may import whom. house-rules.test.ts holds it. */

const BASE = ["compiler/base/**", "runtime/canonical.ts", "runtime/secret-names.ts", "runtime/decoded-text.ts"];
const inFolder = (folder: string, names: string): string[] => names.split(" ").map((name) => `${folder}/${name}.ts`);
const PURE_RUNTIME = [
  ...inFolder("runtime", "contract server-data conditions path-glob pattern-search pattern-ways pinned-schema"),
  ...inFolder("runtime", "canonical json-values last-words loopback secret-names covered-tool"),
  ...inFolder("runtime", "resource-uri uri-glob closed-address"),
];
const PLAN = inFolder("compiler/3-plan", "types held access condition-words members resource-rules judge-address");
const RUNTIME_DATA = ["compiler/runtime-data/**"];
/** What is known of a server that was asked; pure. */
const LIVE_SERVER = ["compiler/live-server/**"];
const RESULTS = ["compiler/results/**"];
const FIRST_PROJECT = ["compiler/first-project/**"];
const SOURCE_EDITS = ["compiler/source-edits/**"];
const ADDING = ["compiler/adding/**"];
/** What clients of the gateway see, and what is said to its daemon; what a team's state is; both pure. */
const SERVE = ["compiler/serve/**"];
const SERVED_BY = [
  ...["login/**", "write/lock.ts", "*.ts"].map((one) => `compiler/io/${one}`),
  "types of compiler/io/remember/looked-at.ts",
];
const STATE = ["compiler/state/**"];
const DIFF = ["compiler/diff/**"];
const [JUDGE, HERE] = ["runtime/conditions.ts", "runtime/loopback.ts"];
const CONNECT = inFolder("runtime/connect", "bounds expand");
const CONTRACT = "types of runtime/contract.ts";
/** What an app's code and its records do with what roles hold; pure. */
const USAGE = ["compiler/usage/**"];
/** What is asked of a plan: does it keep to this, what does a role weigh, what is dangerous together; pure. */
const QUESTIONS = ["compiler/questions/**"];
const FIT = ["compiler/4-fit/**"];
/** What every target may use: the contract of artifacts, and how text of a kind is made. */
const TARGET_TOOLS = [
  "compiler/5-artifacts/*.ts",
  "compiler/5-artifacts/typescript/**",
  "compiler/5-artifacts/managed/block.ts",
];
/** What pages and JSON of a command are made of: finished values, and how they are said. */
const SHOWN_BY_COMMANDS = [
  ...BASE,
  ...PLAN,
  ...LIVE_SERVER,
  "compiler/diagnostics/**",
  "compiler/capture/**",
  "compiler/calls/**",
  "compiler/2-model/template.ts",
  "compiler/3-plan/plan-json.ts",
  "types of compiler/3-plan/packages.ts",
  "types of compiler/3-plan/compare-access.ts",
  "types of compiler/3-plan/try-arguments.ts",
  ...["given", "host-table", "merged", "reads", "shells", "start"].map((name) => `compiler/4-fit/${name}.ts`),
  "types of compiler/4-fit/**",
  CONTRACT,
  "types of schemas/types.ts",
];
const EVERY_PASS = ["base", "diagnostics", "1-source", "2-model", "3-plan", "checks", "4-fit", "5-artifacts"].map(
  (room) => `compiler/${room}/**`,
);

/** The first room that names a file is its room. A room imports itself and what is listed; `types of` leaves nothing at run time. */
export const ROOMS: readonly Room[] = [
  { name: "base", files: ["compiler/base/**"], imports: PURE_RUNTIME },
  { name: "diagnostics", files: ["compiler/diagnostics/**"], imports: BASE },
  {
    name: "1-source",
    files: ["compiler/1-source/**"],
    imports: [...BASE, "compiler/diagnostics/**", "schemas/**", "runtime/covered-tool.ts", "compiler/state/tools.ts"],
  },
  {
    name: "2-model",
    files: ["compiler/2-model/**"],
    imports: [
      ...BASE,
      "compiler/diagnostics/**",
      "compiler/1-source/types.ts",
      "types of schemas/types.ts",
      ...PURE_RUNTIME,
    ],
  },
  { name: "3-plan", files: ["compiler/3-plan/**"], imports: [...BASE, "compiler/2-model/types.ts", ...PURE_RUNTIME] },
  {
    name: "checks",
    files: ["compiler/checks/**"],
    imports: [
      ...BASE,
      "compiler/diagnostics/**",
      ...["types", "argument-path", "lineage"].map((name) => `compiler/2-model/${name}.ts`),
      "types of compiler/4-fit/types.ts",
      "compiler/4-fit/given.ts",
      "compiler/state/uris.ts",
      ...PLAN,
      ...PURE_RUNTIME,
    ],
  },
  {
    name: "what the runtime is given",
    files: RUNTIME_DATA,
    imports: [...BASE, ...PLAN, CONTRACT, "types of runtime/server-data.ts"],
  },
  { name: "4-fit", files: FIT, imports: [...BASE, ...PLAN] },
  {
    name: "the lists of targets and hosts",
    files: [
      "compiler/5-artifacts/targets.ts",
      "compiler/5-artifacts/emit.ts",
      "compiler/5-artifacts/hosts/all-hosts.ts",
      "compiler/5-artifacts/hosts/left-places.ts",
    ],
    imports: [...BASE, ...PLAN, ...FIT, "compiler/5-artifacts/**"],
  },
  {
    name: "5-artifacts",
    files: ["compiler/5-artifacts/*.ts", "compiler/5-artifacts/typescript/**", "compiler/5-artifacts/managed/**"],
    imports: [...BASE, ...PLAN, ...FIT, "compiler/5-artifacts/typescript/writer.ts"],
  },
  {
    name: "what hosts have in common",
    files: ["compiler/5-artifacts/hosts/*.ts"],
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "compiler/5-artifacts/managed/**"],
  },
  {
    name: "a host",
    files: ["compiler/5-artifacts/hosts/*/**"],
    folderEach: "compiler/5-artifacts/hosts/",
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "compiler/5-artifacts/hosts/*.ts"],
  },
  {
    name: "the editor schemas' target",
    files: ["compiler/5-artifacts/editor-schemas/**"],
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, "schemas/**"],
  },
  {
    name: "a target for reviewers",
    files: ["compiler/5-artifacts/review/*/**"],
    folderEach: "compiler/5-artifacts/review/",
    imports: [...BASE, ...PLAN, ...FIT, ...TARGET_TOOLS, CONTRACT],
  },
  {
    name: "a target",
    files: ["compiler/5-artifacts/*/**"],
    folderEach: "compiler/5-artifacts/",
    imports: [...BASE, ...PLAN, ...FIT, ...RUNTIME_DATA, ...TARGET_TOOLS],
  },
  {
    name: "live-server",
    files: LIVE_SERVER,
    imports: [
      ...BASE,
      ...PLAN,
      ...FIT,
      "types of compiler/5-artifacts/target.ts",
      ...inFolder("runtime", "covered-tool last-words secrets"),
      "types of runtime/server-data.ts",
    ],
  },
  {
    name: "capture",
    files: ["compiler/capture/**"],
    imports: [
      ...BASE,
      ...PLAN,
      ...LIVE_SERVER,
      "compiler/diagnostics/report.ts",
      "types of compiler/diagnostics/types.ts",
      "compiler/1-source/types.ts",
      "compiler/1-source/examine-manifest.ts",
      "compiler/3-plan/compare-access.ts",
      ...inFolder("runtime", "secrets secret-parts"),
    ],
  },
  {
    name: "diff",
    files: DIFF,
    // A text is aimed at the model in a review as it is in a capture.
    imports: [...BASE, ...PLAN, JUDGE, CONTRACT, "compiler/capture/poison.ts", "types of schemas/types.ts"],
  },
  { name: "serve", files: SERVE, imports: [...BASE, ...PLAN, ...FIT, ...RUNTIME_DATA, ...DIFF, JUDGE, HERE, CONTRACT] },
  { name: "state", files: STATE, imports: [...BASE, "compiler/calls/read-call.ts", "compiler/calls/read-report.ts"] },
  {
    name: "questions",
    files: QUESTIONS,
    imports: [
      ...BASE,
      ...PLAN,
      ...DIFF,
      "types of compiler/4-fit/types.ts",
      "types of compiler/2-model/selectors/find-tools.ts",
    ],
  },
  { name: "first-project", files: FIRST_PROJECT, imports: BASE },
  { name: "results", files: RESULTS, imports: BASE },
  { name: "source-edits", files: SOURCE_EDITS, imports: BASE },
  { name: "adding", files: ADDING, imports: [...BASE, ...PLAN, "types of compiler/source-edits/types.ts"] },
  {
    name: "usage",
    files: USAGE,
    imports: [
      ...BASE,
      ...PLAN,
      "compiler/calls/filter.ts",
      "types of compiler/calls/types.ts",
      "types of compiler/source-edits/types.ts",
    ],
  },
  { name: "calls", files: ["compiler/calls/**"], imports: [...BASE, "types of compiler/3-plan/types.ts"] },
  {
    name: "the gateway's daemon and its shim",
    files: ["compiler/io/serve/**"],
    world: true,
    imports: [...BASE, ...SERVE, ...SERVED_BY, "runtime/*.ts", "runtime/session/*.ts", ...CONNECT],
  },
  {
    name: "the server of a team's state",
    files: ["compiler/io/state/**"],
    world: true,
    imports: [...BASE, ...STATE, "compiler/io/serve/**", "compiler/io/read/**"],
  },
  {
    name: "io",
    files: ["compiler/io/**"],
    world: true,
    imports: [
      "types of compiler/first-project/**",
      "types of compiler/results/types.ts",
      "types of compiler/usage/types.ts",
      "compiler/usage/generated-names.ts",
      "compiler/usage/read-program.ts",
      ...BASE,
      "compiler/diagnostics/**",
      "compiler/1-source/types.ts",
      "compiler/5-artifacts/*.ts",
      "compiler/3-plan/read-access.ts",
      "compiler/5-artifacts/managed/**",
      "types of compiler/5-artifacts/targets.ts",
      "compiler/1-source/document/toml/read-toml.ts",
      "types of compiler/1-source/document/yaml-module.ts",
      "types of compiler/2-model/types.ts",
      "types of compiler/4-fit/**",
      "types of compiler/3-plan/types.ts",
      ...RUNTIME_DATA,
      ...LIVE_SERVER,
      "compiler/capture/**",
      // A server is reached as the runtime does it, and what is said of a call's arguments is what a call is told.
      "runtime/connect/**",
      "runtime/loopback.ts",
      "runtime/session/schemas.ts",
      "runtime/session/root.ts",
      "types of runtime/link.ts",
      "types of runtime/server-data.ts",
    ],
  },
  {
    name: "the pipeline",
    files: ["compiler/compile.ts", "compiler/translate.ts"],
    imports: [...EVERY_PASS, "compiler/compile.ts"],
  },
  {
    name: "the compiler's door",
    files: ["compiler/index.ts"],
    imports: ["compiler/compile.ts", "compiler/io/**", ...EVERY_PASS],
  },
  {
    name: "the door for tests of apps",
    files: ["compiler/testing/**"],
    world: true,
    imports: [
      ...BASE,
      "compiler/compile.ts",
      "compiler/io/libraries.ts",
      "compiler/io/read/**",
      "runtime/loopback.ts",
      "runtime/session/schemas.ts",
    ],
  },
  {
    name: "what commands print",
    files: ["compiler/cli/*/*page.ts", "compiler/cli/*/*json.ts", "compiler/cli/*/*words.ts"],
    imports: [
      ...SHOWN_BY_COMMANDS,
      "types of compiler/translate.ts",
      "types of compiler/diff/**",
      "types of compiler/questions/**",
      "types of compiler/first-project/**",
      "types of compiler/results/types.ts",
      "types of compiler/adding/**",
      "types of compiler/source-edits/types.ts",
      "compiler/usage/judge.ts",
      "types of compiler/usage/**",
      "types of compiler/io/**",
      "types of compiler/serve/**",
      "compiler/cli/*.ts",
      "types of compiler/cli/**",
    ],
  },
  {
    name: "cli",
    files: ["compiler/cli/**"],
    world: true,
    imports: [
      ...SHOWN_BY_COMMANDS,
      "compiler/io/**",
      "compiler/cli/**",
      ...RUNTIME_DATA,
      // What a command asks, each of them one function: it decides nothing of that itself.
      "compiler/compile.ts",
      "compiler/translate.ts",
      ...DIFF,
      ...QUESTIONS,
      "compiler/2-model/selectors/find-tools.ts",
      "compiler/3-plan/read-access.ts",
      ...FIRST_PROJECT,
      ...RESULTS,
      ...SOURCE_EDITS,
      ...ADDING,
      ...SERVE,
      ...STATE,
      ...USAGE,
      "types of compiler/1-source/types.ts",
      "compiler/5-artifacts/managed/json.ts",
      // What isn't a project, presets that nobody copied yet, is compiled like one.
      "compiler/1-source/memory-files.ts",
      "compiler/3-plan/packages.ts",
      "compiler/5-artifacts/managed/yaml-source.ts",
      "compiler/3-plan/try-arguments.ts",
      "compiler/4-fit/fit.ts",
      "compiler/5-artifacts/targets.ts",
      "compiler/5-artifacts/target.ts",
      "compiler/5-artifacts/hosts/all-hosts.ts",
      "compiler/5-artifacts/hosts/left-places.ts",
      "package.json",
    ],
  },
  { name: "the pure part of the runtime", files: PURE_RUNTIME, imports: [] },
  {
    name: "the runtime's connections, which know nothing of sessions",
    files: ["runtime/connect/**"],
    world: true,
    imports: [...PURE_RUNTIME, "runtime/*.ts"],
  },
  { name: "runtime", files: ["runtime/**"], world: true, imports: [...PURE_RUNTIME, "runtime/connect/**"] },
  { name: "schemas", files: ["schemas/**"], imports: [] },
];
