import { isObject } from "../base/json.ts";
import { sorted, sortedBy } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import { alikeDefinitions } from "./alike-definitions.ts";
import { policyOf, type Described } from "./describe.ts";
import { GRADES, gradeOf } from "./gravity.ts";
import { clausesOf, type Clause } from "./clauses.ts";
import { textChange } from "./text-change.ts";
import { textSigns } from "./text-signs.ts";
import {
  ORDER,
  type ChangedDefinition,
  type ChangedText,
  type ChangeGroup,
  type CommonChange,
  type ToldTool,
} from "./told.ts";
import type { AccessChanged, AccessDifference } from "./types.ts";

/** A difference as a reviewer reads it: the gravest first, each thing once. */
export interface DifferenceSummary {
  /** What the first line is made of: the gravest first. */
  readonly clauses: readonly Clause[];
  /** Of servers, rules and hosts. */
  readonly common: readonly CommonChange[];
  /** Of roles, but for definitions: what widens first. */
  readonly roles: readonly { readonly role: string; readonly groups: readonly ChangeGroup[] }[];
  /** Those together that changed in one way. */
  readonly definitions: readonly (readonly ChangedDefinition[])[];
  /** What models read and isn't what it was. */
  readonly texts: readonly ChangedText[];
  /** `isSame`: nothing of it is told but its new name. */
  readonly renamed: readonly (AccessDifference["renamed"][number] & { readonly isSame: boolean })[];
  /** All of it is that something has another name. */
  readonly isRenaming: boolean;
}

/** `onlyNames`: changes that are nothing but a new name. */
export function summaryOf(
  all: readonly Described[],
  { renamed }: Pick<AccessDifference, "renamed">,
  onlyNames: ReadonlySet<AccessChanged>,
): DifferenceSummary {
  const described = onlyNames.size === 0 ? all : all.filter(({ change }) => !onlyNames.has(change));
  const inOrder = ORDER.flatMap((direction) => described.filter(({ change }) => change.direction === direction));
  const roles = new Map<string, Described[]>();
  for (const one of inOrder)
    if (one.change.role !== undefined && one.change.kind !== "definition") into(roles, one.change.role, one);
  const changed = changedDefinitions(described);
  const newRules = new Map(inOrder.filter(isNewRule).map((one) => [String(one.change.after), one]));
  const ofRoles = sorted(roles.keys()).map((role) => ({ role, groups: grouped(roles.get(role)!, newRules) }));
  const toldWithRoles = new Set(ofRoles.flatMap(({ groups }) => groups.flatMap(({ rules }) => rules)));
  const common = inOrder
    .filter(({ change }) => change.role === undefined)
    .map((one) => ({ described: one, felt: feltOf(one, inOrder) }));
  const texts = [
    ...common.flatMap(({ described: one }) => (one.change.kind === "instructions" ? textsOf(one, one.heldBy) : [])),
    ...changed.flatMap(({ first, roles: holders }) => textsOf(first, holders)),
  ];
  return {
    clauses: clausesOf({ common, roles: ofRoles, definitions: changed, texts, toldWithRoles }),
    common: common.filter((one) => !toldWithRoles.has(one.described)),
    roles: ofRoles,
    definitions: alikeDefinitions(changed),
    texts,
    renamed: renamed.map((one) => ({
      ...one,
      isSame: !described.some(({ change }) => [one.before, one.after].includes(change[one.kind] ?? "")),
    })),
    isRenaming: onlyNames.size > 0 && described.length === 0,
  };
}

interface HeldDefinition {
  readonly first: Described;
  readonly roles: string[];
}

/** Each once, however many roles hold it; what counts of a tool beside its definition, where that doesn't say it. */
function changedDefinitions(described: readonly Described[]): ChangedDefinition[] {
  const servers = new Map<string, Map<string, HeldDefinition[]>>();
  for (const first of described) {
    const { kind, role, server, tool, after } = first.change;
    if (kind !== "definition") continue;
    const tools = servers.get(server!) ?? new Map<string, HeldDefinition[]>();
    servers.set(server!, tools);
    const all = tools.get(tool!) ?? [];
    tools.set(tool!, all);
    const known = all.find((one) => one.first.change.after === after);
    if (known === undefined) all.push({ first, roles: [role!] });
    else known.roles.push(role!);
  }
  return sorted(servers.keys()).flatMap((server) => {
    const tools = servers.get(server)!;
    return sorted(tools.keys()).flatMap((tool) => {
      const [definition, ...words] = tools.get(tool)!;
      return definition!.first.parts().length > 0 ? [definition!] : [definition!, ...words];
    });
  });
}

function isNewRule({ change: { kind, before } }: Described): boolean {
  return kind === "guard" && before === null;
}

