import type { Decision, Plan, PlannedRole } from "../3-plan/types.ts";
import { canonicalText } from "../base/canonical.ts";
import type { JsonValue } from "../base/json.ts";
import { sorted, sortedBy } from "../base/order.ts";

/** How a role stands to a tool. `where`: conditions on its arguments must hold. */
export interface Standing {
  readonly effect: "allow" | "ask" | "deny";
  readonly where: boolean;
}

export interface AccessChange {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly before: Standing;
  readonly after: Standing;
}

/** Which roles would hold other tools of the servers that share a pin: every role x tool that isn't as it was. */
export function compareAccess(before: Plan, after: Plan, pin: string): AccessChange[] {
  const servers = sorted(new Set([...serversOf(before, pin), ...serversOf(after, pin)]));
  const roles = sorted(new Set([...before.roles, ...after.roles].map((role) => role.name as string)));
  return roles.flatMap((role) =>
    servers.flatMap((server) => {
      const one = decisionsOf(roleOf(before, role), server);
      const other = decisionsOf(roleOf(after, role), server);
      return sorted(new Set([...one.keys(), ...other.keys()])).flatMap((tool) => {
        const was = one.get(tool);
        const is = other.get(tool);
        if (textOf(was) === textOf(is)) return [];
        return [{ role, server, tool, before: standingOf(was), after: standingOf(is) }];
      });
    }),
  );
}

/** Roles that hold a tool of the servers with this pin, sorted. */
export function holdersOf(plan: Plan, pin: string, tool: string): string[] {
  const servers = serversOf(plan, pin);
  const holding = plan.roles.filter((role) => servers.some((server) => decisionsOf(role, server).has(tool)));
  return sortedBy(holding, (role) => role.name).map((role) => role.name);
}

function serversOf(plan: Plan, pin: string): string[] {
  return plan.servers.filter((server) => server.pin === pin).map((server) => server.name);
}

function roleOf(plan: Plan, name: string): PlannedRole | undefined {
  return plan.roles.find((role) => role.name === name);
}

/** Held tools alone. */
function decisionsOf(role: PlannedRole | undefined, server: string): Map<string, Decision> {
  const grant = role?.grants.find((g) => g.server.name === server);
  const pairs = (grant?.decisions ?? []).map(
    (decision, i) => [grant!.server.tools[i]!.name as string, decision] as const,
  );
  return new Map(pairs.filter(([, decision]) => decision.effect !== "deny"));
}

function standingOf(decision: Decision | undefined): Standing {
  return { effect: decision?.effect ?? "deny", where: (decision?.where.length ?? 0) > 0 };
}

function textOf(decision: Decision | undefined): string {
  return decision === undefined ? "" : `${decision.effect} ${canonicalText(decision.where as unknown as JsonValue)}`;
}
