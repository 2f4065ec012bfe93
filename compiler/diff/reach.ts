import { sorted, sortedBy } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { JsonValue } from "../base/json.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Plan, PlannedRole, Tool } from "../3-plan/types.ts";
import { GRADES, gradeOf, type Grade } from "./gravity.ts";

/** What a role reaches by handing work to another and didn't: by nothing that it holds itself, nor by whom it could ask before. */
export interface Reach {
  /** The gravest first. */
  readonly tools: readonly ReachedTool[];
  /** Of hosts, as `claude-code: Bash`. */
  readonly builtins: readonly string[];
}

export interface ReachedTool {
  readonly tool: Tool;
  readonly isAsked: boolean;
  readonly isConditioned: boolean;
  readonly grade: Grade;
}

export function reachedThrough(name: string, delegate: string, before: Plan | undefined, after: Plan): Reach {
  const role = after.roles.find((one) => one.name === name);
  const other = after.roles.find((one) => one.name === delegate);
  if (role === undefined || other === undefined) return { tools: [], builtins: [] };
  const was = before?.roles.find((one) => one.name === name);
  const known = [role, ...(was === undefined ? [] : [was, ...rolesOf(before!, was.reaches)])];
  const had = boundsOf(known);
  const hadBuiltins = new Set(known.flatMap(builtinsOf));
  const through = [other, ...rolesOf(after, other.reaches)].filter((one) => one !== role);
  const found = new Map<string, ReachedTool>();
  for (const [tool, decision] of through.flatMap(heldBy)) {
    const key = keyOf(tool);
    const isMore = (had.get(key) ?? []).every((own) => isLooser(decision, own));
    if (!isMore || found.get(key)?.isAsked === false) continue;
    found.set(key, {
      tool,
      isAsked: decision.effect === "ask",
      isConditioned: decision.where.length > 0,
      grade: gradeOf(tool),
    });
  }
  return {
    tools: sortedBy(found.values(), ({ tool, grade }) => `${GRADES.indexOf(grade)}${tool.server}.${tool.name}`),
    builtins: sorted(new Set(through.flatMap(builtinsOf))).filter((one) => !hadBuiltins.has(one)),
  };
}

function rolesOf({ roles }: Plan, names: PlannedRole["reaches"]): PlannedRole[] {
  return roles.filter(({ name }) => names.includes(name));
}

function heldBy({ grants }: PlannedRole): (readonly [Tool, Decision])[] {
  return grants.flatMap(held);
}

function keyOf({ server, name }: Tool): string {
  return `${server}\0${name}`;
}

function boundsOf(roles: readonly PlannedRole[]): Map<string, Decision[]> {
  const bounds = new Map<string, Decision[]>();
  for (const [tool, decision] of roles.flatMap(heldBy)) {
    const known = bounds.get(keyOf(tool));
    if (known === undefined) bounds.set(keyOf(tool), [decision]);
    else known.push(decision);
  }
  return bounds;
}

/** Lets through what the other doesn't, or without asking; what can't be told does. */
function isLooser(one: Decision, other: Decision): boolean {
  if (one.effect === "allow" && other.effect === "ask") return true;
  return other.where.length > 0 && whereText(one) !== whereText(other);
}

function whereText({ where }: Decision): string {
  return stableText(where as unknown as JsonValue);
}

function builtinsOf({ builtins }: PlannedRole): string[] {
  return builtins.flatMap(({ host, names }) => names.map((name) => `${host}: ${name}`));
}