/** What a rule that is gone, or says something else, kept from roles that have it now. */
function feltOf({ change: { kind, before } }: Described, all: readonly Described[]): CommonChange["felt"] {
  if (kind !== "guard" || before === null) return [];
  return all.flatMap(({ change, withheldBy, isAsked }) =>
    change.direction === "widens" && change.tool !== undefined && withheldBy.includes(String(before))
      ? [{ role: change.role!, tool: `${change.server}.${change.tool}`, isAsked }]
      : [],
  );
}

function textsOf({ change: { server, tool }, at, parts }: Described, roles: readonly string[]): ChangedText[] {
  return parts()
    .filter(({ part }) => part === "text")
    .map(({ says, before, after }) => ({
      server: server!,
      tool,
      roles,
      at,
      says,
      signs: textSigns(before, after),
      ...textChange(before, after),
    }));
}

function into(map: Map<string, Described[]>, key: string, one: Described): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [one]);
  else known.push(one);
}

/** `newRules`: by name. */
function grouped(changes: readonly Described[], newRules: ReadonlyMap<string, Described>): ChangeGroup[] {
  const groups = new Map<string, Described[]>();
  for (const one of changes) into(groups, alike(one), one);
  const made = [...groups.values()].map((all) => groupOf(all, newRules));
  const ranked = sortedBy(made, (one) => rankOf(one));
  const gravest = ranked.find(({ first }) => isGained(first.change));
  return ranked.map((one) => ({ ...one, withExample: one === gravest || hasConditions(one.first.change) }));
}

function groupOf(all: readonly Described[], newRules: ReadonlyMap<string, Described>): ChangeGroup {
  const told = sortedBy(
    all.map((one) => ({ one, tool: toldTool(one) })),
    ({ tool }) => (tool === undefined ? "" : `${GRADES.indexOf(tool.grade)}${Number(tool.isAsked)}${tool.name}`),
  );
  const first = told[0]!.one;
  const rules = new Set(first.from.flatMap(policyOf).flatMap((name) => newRules.get(name) ?? []));
  return {
    first,
    tools: told.flatMap(({ tool }) => tool ?? []),
    withExample: false,
    laterTools: isGained(first.change) ? first.laterTools : undefined,
    suspicious: isGained(first.change) ? suspiciousOf(told.map(({ one }) => one)) : [],
    rules: first.change.direction === "narrows" ? [...rules] : [],
  };
}

function isGained({ kind, direction }: AccessChanged): boolean {
  return kind === "tool" && direction === "widens";
}

/** Of more than these nobody looks at each; `capture` warned of them all. */
const MOST_LOOKED_AT = 200;

function suspiciousOf(gained: readonly Described[]): ChangeGroup["suspicious"] {
  return gained.slice(0, MOST_LOOKED_AT).flatMap(({ tool }) => {
    const { title = "", description = "" } = tool?.texts() ?? {};
    const signs = textSigns("", `${title}\n${description}`).suspicions;
    return signs.length === 0 ? [] : [{ name: tool!.name, signs }];
  });
}

function toldTool({ change: { server, tool, kind, after }, tool: now, isAsked }: Described): ToldTool | undefined {
  if (server === undefined || tool === undefined) return undefined;
  const isConditioned = kind === "tool" && isObject(after);
  return { server, name: tool, grade: now === undefined ? "unknown" : gradeOf(now), isAsked, isConditioned };
}

function hasConditions({ kind, after }: AccessChanged): boolean {
  return kind === "condition" || (kind === "tool" && typeof after === "object");
}

/** What widens first, then tools before what isn't one, and of these the gravest. */
function rankOf({ first: { change }, tools: [gravest] }: ChangeGroup): string {
  const grade = gravest === undefined ? GRADES.length : GRADES.indexOf(gravest.grade);
  return `${ORDER.indexOf(change.direction)}${grade}${Number(gravest?.isAsked ?? false)}${change.server ?? ""}`;
}

/** Alike: the same of another tool, by the same lines, with nothing of its own to say. */
function alike({ change, from, noLonger }: Described): string {
  const { direction, kind, server, before, after, openings } = change;
  if (openings.length > 0 || (kind !== "tool" && kind !== "effect"))
    return stableText([direction, kind, server ?? null, change.tool ?? null, before, after]);
  const lines = [
    ...from.map(({ rule, written, from: place }) => [rule, written, place.file, [...place.path]]),
    ...noLonger.map(({ reason: { rule, written, by } }) => [rule, written, by ?? null]),
  ];
  // That one of them is asked is said of it.
  const held = [before, after].map((one) => (kind === "tool" && one === "ask" ? "allow" : one));
  return stableText([direction, kind, server ?? null, ...held, lines]);
}
