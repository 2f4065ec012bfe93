import { runsCommands } from "../base/shell-names.ts";
import { madeOnce } from "../base/made-once.ts";
import type { RoleName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import type { Can, OwnTools } from "../4-fit/types.ts";
import type { Plan, PlannedRole, Server, Tool } from "../3-plan/types.ts";

/**
 * Tools that are harmless one by one and not together: what a stranger wrote can make an agent send what is private, and
 * what it wrote can be run. It is said of what a role holds or reaches by handing work on; it decides nothing.
 */
export interface Combination {
  readonly kind: CombinationKind;
  /** Whose own tools take part; undefined: the servers' tools are enough, on any host. */
  readonly host: string | undefined;
  readonly parts: readonly CombinationPart[];
  /** As few tools as can be without which it is gone: all of one part. */
  readonly fewest: readonly CombinedTool[];
  /** A person says yes to each call of some part: nothing of it happens without. */
  readonly isAsked: boolean;
}

export type CombinationKind = "leak" | "write-and-run";
export type PartName = "private-data" | "untrusted-content" | "way-out" | "writes" | "runs";

export interface CombinationPart {
  readonly part: PartName;
  /** Sorted; never empty. A tool may stand in several parts. */
  readonly tools: readonly CombinedTool[];
}

export interface CombinedTool {
  /** Undefined: a tool of the host's own. */
  readonly server: string | undefined;
  readonly name: string;
  readonly isAsked: boolean;
  /** Only calls with certain arguments pass. */
  readonly isConditioned: boolean;
  /** The role that holds it, where it isn't the role itself. */
  readonly through: RoleName | undefined;
}

export interface RoleCombinations {
  readonly combinations: readonly Combination[];
  /** Held, and neither a label nor a hint says what they are: they count for nothing here. */
  readonly unknown: readonly CombinedTool[];
}

/** In the order of how readily one gives a part up: of parts with as few tools the first is named. */
const PARTS: Readonly<Record<CombinationKind, readonly PartName[]>> = {
  leak: ["way-out", "untrusted-content", "private-data"],
  "write-and-run": ["runs", "writes"],
};
const KINDS: readonly CombinationKind[] = ["leak", "write-and-run"];
const EVERY_PART: readonly PartName[] = ["private-data", "untrusted-content", "way-out", "writes", "runs"];
const NO_PART: readonly PartName[] = [];

/** Whoever runs commands does what any tool does. */
const PARTS_OF_OWN: Readonly<Record<Can, readonly PartName[]>> = {
  runs: EVERY_PART,
  writes: ["writes"],
  "reaches out": ["untrusted-content", "way-out"],
  reads: ["private-data"],
  keeps: NO_PART,
  "hands work on": NO_PART,
  "reads resources": NO_PART,
};

interface Held {
  readonly tool: CombinedTool;
  readonly parts: readonly PartName[];
}

/** `ownTools`: of each host that has any, by its id. */
export function createCombiner(
  plan: Plan,
  ownTools: ReadonlyMap<string, OwnTools>,
): (role: PlannedRole) => RoleCombinations {
  const roles = new Map(plan.roles.map((role) => [role.name, role]));
  const partsOf = madeOnce((server: Server) => server.tools.map((tool) => partsOfTool(tool, server)));
  return (role) => {
    const holders = [role, ...role.reaches.map((name) => roles.get(name)!)];
    const { held, unknown } = heldByAll(role, holders, partsOf);
    const hosts = sorted(new Set(holders.flatMap(({ builtins }) => builtins.map(({ host }) => host))));
    const own = hosts.map((host) => ({ host, tools: ownOf(role, holders, host, ownTools.get(host)) }));
    const combinations = KINDS.flatMap((kind) => [
      ...combined(kind, undefined, held),
      ...own.flatMap(({ host, tools }) =>
        tools.some(({ parts }) => parts.some((part) => PARTS[kind].includes(part)))
          ? combined(kind, host, [...held, ...tools])
          : [],
      ),
    ]);
    return { combinations, unknown };
  };
}

/** Those that weren't there, and those that now happen without a person. */
export function newCombinations(before: RoleCombinations | undefined, after: RoleCombinations): Combination[] {
  return after.combinations.filter(({ kind, host, isAsked }) => {
    const known = (before?.combinations ?? []).filter((one) => one.kind === kind);
    return !known.some((one) => (one.host === undefined || one.host === host) && (isAsked || !one.isAsked));
  });
}

/** A label of a server speaks for all of its tools; where there is none, hints that somebody wrote do. */
function partsOfTool(tool: Tool, server: Server): readonly PartName[] | "unknown" {
  const { labels, changes, reachesOut } = tool;
  if (runsCommands(tool)) return EVERY_PART;
  const isLabelled = (label: string, byHints: boolean): boolean =>
    labels.includes(label) || (byHints && !server.labels.includes(label));
  const found: readonly (readonly [PartName, boolean])[] = [
    ["private-data", labels.includes("private-data")],
    ["untrusted-content", isLabelled("untrusted-content", reachesOut === true && changes === false)],
    ["way-out", isLabelled("external", reachesOut === true && changes === true)],
    ["writes", labels.includes("destructive") || changes === true],
  ];
  const parts = found.flatMap(([part, is]) => (is ? [part] : []));
  const isSaid = labels.length > 0 || changes !== undefined || reachesOut !== undefined;
  return parts.length > 0 ? parts : isSaid ? NO_PART : "unknown";
}

/** Each tool once, as the holder has it that is bound the least. */
function heldByAll(
  role: PlannedRole,
  holders: readonly PlannedRole[],
  partsOf: (server: Server) => readonly (readonly PartName[] | "unknown")[],
): { readonly held: readonly Held[]; readonly unknown: readonly CombinedTool[] } {
  const held = new Map<Tool, Held>();
  const unknown = new Map<Tool, CombinedTool>();
  for (const holder of holders) {
    for (const { server, decisions } of holder.grants) {
      const parts = partsOf(server);
      for (let i = 0; i < decisions.length; i++) {
        const of = parts[i]!;
        const { effect, where } = decisions[i]!;
        if (effect === "deny" || of.length === 0) continue;
        const tool = server.tools[i]!;
        const one: CombinedTool = {
          server: server.name,
          name: tool.name,
          isAsked: effect === "ask",
          isConditioned: where.length > 0,
          through: holder === role ? undefined : holder.name,
        };
        if (of === "unknown") unknown.set(tool, unknown.get(tool) ?? one);
        else if (bound(held.get(tool)?.tool) > bound(one)) held.set(tool, { tool: one, parts: of });
      }
    }
  }
  return { held: [...held.values()], unknown: [...unknown.values()] };
}

function bound(tool: CombinedTool | undefined): number {
  if (tool === undefined) return 4;
  return (tool.isAsked ? 2 : 0) + (tool.isConditioned ? 1 : 0);
}

function ownOf(
  role: PlannedRole,
  holders: readonly PlannedRole[],
  host: string,
  own: OwnTools | undefined,
): readonly Held[] {
  if (own === undefined) return [];
  const found = new Map<string, Held>();
  for (const holder of holders) {
    const names = holder.builtins.find((one) => one.host === host)?.names ?? [];
    for (const name of names.includes("*") ? own.tools.keys() : names) {
      const parts = PARTS_OF_OWN[own.tools.get(name) ?? "keeps"];
      if (parts.length === 0 || found.has(name)) continue;
      const through = holder === role ? undefined : holder.name;
      found.set(name, { tool: { server: undefined, name, isAsked: false, isConditioned: false, through }, parts });
    }
  }
  return [...found.values()];
}

function combined(kind: CombinationKind, host: string | undefined, held: readonly Held[]): Combination[] {
  const parts = PARTS[kind].map((part) => ({
    part,
    tools: held.flatMap((one) => (one.parts.includes(part) ? [one.tool] : [])),
  }));
  if (parts.some(({ tools }) => tools.length === 0)) return [];
  // It is there as long as each part has a tool: to break it, all of one part have to go, and nothing else does.
  const fewest = parts.reduce((least, one) => (one.tools.length < least.tools.length ? one : least)).tools;
  const isAsked = parts.some(({ tools }) => tools.every((tool) => tool.isAsked));
  return [{ kind, host, parts: parts.toReversed(), fewest, isAsked }];
}
