import type { JsonValue } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import type { FoundTools } from "../2-model/selectors/find-tools.ts";
import type { Satisfies } from "../diff/implies.ts";
import { sampleCall } from "../diff/sample-call.ts";
import type { Decision, Plan, PlannedRole, Server, Tool } from "../3-plan/types.ts";
import { MOST_PROVEN } from "./no-wider.ts";
import type { Answer, Objected, Question } from "./types.ts";

/** Holds none of these roles, nor a role that they can hand work to, any of these tools? Asked or on conditions, held is held. */
export function isNotGranted(
  plan: Plan,
  found: FoundTools,
  roles: readonly RoleName[] | undefined,
  satisfies: Satisfies,
): Answer {
  const question: Question = { kind: "not-granted", selector: found.written, roles };
  const all = new Map(plan.roles.map((role) => [role.name, role]));
  const asked = plan.roles.filter(({ name }) => roles === undefined || roles.includes(name));
  // Where every role is asked about, whoever a role hands work to answers for itself.
  const holders = asked.flatMap((role) => [
    { role, holder: role },
    ...(roles === undefined ? [] : role.reaches.map((name) => ({ role, holder: all.get(name)! }))),
  ]);
  const heldTools = holders.flatMap(({ role, holder }) =>
    heldOf(holder, found).map((one) => ({ ...one, role, holder })),
  );
  const against = heldTools.map(({ role, holder, server, tool, decision }, i): Objected => ({
    change: {
      direction: "widens",
      kind: "tool",
      role: role.name,
      server: server.name,
      tool: tool.name,
      before: null,
      after: standingOf(decision),
      openings: [],
    },
    through: holder === role ? undefined : holder.name,
    from: decision.because.filter(({ rule }) => rule === "include"),
    at: undefined,
    example: i < MOST_PROVEN ? exampleOf({ server, tool, decision }, satisfies) : undefined,
    isAsked: decision.effect === "ask",
  }));
  const unsure = found.unsure.filter(
    (name) => found.mayBeSlip || holders.some(({ holder }) => holdsUnfound(holder, name, found)),
  );
  const isUnknown = against.length === 0 && unsure.length > 0;
  return {
    question,
    verdict: against.length > 0 ? "fails" : isUnknown ? "unknown" : "holds",
    against,
    beyond: [],
    unknown: isUnknown
      ? {
          problem: `nobody knows the tools of ${unsure.join(", ")}: no manifest`,
          next: `rolecall capture ${unsure.join(" ")}`,
        }
      : undefined,
  };
}

interface HeldTool {
  readonly server: Server;
  readonly tool: Tool;
  readonly decision: Decision;
}

function heldOf({ grants }: PlannedRole, { tools }: FoundTools): HeldTool[] {
  return grants.flatMap(({ server, decisions }) =>
    (tools.get(server.name) ?? []).flatMap((index) => {
      const decision = decisions[index]!;
      return decision.effect === "deny" ? [] : [{ server, tool: server.tools[index]!, decision }];
    }),
  );
}

function holdsUnfound({ grants }: PlannedRole, server: string, { tools }: FoundTools): boolean {
  const grant = grants.find((one) => one.server.name === server);
  const found = new Set(tools.get(grant?.server.name ?? ("" as never)));
  return grant?.decisions.some(({ effect }, index) => effect !== "deny" && !found.has(index)) ?? false;
}

export function standingOf({ effect, where }: Decision): JsonValue {
  if (where.length === 0) return effect;
  return {
    effect,
    where: Object.fromEntries(where.map(({ argument, conditions }) => [argument, conditions as unknown as JsonValue])),
  };
}

function exampleOf({ tool, decision }: HeldTool, satisfies: Satisfies): Objected["example"] {
  const schema = tool.definition().inputSchema as JsonValue;
  return sampleCall(schema, undefined, decision.where, undefined, satisfies);
}
