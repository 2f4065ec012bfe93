import type { Model, Policy, Role, RoleEntry, Selection, Server } from "../2-model/types.ts";
import type { Rule } from "./precedence.ts";
import type { Reason } from "./types.ts";

/** A rule and the tools of the server that it speaks of, as indexes. */
export interface AimedRule extends Rule {
  readonly tools: readonly number[];
}

/** Every rule that has a word on a role's tools of one server: grants first, then what restricts. */
export function rulesOf(entries: readonly RoleEntry[], server: Server, policies: readonly Policy[]): AimedRule[] {
  return [
    ...entries.flatMap((entry) => entry.include.map((selection) => aimed("grant", "include", selection, entry.role))),
    ...entries.flatMap((entry) =>
      entry.exclude.map((selection) => aimed("take-away", "exclude", selection, entry.role)),
    ),
    ...server.ceilings.map((ceiling) => beyond(server, ceiling)),
    ...entries.flatMap((entry) => entry.ask.map((selection) => aimed("ask", "ask", selection, entry.role))),
    ...entries.flatMap((entry) =>
      entry.where.map((where) => ({
        ...aimed("condition", "where", where.selection, entry.role),
        conditions: where.conditions,
      })),
    ),
    ...policies.flatMap((policy) => policyRules(policy, server)),
  ];
}

/** The policies that hold for each role, in the order written. */
export function policiesByRole(model: Model): ReadonlyMap<Role["name"], readonly Policy[]> {
  const byRole = new Map(model.roles.map((role) => [role.name, [] as Policy[]]));
  for (const policy of model.policies) for (const role of policy.roles) byRole.get(role)?.push(policy);
  return byRole;
}

function aimed(says: Rule["says"], rule: Reason["rule"], selection: Selection, by: string): AimedRule {
  return {
    says,
    reason: { rule, written: selection.written, by, from: selection.place },
    conditions: [],
    tools: selection.tools,
  };
}

/** A ceiling takes away whatever doesn't lie within it. */
function beyond(server: Server, ceiling: Server["ceilings"][number]): AimedRule {
  const inside = new Set(ceiling.tools);
  const reason: Reason = {
    rule: ceiling.kind === "tools" ? "ceiling" : "scopes",
    written: ceiling.kind,
    by: undefined,
    from: ceiling.place,
  };
  return {
    says: "take-away",
    reason,
    conditions: [],
    tools: server.tools.filter((tool) => !inside.has(tool.index)).map((tool) => tool.index),
  };
}

const SAYS = { deny: "take-away", ask: "ask", where: "condition" } as const;

/** One rule for a policy, however many of its selectors match a tool. */
function policyRules(policy: Policy, server: Server): AimedRule[] {
  const tools = new Set(policy.selections.flatMap((selection) => selection.tools.get(server.name) ?? []));
  if (tools.size === 0) return [];
  const reason: Reason = {
    rule: "policy",
    effect: policy.effect,
    written: policy.name,
    by: policy.name,
    from: policy.place,
  };
  return [{ says: SAYS[policy.effect], reason, conditions: policy.conditions, tools: [...tools] }];
}
