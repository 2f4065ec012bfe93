// Selectors against tools that are there, so that most generated projects build.
import type { Dice } from "../dice.ts";
import type { ReferenceProject } from "../reference/files.ts";
import { matches, matchesAcross, pinned } from "../reference/servers.ts";
import { letters } from "../reference/shapes.ts";
import type { Item, Tool } from "../reference/shapes.ts";

/** A name as a selector writes it. A file can't have the key `__proto__`, so that name is written with an escape. */
export function escaped(name: string): string {
  if (name === "__proto__") return "\\__proto__";
  const plain = name.replace(/[\\*?]/g, "\\$&").replaceAll(" & ", " \\& ");
  return /^(is|scope|label):/.test(plain) ? `\\${plain}` : plain;
}

export const CLASSES = ["is:read-only", "is:write", "is:destructive", "is:idempotent", "is:open-world"];

/** A glob that the name matches. */
export function globAround(dice: Dice, name: string): string {
  const characters = Array.from(name);
  const at = dice.below(characters.length + 1);
  const head = escaped(characters.slice(0, at).join(""));
  const tail = escaped(characters.slice(at).join(""));
  return dice.one([
    "*",
    `${head}*`,
    `*${tail.replace(/^\\(?=[a-z])/, "")}`,
    `${head}?${escaped(characters.slice(at + 1).join("")).replace(/^\\(?=[a-z])/, "")}`,
  ]);
}

/** Names and globs: what labels and scope maps are made of. */
export function someName(dice: Dice, tools: readonly Tool[]): string {
  const { name } = dice.one(tools);
  return dice.chance(40) ? fitting(globAround(dice, name), name) : escaped(name);
}

function fitting(glob: string, name: string): string {
  return matchesName(glob, name) ? glob : "*";
}

function matchesName(glob: string, name: string): boolean {
  const nobody: ReferenceProject = {
    servers: new Map(),
    roles: new Map(),
    policies: [],
    invariants: [],
    presets: new Map(),
    manifests: new Map(),
  };
  return matches(nobody, "", name, letters(glob));
}

/** Any selector of a role's entry or a server's `tools`. */
export function someSelector(dice: Dice, p: ReferenceProject, server: string): string {
  const tools = pinned(p, server) ?? [];
  const kind = dice.below(10);
  if (kind <= 5 || tools.length === 0) return someName(dice, tools);
  if (kind === 6) return dice.one(CLASSES);
  if (kind === 7) return `${globAround(dice, dice.one(tools).name)} & ${dice.one(CLASSES)}`;
  const classes = namedClasses(p, server);
  if (classes.length === 0) return "*";
  return kind === 8 ? dice.one(classes) : `${dice.one(CLASSES)} & ${dice.one(classes)}`;
}

/** `label:` and `scope:` selectors that mean something on the server. */
export function namedClasses(p: ReferenceProject, server: string): string[] {
  const written = p.servers.get(server);
  const preset = p.presets.get(written?.preset ?? "")?.server;
  const labels = [written, preset].flatMap((place) => Object.keys(place?.labels ?? {}));
  const scopes = [written?.scopes ?? preset?.scopes].flatMap((found) =>
    found === undefined ? [] : Array.isArray(found) ? found.map(String) : Object.keys(found),
  );
  return [...labels.map((label) => `label:${label}`), ...scopes.map((scope) => `scope:${scope}`)];
}

/** An item of a list that restricts: mostly a selector, sometimes one that may or must be missing. */
export function someRestriction(dice: Dice, selector: () => string, nothing = "nothing_here"): Item {
  const kind = dice.below(20);
  if (kind === 18) return { optional: dice.chance(50) ? selector() : nothing };
  return kind === 19 ? { absent: nothing } : selector();
}

/** A selector of a policy or an invariant. */
export function someWideSelector(dice: Dice, p: ReferenceProject): string {
  const servers = [...p.servers.keys()];
  const server = dice.one(servers);
  const kind = dice.below(10);
  if (kind === 9) return dice.one(CLASSES);
  if (kind === 8)
    return dice.one([
      ...servers.flatMap((one) => namedClasses(p, one)).filter((one) => one.startsWith("label:")),
      "is:destructive",
    ]);
  const tools = pinned(p, server);
  if (tools === undefined) return `${server}.${escaped(dice.one(["open", "close", "read_file"]))}`;
  const across = kind === 7 ? "*" : kind === 6 ? fitting(globAround(dice, server), server) : server;
  const selector = someSelector(dice, p, server);
  return `${across}.${selector}`;
}

export function matched(p: ReferenceProject, server: string, selector: string): Tool[] {
  return (pinned(p, server) ?? []).filter((tool) => matches(p, server, tool.name, letters(selector)));
}

export function matchedAcross(p: ReferenceProject, item: Item): { server: string; tool: Tool }[] {
  return [...p.servers.keys()].flatMap((server) =>
    (pinned(p, server) ?? [])
      .filter((tool) => matchesAcross(p, server, tool.name, item))
      .map((tool) => ({ server, tool })),
  );
}
