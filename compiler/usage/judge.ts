import type { Place } from "../base/place.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Plan, Reason } from "../3-plan/types.ts";
import type { RecordedUsage, RefusedTool } from "./recorded.ts";
import type { HeldTool } from "./settle.ts";
import type { CodePlace, CodeUsage, Lacking } from "./types.ts";

/**
 * What becomes of each grant. `used`: code names it, or it was called. `possibly`: code may. `model`: a model is given it,
 * and no record says whether it was called. `unused`: none of these.
 */
export type GrantState = "used" | "possibly" | "model" | "unused";

export interface JudgedTool extends HeldTool {
  readonly state: GrantState;
  /** In code, the first few. */
  readonly at: readonly CodePlace[];
  /** How a model gets it: hosts, functions. */
  readonly by: readonly string[];
  /** In the record; undefined: there is none, or it says nothing of this role. */
  readonly calls: number | undefined;
  /** What grants it. */
  readonly grants: readonly Grantor[];
}

export interface Grantor {
  /** The role that wrote it. */
  readonly role: string;
  readonly written: string;
  readonly from: Place;
}

export interface JudgedRole {
  readonly role: string;
  readonly place: Place;
  /** Why its grants stay. */
  readonly keep: string | undefined;
  /** Somebody wants to know of it. */
  readonly isAsked: boolean;
  readonly lineage: readonly string[];
  readonly tools: readonly JudgedTool[];
}

export interface UsageReport {
  readonly roles: readonly JudgedRole[];
  /** In code, and not held. */
  readonly lacking: readonly Lacking[];
  /** In the record, and not held. */
  readonly refused: readonly RefusedTool[];
}

export interface Evidence {
  readonly code: CodeUsage;
  readonly record: RecordedUsage | undefined;
  /** The chosen hosts by whose files a model is given it. */
  readonly hostsOf: (held: HeldTool) => readonly string[];
  /** Roles that somebody wants to know of; none: all. */
  readonly asked: readonly string[];
}

export function heldTools(plan: Plan): HeldTool[] {
  return plan.roles.flatMap((role) =>
    role.grants.flatMap((grant) =>
      held(grant).map(([tool]) => ({ role: role.name, server: grant.server.name, tool: tool.name })),
    ),
  );
}

export function judge(plan: Plan, evidence: Evidence): UsageReport {
  const { asked, code, record } = evidence;
  const isAsked = ({ role }: { readonly role: string }): boolean => asked.length === 0 || asked.includes(role);
  return {
    roles: plan.roles.map(({ name, place, keep, lineage, grants }) => ({
      role: name,
      place,
      keep,
      isAsked: isAsked({ role: name }),
      lineage,
      tools: grants.flatMap((grant) =>
        held(grant).map(([tool, decision]) =>
          judgeTool({ role: name, server: grant.server.name, tool: tool.name }, decision, evidence),
        ),
      ),
    })),
    lacking: code.lacking.filter(isAsked),
    refused: (record?.refused ?? []).filter(isAsked),
  };
}

function judgeTool(one: HeldTool, decision: Decision, { code, record, hostsOf }: Evidence): JudgedTool {
  const { standing, at, by } = code.of(one.role, one.server, one.tool);
  const ways = [...hostsOf(one), ...by];
  const all = record?.calls(one) ?? 0;
  const isKnown = record !== undefined && (all > 0 || record.roles.has(one.role));
  const calls = isKnown ? all : undefined;
  return { ...one, state: stateOf(standing, ways, calls), at, by: ways, calls, grants: grantors(decision) };
}

function stateOf(
  standing: ReturnType<CodeUsage["of"]>["standing"],
  ways: readonly string[],
  calls: number | undefined,
): GrantState {
  if (standing === "used" || (calls ?? 0) > 0) return "used";
  if (standing === "possibly") return "possibly";
  return ways.length > 0 && calls === undefined ? "model" : "unused";
}

function grantors({ because }: Decision): Grantor[] {
  return because
    .filter(({ rule }: Reason) => rule === "include")
    .map(({ by, written, from }) => ({ role: by ?? "", written, from }));
}

/** Those of which nothing is heard, in roles that don't say why they stay. */
export function unusedTools({ roles }: Pick<UsageReport, "roles">): JudgedTool[] {
  return roles
    .filter(({ keep, isAsked }) => keep === undefined && isAsked)
    .flatMap(({ tools }) => tools.filter(({ state }) => state === "unused"));
}
