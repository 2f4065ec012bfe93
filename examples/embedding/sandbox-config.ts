import {
  allTargets,
  compile,
  lazyLibraries,
  memoryFiles,
  readResources,
  renderText,
  textWithKeys,
  type ManagedKeys,
} from "rolecall";

/** Values of JSONB columns, as a database driver gives them; null or left out where there is none. */
export interface Rows {
  /** What every session of the project starts from. */
  readonly prebuild?: unknown;
  /** `automations.enabled_tools` */
  readonly automation?: unknown;
  /** `sessions.agent_config` */
  readonly session?: unknown;
}

/** What the product brings along: presets and rules by path, and what servers answered to `tools/list`, by name. */
export interface Shipped {
  readonly files: Readonly<Record<string, string>>;
  readonly manifests: Readonly<Record<string, unknown>>;
}

/** The `opencode.json` of a sandbox: `settings` with the servers and the agent that the rows give. Throws what is wrong with the rows. */
export function sandboxConfig(settings: object, rows: Rows, { files, manifests }: Shipped): string {
  const layers = [rows.prebuild, rows.automation, rows.session].flatMap((value, i) =>
    value === undefined || value === null ? [] : [{ file: `${["prebuild", "automation", "session"][i]}.json`, value }],
  );
  const project = {
    version: 1,
    project: "sandbox",
    hosts: [{ id: "opencode", into: "opencode.json" }],
    layers: ["mcp/presets/playwright.yaml", ...layers.map(({ file }) => ({ file, as: "proliferate" }))],
    guards: ["rules.yaml"],
  };
  const entries: [string, unknown][] = [
    ...Object.entries(manifests).map(([name, manifest]): [string, unknown] => [`mcp/manifests/${name}.json`, manifest]),
    ...layers.map(({ file, value }): [string, unknown] => [file, value]),
    ["rolecall.yaml", project],
  ];
  const texts = Object.fromEntries(entries.map(([file, value]) => [file, JSON.stringify(value, null, 2)]));
  const opencode = allTargets(readResources()).filter(({ id }) => id === "opencode");
  const { artifacts, diagnostics } = compile(memoryFiles({ ...files, ...texts }), opencode, lazyLibraries());
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(renderText(errors, { colour: false, width: undefined }));
  const keys = [...artifacts].find((one): one is ManagedKeys => one.path === "opencode.json" && "keys" in one);
  if (keys === undefined) throw new Error("nothing was made for OpenCode");
  const filled = textWithKeys(JSON.stringify(settings, null, 2), keys);
  if (filled.problem !== undefined) throw new Error(`opencode.json: ${filled.problem}`);
  return filled.text;
}
