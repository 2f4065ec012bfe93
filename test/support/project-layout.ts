// Files of a generated project: in one plain way, or shuffled into another that means the same.
import { stringify } from "yaml";
import type { SampleProject } from "./arbitrary/project.ts";
import type { Dice } from "./dice.ts";

export type Files = Record<string, string>;
type Blocks = Record<"servers" | "roles" | "policies" | "invariants", unknown>;

export function filesOf(project: SampleProject): Files {
  return {
    "rolecall.yaml": yaml({
      version: 1,
      project: "harbor",
      ...(project.guards.length > 0 ? { guards: ["guards/*.yaml"] } : {}),
    }),
    ...sourceFile("mcp/servers.yaml", { servers: project.servers }),
    ...sourceFile("mcp/roles.yaml", { roles: project.roles }),
    ...sourceFile("mcp/rules.yaml", { policies: project.policies, invariants: project.invariants }),
    ...sourceFile("guards/all.yaml", { policies: project.guards }),
    ...broughtFiles(project),
  };
}

function broughtFiles(project: SampleProject): Files {
  const manifests = Object.entries(project.manifests).map(([pin, tools]) => [
    `mcp/manifests/${pin}.json`,
    `{ "format": 1, "server": "${pin}", "tools": [\n${tools.map((tool) => JSON.stringify(tool)).join(",\n")}\n] }\n`,
  ]);
  const presets = Object.entries(project.presets).map(([id, preset]) => [`mcp/presets/${id}.yaml`, yaml(preset)]);
  return Object.fromEntries([...manifests, ...presets, ...Object.entries(project.prompts ?? {})]) as Files;
}

/** No file when there is nothing in it. */
function sourceFile(path: string, blocks: Partial<Blocks>): Files {
  const written = Object.entries(blocks).filter(([, block]) => Object.keys(block as object).length > 0);
  return written.length === 0 ? {} : { [path]: yaml(Object.fromEntries(written)) };
}

function yaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

// ---------------------------------------------------------------- another way to write the same

const PLACES = ["rolecall.yaml", "mcp/z.yaml", "mcp/a/b/c.yml", "mcp/d.json", "mcp/e.yaml"];

/** Blocks in other files, keys and sets in another order, other line ends, a byte order mark, JSON for YAML. */
export function shuffledFiles(dice: Dice, project: SampleProject): Files {
  const homes = new Map<
    string,
    { servers: [string, unknown][]; roles: [string, unknown][]; policies: unknown[]; invariants: unknown[] }
  >();
  const home = (): NonNullable<ReturnType<typeof homes.get>> => {
    const path = dice.one(PLACES);
    const found = homes.get(path) ?? { servers: [], roles: [], policies: [], invariants: [] };
    homes.set(path, found);
    return found;
  };
  for (const one of dice.shuffled(Object.entries(project.servers))) home().servers.push(one);
  for (const [name, role] of dice.shuffled(Object.entries(project.roles)))
    home().roles.push([name, withSetsShuffled(dice, role)]);
  for (const one of dice.shuffled(project.policies)) home().policies.push(one);
  for (const one of dice.shuffled(project.invariants)) home().invariants.push(one);
  const files: Files = {};
  const head = { version: 1, project: "harbor", ...(project.guards.length > 0 ? { guards: ["guards/*.yaml"] } : {}) };
  if (!homes.has("rolecall.yaml")) homes.set("rolecall.yaml", { servers: [], roles: [], policies: [], invariants: [] });
  for (const [path, { servers, roles, policies, invariants }] of homes) {
    const blocks = [
      ["servers", Object.fromEntries(servers)],
      ["roles", Object.fromEntries(roles)],
      ["policies", policies],
      ["invariants", invariants],
    ] as const;
    const written = Object.fromEntries(blocks.filter(([, block]) => Object.keys(block).length > 0));
    files[path] = writtenBy(dice, path, path === "rolecall.yaml" ? { ...head, ...written } : written);
  }
  const guards = dice.shuffled(project.guards);
  const cut = dice.below(guards.length + 1);
  for (const [name, part] of [
    ["one", guards.slice(0, cut)],
    ["two", guards.slice(cut)],
  ] as const) {
    if (part.length > 0) files[`guards/${name}.yaml`] = writtenBy(dice, "guards.yaml", { policies: part });
  }
  return { ...broughtFiles(project), ...Object.fromEntries(dice.shuffled(Object.entries(files))) };
}

const SETS = new Set(["extends", "include", "exclude", "ask", "delegates", "claude-code"]);

/** Lists of a role whose order means nothing. Those of policies count into the digest of their text. */
function withSetsShuffled(dice: Dice, value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return SETS.has(key) ? dice.shuffled(value) : value;
  if (typeof value !== "object" || value === null || key === "where") return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, withSetsShuffled(dice, one, inner)]));
}

function writtenBy(dice: Dice, path: string, value: unknown): string {
  const shuffled = keysShuffled(dice, value);
  const json = path.endsWith(".json") || dice.chance(20);
  const text = json
    ? JSON.stringify(shuffled, undefined, dice.one([0, 2, "\t"]))
    : dice.chance(30)
      ? stringify(shuffled, {
          aliasDuplicateObjects: false,
          lineWidth: 40,
          defaultStringType: "QUOTE_SINGLE",
          indent: 4,
        })
      : yaml(shuffled);
  const commented = json || dice.chance(70) ? text : `# about this file\n${text}`;
  const ended = dice.chance(30) ? commented.replaceAll("\n", "\r\n") : commented;
  return dice.chance(20) ? `\uFEFF${ended}` : ended;
}

function keysShuffled(dice: Dice, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => keysShuffled(dice, one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(dice.shuffled(Object.entries(value)).map(([key, one]) => [key, keysShuffled(dice, one)]));
}
