import { globMatcher } from "../base/glob.ts";
import type { ProjectSettings } from "../3-plan/types.ts";
import type { Described } from "./describe.ts";
import { byGravity, isNamed, type FailOn } from "./fail-on.ts";
import type { ApprovalDecision } from "./approval.ts";

export type DiffException = NonNullable<NonNullable<ProjectSettings["diff"]>["exceptions"]>[number];

/** What an exception speaks of. */
export interface PassedBy {
  readonly described: Described;
  readonly exception: DiffException;
}

export interface Gate {
  /** What `--fail-on` names and no exception passes by, the gravest first. */
  readonly findings: readonly Described[];
  readonly passedBy: readonly PassedBy[];
  /** Nothing names them, and they don't narrow. */
  readonly others: readonly Described[];
  /** Past their last day: they count no more. */
  readonly expired: readonly DiffException[];
  /** In force, and nothing here is as they say. */
  readonly unused: readonly DiffException[];
  /** Asked where something was found and somebody may have said yes. */
  readonly approval: ApprovalDecision | undefined;
}

/**
 * Says nothing where nothing changed. `exceptions`: those of what is compared with, never those that the change brings itself. `today`: a date, handed in.
 */
export function gateOf(
  described: readonly Described[],
  failOn: FailOn,
  { exceptions, today }: { readonly exceptions: readonly DiffException[]; readonly today: string },
): Omit<Gate, "approval"> {
  if (described.length === 0) return { findings: [], passedBy: [], others: [], expired: [], unused: [] };
  const inForce = exceptions.filter(({ until }) => today <= until);
  const rules = inForce.map((exception) => ({ exception, covers: coverOf(exception) }));
  const used = new Set<DiffException>();
  const findings: Described[] = [];
  const passedBy: PassedBy[] = [];
  const others: Described[] = [];
  for (const one of byGravity(described)) {
    const rule = rules.find(({ covers }) => covers(one));
    if (rule !== undefined) used.add(rule.exception);
    if (one.change.direction === "narrows") continue;
    if (!isNamed(failOn, one)) others.push(one);
    else if (rule === undefined) findings.push(one);
    else passedBy.push({ described: one, exception: rule.exception });
  }
  return {
    findings,
    passedBy,
    others,
    expired: exceptions.filter(({ until }) => today > until),
    unused: inForce.filter((one) => !used.has(one)),
  };
}

/** Changes of a role's tools alone: a server, a rule or a delegate that changed is nothing that can be passed by. */
function coverOf({ roles, tools, direction }: DiffException): (described: Described) => boolean {
  const [isRole, isTool] = [roles.map(globMatcher), tools.map(globMatcher)];
  return ({ change }) =>
    change.direction === direction &&
    change.role !== undefined &&
    change.tool !== undefined &&
    isRole.some((matches) => matches(change.role!)) &&
    isTool.some((matches) => matches(`${change.server}.${change.tool}`));
}
