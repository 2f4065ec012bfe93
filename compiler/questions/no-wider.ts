import { accessOf, type Access } from "../3-plan/access.ts";
import type { JsonValue } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import type { Plan, PlannedRole } from "../3-plan/types.ts";
import { compare, type ComparedAccess } from "../diff/compare.ts";
import { describeAll } from "../diff/describe.ts";
import type { Satisfies } from "../diff/implies.ts";
import { moreNamedBetween, schemasIn } from "../diff/more-named.ts";
import { sampleCall } from "../diff/sample-call.ts";
import type { AccessChanged } from "../diff/types.ts";
import type { Answer, Objected } from "./types.ts";

/** `plan` undefined: what was written in its access.json is all that is known of it. */
export interface Baseline {
  readonly name: string;
  readonly access: ComparedAccess;
  readonly plan: Plan | undefined;
}

/** Does nothing widen against the base? */
export function widensNothing(base: Baseline, now: Plan, access: ComparedAccess, satisfies: Satisfies): Answer {
  const against = widenings([base.access, access], base.plan, now, satisfies);
  return {
    question: { kind: "no-new-access", base: base.name },
    verdict: verdictOf(against),
    against,
    beyond: [],
    unknown: undefined,
  };
}

/**
 * Does one role hold at most what another does? Judged as if the other had become the one: what widens then is what it has
 * beyond. Work is handed on to nobody but to whom the other can hand it, and to the other itself.
 */
export function holdsAtMost(plan: Plan, role: PlannedRole, other: PlannedRole, satisfies: Satisfies): Answer {
  const [inner, outer] = [alone(plan, role, role.name), alone(plan, other, role.name)];
  const beyondOuter = becoming(outer, inner, satisfies);
  const beyondInner = becoming(alone(plan, role, other.name), alone(plan, other, other.name), satisfies);
  const allowed = new Set<RoleName>([other.name, role.name, ...other.reaches]);
  const against = beyondOuter.filter(
    ({ change }) => change.kind !== "delegate" || !allowed.has(change.after as RoleName),
  );
  const beyond = beyondInner.filter(({ change }) => change.kind !== "delegate" || change.after !== role.name);
  return {
    question: { kind: "compare", role: role.name, other: other.name },
    verdict: verdictOf(against),
    against,
    beyond,
    unknown: undefined,
  };
}

/** The project as if it had this role alone, under that name. */
function alone(plan: Plan, role: PlannedRole, name: RoleName): Plan {
  return { ...plan, guards: [], roles: [{ ...role, name }] };
}

function becoming(before: Plan, after: Plan, satisfies: Satisfies): Objected[] {
  const [was, is] = [before, after].map((plan): Access => ({ ...accessOf(plan), servers: [] })) as [Access, Access];
  return widenings([was, is], before, after, satisfies);
}

function widenings(
  [was, is]: readonly [ComparedAccess, ComparedAccess],
  before: Plan | undefined,
  now: Plan,
  satisfies: Satisfies,
): Objected[] {
  const { changes } = compare(was, is, satisfies, moreNamedBetween(schemasIn(before), schemasIn(now)));
  const wider = changes.filter(({ direction }) => direction === "widens");
  // Whether a condition is wider at all a call decides; of the others the first are enough to see.
  const first = new Set(wider.filter(({ kind }) => kind !== "condition").slice(0, MOST_PROVEN));
  const isProven = (change: AccessChanged): boolean => change.kind === "condition" || first.has(change);
  return describeAll(wider, before, now, satisfies).map(({ change, from, at, example, isAsked }) => ({
    change,
    through: undefined,
    from,
    at,
    example: isProven(change) ? (example() ?? unaskedCall(change, now, satisfies)) : undefined,
    isAsked,
  }));
}

/** A schema is made into code for each call that is looked for. */
export const MOST_PROVEN = 12;

/** A call that passes without a question, where what is more is that nobody is asked. */
function unaskedCall(
  { kind, role, server, tool }: AccessChanged,
  now: Plan,
  satisfies: Satisfies,
): Objected["example"] {
  if (kind !== "effect") return undefined;
  const grant = now.roles.find(({ name }) => name === role)?.grants.find((one) => one.server.name === server);
  const found = grant?.server.tools.find(({ name }) => name === tool);
  if (found === undefined) return undefined;
  const schema = found.definition().inputSchema as JsonValue;
  return sampleCall(schema, undefined, grant!.decisions[found.index]!.where, undefined, satisfies);
}

/** Conditions that can't be told apart, and no call that tells them: that is no answer. */
function verdictOf(against: readonly Objected[]): Answer["verdict"] {
  if (against.length === 0) return "holds";
  return against.every(({ change, example }) => change.kind === "condition" && example === undefined)
    ? "unknown"
    : "fails";
}
