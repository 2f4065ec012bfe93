import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Described } from "./describe.ts";
import { textChange, type ChangedStretch } from "./text-change.ts";
import type { AccessChanged, Direction } from "./types.ts";

/** A difference as a reviewer reads it: who gains first, each thing once. */
export interface DifferenceSummary {
  readonly gains: readonly RoleGain[];
  /** Of servers, rules and hosts. */
  readonly common: readonly Described[];
  /** Of roles, but for definitions: what widens first. */
  readonly roles: readonly { readonly role: string; readonly groups: readonly ChangeGroup[] }[];
  readonly definitions: readonly ChangedDefinition[];
  /** What models read and isn't what it was. */
  readonly texts: readonly ChangedText[];
}

export interface ChangedText extends ChangedStretch {
  readonly server: string;
  /** Undefined: the server's own instructions. */
  readonly tool: string | undefined;
  readonly says: string;
}

export interface RoleGain {
  readonly role: string;
  /** Tools that it didn't hold; those of them that are asked. */
  readonly tools: number;
  readonly asked: number;
  /** Tools that it held and is asked about no more. */
  readonly unasked: number;
  /** Tools that may be called with more. */
  readonly loosened: number;
  readonly builtins: number;
  readonly delegates: number;
}

/** Changes that differ in nothing but their tool. */
export interface ChangeGroup {
  readonly first: Described;
  readonly tools: readonly string[];
}

/** A tool that isn't what it was, with all who hold it. */
export interface ChangedDefinition {
  readonly first: Described;
  readonly roles: readonly string[];
}

const ORDER: readonly Direction[] = ["widens", "changed", "narrows"];

export function summaryOf(described: readonly Described[]): DifferenceSummary {
  const inOrder = ORDER.flatMap((direction) => described.filter(({ change }) => change.direction === direction));
  const definitions = new Map<string, Described[]>();
  const roles = new Map<string, Described[]>();
  for (const one of inOrder) {
    const { role, server, tool, kind } = one.change;
    if (kind === "definition") into(definitions, `${server}\0${tool}`, one);
    else if (role !== undefined) into(roles, role, one);
  }
  const changed = sorted(definitions.keys()).map((key) => {
    const all = definitions.get(key)!;
    return { first: all[0]!, roles: all.map(({ change }) => change.role!) };
  });
  const common = inOrder.filter(({ change }) => change.role === undefined);
  return {
    gains: sorted(roles.keys()).flatMap((role) => gainOf(role, roles.get(role)!)),
    common,
    roles: sorted(roles.keys()).map((role) => ({ role, groups: grouped(roles.get(role)!) })),
    definitions: changed,
    texts: [
      ...common.filter(({ change }) => change.kind === "instructions"),
      ...changed.map(({ first }) => first),
    ].flatMap(textsOf),
  };
}

function textsOf({ change: { server, tool }, parts }: Described): ChangedText[] {
  return parts()
    .filter(({ part }) => part === "text")
    .map(({ says, before, after }) => ({ server: server!, tool, says, ...textChange(before, after) }));
}

function into(map: Map<string, Described[]>, key: string, one: Described): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [one]);
  else known.push(one);
}

function gainOf(role: string, changes: readonly Described[]): RoleGain[] {
  const widens = changes.map(({ change }) => change).filter(({ direction }) => direction === "widens");
  if (widens.length === 0) return [];
  const count = (...kinds: AccessChanged["kind"][]): number => widens.filter(({ kind }) => kinds.includes(kind)).length;
  const isAsked = ({ kind, after }: AccessChanged): boolean =>
    kind === "tool" && (after === "ask" || (typeof after === "object" && stableText(after).includes('"effect":"ask"')));
  return [
    {
      role,
      tools: count("tool"),
      asked: widens.filter(isAsked).length,
      unasked: count("effect"),
      loosened: count("condition"),
      builtins: count("builtin"),
      delegates: count("delegate"),
    },
  ];
}

function grouped(changes: readonly Described[]): ChangeGroup[] {
  const groups = new Map<string, Described[]>();
  for (const one of changes) into(groups, alike(one), one);
  return [...groups.values()].map((all) => ({
    first: all[0]!,
    tools: all.flatMap(({ change }) => change.tool ?? []),
  }));
}

/** Alike: the same of another tool, by the same lines, with nothing of its own to say. */
function alike({ change, from }: Described): string {
  const { direction, kind, server, before, after, openings } = change;
  if (openings.length > 0 || (kind !== "tool" && kind !== "effect"))
    return stableText([direction, kind, server ?? null, change.tool ?? null, before, after]);
  const lines = from.map(({ rule, written, from: place }) => [rule, written, place.file, [...place.path]]);
  return stableText([direction, kind, server ?? null, before, after, lines]);
}
