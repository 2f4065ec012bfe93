import { groupBy } from "../base/group-by.ts";
import type { RoleName } from "../base/names.ts";
import { keyOf } from "../base/place.ts";
import { runsCommands } from "../base/shell-names.ts";
import type { Policy } from "../2-model/types.ts";
import { held } from "../3-plan/held.ts";
import type { PlannedRole } from "../3-plan/types.ts";
import type { CaseOf } from "../diagnostics/report.ts";
import type { Check, Subject } from "./types.ts";
import { whoHolds } from "./who-holds.ts";

/** A role that may run any command can do whatever a policy forbids it to do with a tool. Said at the ancestor that brings it. */
export const checkShells: Check = (subject, report) => {
  const found = new Map(
    subject.plan.roles.flatMap((role) => undoing(role, subject) ?? []).map((one) => [one.name, one]),
  );
  for (const alike of groupBy([...found.values()], (one) => originOf(one, found))) {
    const { shell, policy, role } = found.get(originOf(alike[0]!, found))!;
    const holders = whoHolds(alike.map(({ name }) => name));
    const params = { holders, ...shell, rule: `policy \`${policy.name}\`` };
    report.add("role/shell-undoes-policy", keyOf(role.place), params, [{ says: "the policy", at: policy.place }]);
  }
};

/** What is held, and what can be written against it: only a server's tool can be asked or judged by its arguments. */
type Shell = CaseOf<"role/shell-undoes-policy", "holders" | "rule">;

interface Undoing {
  readonly name: RoleName;
  readonly role: PlannedRole;
  readonly shell: Shell;
  readonly policy: Policy;
  /** Of other roles the same is true. */
  readonly sameAs: string;
}

function undoing(role: PlannedRole, subject: Subject): Undoing | undefined {
  const policy = subject.model.policies.find(
    (p) => p.effect !== "ask" && p.roles.includes(role.name) && p.selections.some((s) => s.tools.size > 0),
  );
  const shell = policy && findShell(role, subject);
  return shell && { name: role.name, role, shell, policy, sameAs: JSON.stringify([shell, policy.name]) };
}

/** Of the role and its ancestors of whom the same is true, the one that has the fewest. */
function originOf({ role, sameAs }: Undoing, found: ReadonlyMap<RoleName, Undoing>): RoleName {
  const depthOf = (name: RoleName): number => {
    const one = found.get(name);
    return one?.sameAs === sameAs ? one.role.lineage.length : Infinity;
  };
  return role.lineage.reduce((first, name) => (depthOf(name) < depthOf(first) ? name : first), role.name);
}

function findShell(role: PlannedRole, { hosts, knownHosts }: Subject): Shell | undefined {
  const shells = new Set(knownHosts.flatMap(({ ownTools }) => ownTools?.shells ?? []));
  for (const { host, names } of role.builtins) {
    const fitted = hosts.filter((one) => one.host.id === host);
    const isGiven = fitted.length === 0 || fitted.some(({ roles }) => roles.some(({ name }) => name === role.name));
    const found = isGiven ? names.find((name) => name === "*" || shells.has(name.toLowerCase())) : undefined;
    if (found === "*") return { case: canBeHeld(host, knownHosts) ? "all-builtins" : "whole-host", host };
    if (found !== undefined) return { case: "builtin", tool: found, host };
  }
  for (const grant of role.grants) {
    for (const [tool, decision] of held(grant)) {
      const open = decision.effect === "allow" && decision.where.length === 0;
      if (open && runsCommands(tool)) return { case: "tool", server: grant.server.name, tool: tool.name };
    }
  }
  return undefined;
}

function canBeHeld(id: string, knownHosts: Subject["knownHosts"]): boolean {
  return knownHosts.find((host) => host.id === id)?.abilities.builtins.holds !== "none";
}
