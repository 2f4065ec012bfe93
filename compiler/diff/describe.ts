import type { JsonObject, JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import type { Place } from "../base/place.ts";
import type { Decision, Plan, PlannedRole, Reason, Server, Tool } from "../3-plan/types.ts";
import { definitionParts, type DefinitionPart } from "./definition-parts.ts";
import type { Satisfies } from "./implies.ts";
import { sampleCall } from "./sample-call.ts";
import type { AccessChanged } from "./types.ts";

/** A change with what a reviewer asks next: which line did it, what passes now, what of the tool is another. */
export interface Described {
  readonly change: AccessChanged;
  /** The rules in the sources that decide it now; where it is gone, what says so. Never places of what isn't there any more. */
  readonly from: readonly Reason[];
  /** Where there is no rule: the declaration that it belongs to. */
  readonly at: Place | undefined;
  /** Arguments of one call that passes now and didn't before, judged by the runtime's own code. */
  readonly example: JsonObject | undefined;
  /** Of a definition that changed: gravest first. Empty: what of it changed isn't known. */
  readonly parts: readonly DefinitionPart[];
}

/** `before` undefined: there is no plan of it, only what access.json said. */
export function describeAll(
  changes: readonly AccessChanged[],
  before: Plan | undefined,
  after: Plan,
  satisfies: Satisfies,
): Described[] {
  const decidedNow = decisionsOf(after);
  const decidedBefore = before === undefined ? () => undefined : decisionsOf(before);
  // The roles that hold a tool are many, and its definition is one.
  const once = madeOnce((now: Tool) => madeOnce((was: Tool) => definitionParts(was, now)));
  return changes.map((change) => {
    const now = decidedNow(change);
    const was = decidedBefore(change);
    const from = reasonsOf(change, now?.decision);
    const isOpened = change.direction === "widens" && now !== undefined && now.decision.effect !== "deny";
    return {
      change,
      from,
      at: from.length > 0 ? undefined : placeOf(change, after),
      example: isOpened ? exampleOf(change, now, was, satisfies) : undefined,
      parts: change.kind === "definition" && now !== undefined && was !== undefined ? once(now.tool)(was.tool) : [],
    };
  });
}

interface DecidedTool {
  readonly tool: Tool;
  readonly decision: Decision;
}

/** What a plan says of the tool that a change is about. */
function decisionsOf(plan: Plan): (change: AccessChanged) => DecidedTool | undefined {
  const roles = new Map(plan.roles.map((role) => [role.name as string, role]));
  const grantsOf = madeOnce((role: PlannedRole) => new Map(role.grants.map((one) => [one.server.name as string, one])));
  const toolsOf = madeOnce((server: Server) => new Map(server.tools.map((tool) => [tool.name as string, tool])));
  return ({ role, server, tool }) => {
    const planned = role === undefined ? undefined : roles.get(role);
    const grant = planned && server !== undefined ? grantsOf(planned).get(server) : undefined;
    const found = grant && tool !== undefined ? toolsOf(grant.server).get(tool) : undefined;
    return found && { tool: found, decision: grant!.decisions[found.index]! };
  };
}

/** What granted it where it came, what restricts it where it is less. */
function reasonsOf({ direction, kind }: AccessChanged, decision: Decision | undefined): readonly Reason[] {
  const because = decision?.because ?? [];
  if (kind === "definition") return [];
  const grants = because.filter(({ rule }) => rule === "include");
  const restricts = because.filter(({ rule }) => rule !== "include");
  return direction === "widens" ? grants : restricts;
}

function placeOf({ role, server, kind, after }: AccessChanged, plan: Plan): Place | undefined {
  if (kind === "guard") return undefined;
  if (kind === "destination" || kind === "root" || kind === "instructions")
    return plan.servers.find(({ name }) => name === server)?.place;
  return after === null && kind !== "tool" ? undefined : plan.roles.find(({ name }) => name === role)?.place;
}

function exampleOf(
  { openings, kind }: AccessChanged,
  now: DecidedTool,
  was: DecidedTool | undefined,
  satisfies: Satisfies,
): JsonObject | undefined {
  const schema = now.tool.definition().inputSchema as JsonValue;
  // A call that was asked isn't refused: that it isn't asked any more has no arguments to show.
  if (kind === "effect") return undefined;
  const before = was === undefined || was.decision.effect === "deny" ? undefined : was.decision.where;
  const found = openings.map((opening) => sampleCall(schema, before, now.decision.where, opening, satisfies));
  return [
    ...found,
    ...(openings.length > 0 ? [] : [sampleCall(schema, before, now.decision.where, undefined, satisfies)]),
  ].find((args) => args !== undefined);
}
