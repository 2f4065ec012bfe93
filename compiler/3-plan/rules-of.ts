import type { RoleName, ServerName } from "../base/names.ts";
import type { Ceiling, Model, Policy, Role, RoleEntry, Selection, Server } from "../2-model/types.ts";
import type { Rule } from "./precedence.ts";
import type { Reason } from "./types.ts";

/** A rule and the tools of the server that it speaks of, as indexes. */
export interface AimedRule extends Rule {
  readonly tools: readonly number[];
}

/** What is said about a server's tools apart from its roles, made once for all of them. */
export interface ServerRules {
  readonly ceilings: ReadonlyMap<ServerName, readonly AimedRule[]>;
  readonly policies: ReadonlyMap<ServerName, readonly (readonly [ReadonlySet<RoleName>, AimedRule])[]>;
}

export function serverRules(model: Model): ServerRules {
  const roles = new Map(model.policies.map((policy) => [policy, new Set(policy.roles)]));
  return {
    ceilings: new Map(
      model.servers.map((server) => [server.name, server.ceilings.map((ceiling) => beyond(server, ceiling))]),
    ),
    policies: new Map(
      model.servers.map((server) => [
        server.name,
        model.policies.flatMap((policy) => {
          const rule = policyRule(policy, server);
          return rule ? [[roles.get(policy)!, rule] as const] : [];
        }),
      ]),
    ),
  };
}

/** Every rule that has a word on a role's tools of one server: grants first, then what restricts. */
export function rulesOf(role: Role, entries: readonly RoleEntry[], server: Server, rules: ServerRules): AimedRule[] {
  const found: AimedRule[] = [];
  for (const entry of entries)
    for (const selection of entry.include) found.push(aimed("grant", "include", selection, entry.role));
  for (const entry of entries)
    for (const selection of entry.exclude) found.push(aimed("take-away", "exclude", selection, entry.role));
  found.push(...rules.ceilings.get(server.name)!);
  for (const entry of entries)
    for (const selection of entry.ask) found.push(aimed("ask", "ask", selection, entry.role));
  for (const entry of entries) {
    for (const { selection, conditions } of entry.where)
      found.push(demanding(aimed("condition", "where", selection, entry.role), conditions));
  }
  for (const [roles, rule] of rules.policies.get(server.name)!) if (roles.has(role.name)) found.push(rule);
  return found;
}

function aimed(says: Rule["says"], rule: Reason["rule"], selection: Selection, by: string): AimedRule {
  return {
    says,
    reason: { rule, written: selection.written, by, from: selection.place },
    conditions: [],
    tools: selection.tools,
  };
}

function demanding<Demand extends Rule>(rule: Demand, conditions: Rule["conditions"]): Demand {
  return conditions.length === 0 ? rule : { ...rule, conditions, reason: { ...rule.reason, conditions } };
}

/** A ceiling takes away whatever doesn't lie within it. */
function beyond(server: Server, ceiling: Ceiling): AimedRule {
  const inside = new Set(ceiling.tools);
  const rule = ceiling.kind === "scopes" ? "scopes" : "ceiling";
  const written = ceiling.kind === "enabled" ? "enabled: false" : ceiling.kind;
  const reason: Reason = { rule, written, by: undefined, from: ceiling.place };
  const tools = server.tools.filter((tool) => !inside.has(tool.index)).map((tool) => tool.index);
  return { says: "take-away", reason, conditions: [], tools };
}

const SAYS = { deny: "take-away", ask: "ask", where: "condition" } as const;

/** One rule for a policy, however many of its selectors match a tool. */
function policyRule(policy: Policy, server: Server): AimedRule | undefined {
  const tools = new Set(policy.selections.flatMap((selection) => selection.tools.get(server.name) ?? []));
  if (tools.size === 0) return undefined;
  const { name, effect, place, conditions } = policy;
  const reason: Reason = { rule: "policy", effect, written: name, by: name, from: place };
  return demanding({ says: SAYS[effect], reason, conditions: [], tools: [...tools] }, conditions);
}
