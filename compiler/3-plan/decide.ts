import type { RoleName } from "../base/names.ts";
import { byName, sorted, sortedBy } from "../base/order.ts";
import type {
  AddressEntry,
  Invariant,
  Model,
  Policy,
  Role,
  RoleEntry,
  Server,
  RuleSelection,
} from "../2-model/types.ts";
import { decideBy, type Rule } from "./precedence.ts";
import { resourceGrant } from "./resource-grant.ts";
import { rulesOf, serverRules, type AimedRule, type ServerRules } from "./rules-of.ts";
import type { Decision, Grant, Guard, Plan, PlannedRole, Reason } from "./types.ts";

/** Decides every role x server x tool. It can't fail: what could be wrong was found before, or is found by a check. */
export function decide(model: Model): Plan {
  const servers = new Map(model.servers.map((server) => [server.name, server]));
  const roles = new Map(model.roles.map((role) => [role.name, role]));
  const rules = serverRules(model);
  return {
    project: model.project,
    fingerprint: model.fingerprint,
    servers: model.servers,
    roles: model.roles.map((role) => planRole(role, { roles, servers, rules, policies: model.policies })),
    guards: [
      ...model.policies.map((policy) => guardOf(policy, policy.selections, servers)),
      ...model.invariants.map((invariant) => guardOf(invariant, invariant.claim.selections, servers)),
    ].sort((a, b) => byName(a.name, b.name)),
  };
}

function guardOf(
  { name, place, text, guard }: Policy | Invariant,
  selections: readonly RuleSelection[],
  servers: ReadonlyMap<Server["name"], Server>,
): Guard {
  if (!guard) return { name, place, text };
  const matches = new Map<string, Set<string>>();
  for (const [server, indexes] of selections.flatMap(({ tools }) => [...tools])) {
    const names = matches.get(server) ?? new Set();
    for (const index of indexes) names.add(servers.get(server)!.tools[index]!.name);
    matches.set(server, names);
  }
  return {
    name,
    place,
    text,
    matches: Object.fromEntries([...matches].map(([server, names]) => [server, sorted(names)])),
  };
}

interface Deciding {
  readonly roles: ReadonlyMap<RoleName, Role>;
  readonly servers: ReadonlyMap<Server["name"], Server>;
  readonly rules: ServerRules;
  readonly policies: readonly Policy[];
}

function planRole(role: Role, { roles, servers, rules, policies }: Deciding): PlannedRole {
  const entries = new Map<Server["name"], RoleEntry[]>();
  for (const ancestor of role.lineage) {
    for (const entry of roles.get(ancestor)?.entries ?? []) {
      const known = entries.get(entry.server);
      if (known) known.push(entry);
      else entries.set(entry.server, [entry]);
    }
  }
  const reading = new Map<Server["name"], AddressEntry[]>();
  for (const entry of role.lineage.flatMap((ancestor) => roles.get(ancestor)?.addresses ?? []))
    reading.set(entry.server, [...(reading.get(entry.server) ?? []), entry]);
  return {
    name: role.name,
    place: role.place,
    description: role.description,
    owner: role.owner,
    keep: role.keep,
    prompt: role.prompt,
    lineage: role.lineage,
    grants: sortedBy(new Set([...entries.keys(), ...reading.keys()]), (name) => name).map((name) => {
      const server = servers.get(name)!;
      const resources = resourceGrant(reading.get(name) ?? [], server, role.name, policies);
      return { ...grantOf(role, server, entries.get(name) ?? [], rules), resources };
    }),
    builtins: role.builtins,
    delegates: role.delegates.map((delegate) => delegate.role),
    reaches: reachedBy(role, roles),
  };
}

/** What a role holds on a server, and why, for each of the server's tools. */
export function grantOf(
  role: Role,
  server: Server,
  entries: readonly RoleEntry[],
  rules: ServerRules,
): Omit<Grant, "resources"> {
  const nothing: Reason = {
    rule: "nothing",
    written: server.name,
    by: role.name,
    from: entries[0]?.place ?? role.place,
  };
  return { server, decisions: decideAll(server.tools.length, rulesOf(role, entries, server, rules), nothing) };
}

/**
 * Tools that the same rules speak of share one decision. Each tool is in a state; a rule moves the tools that it speaks
 * of on to the next one. The number of states is small even where the number of tools is large.
 */
function decideAll(tools: number, rules: readonly AimedRule[], nothing: Reason): Decision[] {
  const states: State[] = [{ before: -1, rule: undefined }];
  const at = new Int32Array(tools);
  for (const rule of rules) {
    const next = new Map<number, number>();
    for (const tool of rule.tools) {
      const from = at[tool]!;
      const known = next.get(from);
      if (known === undefined) next.set(from, states.push({ before: from, rule }) - 1);
      at[tool] = known ?? states.length - 1;
    }
  }
  const decisions = new Map<number, Decision>();
  return Array.from(at, (state) => {
    const known = decisions.get(state);
    if (known) return known;
    const decision = decideBy(rulesUpTo(state, states), nothing);
    decisions.set(state, decision);
    return decision;
  });
}

interface State {
  readonly before: number;
  readonly rule: Rule | undefined;
}

function rulesUpTo(state: number, states: readonly State[]): Rule[] {
  const rules: Rule[] = [];
  for (let i = state; i > 0; i = states[i]!.before) rules.push(states[i]!.rule!);
  return rules.toReversed();
}

/** Every role that work can get to, one hand-over after another. */
function reachedBy(role: Role, roles: ReadonlyMap<RoleName, Role>): RoleName[] {
  const reached = new Set(role.delegates.map((delegate) => delegate.role));
  for (const name of reached) for (const delegate of roles.get(name)?.delegates ?? []) reached.add(delegate.role);
  reached.delete(role.name);
  return sorted(reached);
}
