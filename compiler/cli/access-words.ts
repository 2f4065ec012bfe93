import type { Decision, Plan, PlannedRole, Reason, Server, Tool } from "../3-plan/types.ts";
import { bounded, visible } from "../base/visible.ts";
import type { Look } from "../diagnostics/paint.ts";

/** What several pages say about access, asked of the plan in one way. */
export interface RoleStanding {
  readonly role: PlannedRole;
  /** Undefined: neither the role nor an ancestor mentions the server. */
  readonly decision: Decision | undefined;
}

export function standingOf(role: PlannedRole, tool: Tool): RoleStanding {
  const grant = role.grants.find((g) => g.server.name === tool.server);
  return { role, decision: grant?.decisions[tool.index] };
}

export function standings(plan: Plan, tool: Tool): RoleStanding[] {
  return plan.roles.map((role) => standingOf(role, tool));
}

export function holdersOf(plan: Plan, tool: Tool): RoleStanding[] {
  return standings(plan, tool).filter(({ decision }) => effectOf(decision) !== "deny");
}

export function effectOf(decision: Decision | undefined): Decision["effect"] {
  return decision?.effect ?? "deny";
}

export function holdsAnyOf(role: PlannedRole, server: Server): boolean {
  const grant = role.grants.find((g) => g.server.name === server.name);
  return grant !== undefined && grant.decisions.some((decision) => decision.effect !== "deny");
}

const WORDS = { allow: "allowed", ask: "asked", deny: "denied" } as const;
const LOOKS: Readonly<Record<Decision["effect"], Look>> = { allow: "good", ask: "warning", deny: "quiet" };

/** `allowed`, `asked`, `denied`, and `(where)` beside it when conditions must hold. */
export function howWords(decision: Decision | undefined): string {
  const word = WORDS[effectOf(decision)];
  return (decision?.where.length ?? 0) > 0 ? `${word} (where)` : word;
}

export function lookOf(decision: Decision | undefined): Look {
  return LOOKS[effectOf(decision)];
}

/** Grants first, then what restricts, each in the plan's order. */
export function inOrder(reasons: readonly Reason[]): Reason[] {
  const grants = (reason: Reason) => reason.rule === "include";
  return [...reasons.filter(grants), ...reasons.filter((reason) => !grants(reason))];
}

/** The one line that says most: what denied it, what makes it ask, what conditions it, or what granted it. */
export function decisiveReason(decision: Decision): Reason | undefined {
  const reasons = inOrder(decision.because);
  if (decision.effect === "deny") return reasons.find((reason) => reason.rule !== "include") ?? reasons.at(-1);
  return decision.effect === "allow" && decision.where.length === 0 ? reasons[0] : reasons.at(-1);
}

const POLICY_VERBS = { deny: "denied by", ask: "asked for by", where: "conditioned by" } as const;

/** A reason in a few words. */
export function reasonWords(reason: Reason): string {
  const written = `\`${bounded(visible(reason.written))}\``;
  const by = bounded(visible(reason.by ?? ""));
  switch (reason.rule) {
    case "include":
      return `granted by ${by}: ${written}`;
    case "exclude":
      return `excluded by ${by}: ${written}`;
    case "ask":
      return `asked for by ${by}: ${written}`;
    case "where":
      return `conditioned by ${by}: ${written}`;
    case "ceiling":
      if (reason.written === "enabled: false") return "its server is switched off: `enabled: false`";
      return `beyond what the server's tools allow: ${written}`;
    case "scopes":
      return `outside the server's scopes: ${written}`;
    case "policy":
      return `${POLICY_VERBS[reason.effect ?? "deny"]} the policy ${written}`;
    case "nothing":
      return "nothing grants it";
  }
}
