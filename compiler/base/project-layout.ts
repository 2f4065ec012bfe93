/** Where the things of a project lie, and what its settings are where it says nothing. The one place that knows. */

export const PROJECT_FILE = "rolecall.yaml";

/** In the folder of sources: where approvals stand by habit. */
export const APPROVALS_FILE = "approved.yaml";

export const DEFAULTS = {
  out: "src/mcp",
  folder: "mcp",
  importExtension: "js",
  runtime: "files",
  serve: {
    command: ["rolecall"],
    idleMs: 600_000,
    env: { file: ".env", isWritten: false },
    record: ".runs/{run}/calls.jsonl",
    tellsPrompt: false,
    askHoldMs: 45_000,
    askTimeoutMs: 600_000,
    approvers: ["terminal", "page"],
    http: { auth: undefined, hosts: [], url: undefined, limits: undefined, key: undefined },
  },
  state: {
    isWritten: false,
    name: "team",
    members: undefined,
    command: ["rolecall", "state"],
    decisions: ".squad/decisions.md",
    backlog: ".squad/backlog.md",
    history: ".squad/agents/{name}/history.md",
  },
} as const;

/** How rolecall is started where the project has it among its dependencies: nothing is installed for it. */
export const COMMAND_OF_DEPENDENTS = ["npx", "--no", "rolecall"] as const;

/** Folders of other programs, and our own notes: no source lies in them, and nothing is written there. */
export const CLOSED_FOLDERS: readonly string[] = ["node_modules", ".git", ".rolecall"];

/** A file above the project, as rolecall.yaml names it. */
export function isOutside(file: string): boolean {
  return file.startsWith("../");
}

/** Below the folder of sources, by what lies there. */
const MANIFESTS = "manifests";
const PRESETS = "presets";
const GENERATED = ["hosts", "schema"];

export function manifestsFolder(folder: string): string {
  return `${folder}/${MANIFESTS}`;
}

export function manifestFile(folder: string, pin: string): string {
  return `${folder}/${MANIFESTS}/${pin}.json`;
}

export function presetFile(folder: string, id: string): string {
  return `${folder}/${PRESETS}/${id}.yaml`;
}

/** The id of a preset of the project; undefined where a file can't be one. */
export function presetIdOf(file: string, folder: string): string | undefined {
  const start = `${folder}/${PRESETS}/`;
  const name = file.startsWith(start) ? file.slice(start.length) : "/";
  return name.endsWith(".yaml") && !name.includes("/") ? name.slice(0, -".yaml".length) : undefined;
}

/**
 * A preset as rolecall brought it: what a copy is compared with when the preset changes. In a folder that no build reads,
 * and committed, so that every clone has it.
 */
export function presetBaseFile(folder: string, id: string): string {
  return `${folder}/${PRESETS}/.upstream/${id}.yaml`;
}

/** What builds write for hosts and editors. */
export function generatedFolders(folder: string): string[] {
  return GENERATED.map((name) => `${folder}/${name}`);
}

/** Whether a file below the folder of sources is read as one. */
export function isSourcePath(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`) && otherFolderOf(file, folder) === undefined;
}

/** Of the folders below that of sources that hold none, the one that a file lies in. */
export function otherFolderOf(file: string, folder: string): string | undefined {
  return [MANIFESTS, PRESETS, ...GENERATED].find((other) => file.startsWith(`${folder}/${other}/`));
}

/** The pin of a file of `manifests`; undefined where it can't be one. */
export function pinOfFile(file: string, folder: string): string | undefined {
  const start = `${manifestsFolder(folder)}/`;
  const name = file.startsWith(start) ? file.slice(start.length) : "/";
  return name.endsWith(".json") && !name.includes("/") ? name.slice(0, -".json".length) : undefined;
}
