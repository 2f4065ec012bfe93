import { keyOf } from "../base/place.ts";
import { runsCommands } from "../base/shell-names.ts";
import { held } from "../3-plan/held.ts";
import type { PlannedRole } from "../3-plan/types.ts";
import type { CaseOf } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** A role that may run any command can do whatever a policy forbids it to do with a tool. */
export const checkShells: Check = ({ model, plan, knownHosts }, report) => {
  const shells = new Set(knownHosts.flatMap(({ ownTools }) => ownTools?.shells ?? []));
  for (const role of plan.roles) {
    const policy = model.policies.find(
      (p) => p.effect !== "ask" && p.roles.includes(role.name) && p.selections.some((s) => s.tools.size > 0),
    );
    const shell = policy && findShell(role, shells);
    if (shell)
      report.add(
        "role/shell-undoes-policy",
        keyOf(role.place),
        { role: role.name, ...shell, rule: `policy \`${policy.name}\`` },
        [{ says: "the policy", at: policy.place }],
      );
  }
};

/** What is held, and what can be written against it: only a server's tool can be asked or judged by its arguments. */
type Shell = CaseOf<"role/shell-undoes-policy", "role" | "rule">;

function findShell(role: PlannedRole, shells: ReadonlySet<string>): Shell | undefined {
  for (const { host, names } of role.builtins) {
    const found = names.find((name) => name === "*" || shells.has(name.toLowerCase()));
    if (found === "*") return { case: "all-builtins", host };
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
