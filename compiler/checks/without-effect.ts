import type { Report } from "../diagnostics/report.ts";
import { heirsOf } from "../2-model/lineage.ts";
import type { Invariant, Policy, RoleEntry, Selection } from "../2-model/types.ts";
import type { PlannedRole } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** Rules that are never decisive: an exclude that takes nothing away, a policy that nobody feels. */
export const checkWithoutEffect: Check = (subject, report) => {
  const heirs = heirsOf(subject.plan.roles);
  for (const role of subject.model.roles)
    for (const entry of role.entries) checkExcludes(entry, heirs.get(role.name)!, subject, report);
  for (const policy of subject.model.policies) checkPolicy(policy, subject, report);
  for (const invariant of subject.model.invariants) checkInvariant(invariant, report);
};

/** A class that matches nothing today (`is:destructive`) is a statement about tomorrow; a guard comes for other projects too. */
function checkInvariant({ name, place, guard, roles, claim }: Invariant, report: Report): void {
  if (guard || (claim.kind === "can" && roles.length > 0)) return;
  const idle = claim.selections.filter(({ tools, written }) => tools.size === 0 && !/(^|\.| & )is:/.test(written));
  const first = claim.kind === "together" || idle.length === claim.selections.length ? idle[0] : undefined;
  if (roles.length > 0 && first === undefined && claim.selections.length > 0) return;
  const owner = `invariant \`${name}\``;
  const { written } = first ?? {};
  report.add(
    "invariant/idle",
    place,
    written === undefined ? { owner, case: "no-role" } : { owner, case: "no-tool", written },
  );
}

/** A restriction also binds children, so it is idle only when neither the role nor an heir includes what it excludes. */
function checkExcludes(entry: RoleEntry, heirs: readonly PlannedRole[], { grant }: Subject, report: Report): void {
  const granted = (index: number): boolean =>
    heirs.some((role) =>
      grant(role.name, entry.server)?.decisions[index]?.because.some((reason) => reason.rule === "include"),
    );
  const idle = (exclude: Selection): boolean => exclude.tools.length > 0 && !exclude.tools.some(granted);
  for (const exclude of entry.exclude.filter((selection) => selection.written !== "none")) {
    if (idle(exclude))
      report.add("role/exclude-without-effect", exclude.place, { written: exclude.written, role: entry.role });
  }
}

/** Only where roles and tools were found at all: everything else has been said. A guard often comes for other projects too. */
function checkPolicy(policy: Policy, { grant }: Subject, report: Report): void {
  const tools = policy.selections.flatMap((selection) => [...selection.tools]);
  if (policy.guard || policy.roles.length === 0 || tools.length === 0) return;
  const felt = policy.roles.some((role) =>
    tools.some(([server, indexes]) =>
      indexes.some((index) =>
        grant(role, server)?.decisions[index]?.because.some((reason) => reason.rule === "include"),
      ),
    ),
  );
  if (!felt) report.add("policy/without-effect", policy.place, { owner: `policy \`${policy.name}\`` });
}
