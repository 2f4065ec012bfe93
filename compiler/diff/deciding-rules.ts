import { keyOf, within, type Place } from "../base/place.ts";
import { stableText } from "../base/stable-text.ts";
import type { JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import type { Decision, Plan, Reason } from "../3-plan/types.ts";
import type { AccessChanged } from "./types.ts";

/** The rules that decide what changed, and those that did before. */
export interface DecidingRules {
  /** That decide it now; where it is gone, what says so. Never places of what isn't there any more. */
  readonly from: readonly Reason[];
  /** Those of them that said the same before: by them alone nothing would have changed. */
  readonly asBefore: ReadonlySet<Reason>;
  /** That decided it otherwise and don't any more. */
  readonly noLonger: readonly FormerRule[];
}

export interface FormerRule {
  readonly reason: Reason;
  /** What is still there of where it stood; undefined: nothing. */
  readonly at: Place | undefined;
}

export const NO_RULES: DecidingRules = { from: [], asBefore: new Set(), noLonger: [] };

/** Decisions are few, and what changed by them is much. */
export function decidingRules(
  after: Plan,
): (change: AccessChanged, now: Decision | undefined, was: Decision | undefined) => DecidingRules {
  const roles = new Map(after.roles.map((role) => [role.name as string, role]));
  const guards = new Map(after.guards.map(({ name, place }) => [name, place]));
  const servers = new Map(after.servers.map((server) => [server.name as string, server]));
  const placeNow = ({ rule, written, by }: Reason, server: string): Place | undefined => {
    if (rule === "policy") return guards.get(written);
    if (by === undefined) return servers.get(server)?.place;
    const place = roles.get(by)?.place;
    return place && keyOf(within(place, "tools", server));
  };
  const textsOf = madeOnce(({ because }: Decision) => new Set(because.map(textOf)));
  const namesOf = madeOnce(({ because }: Decision) => new Set(because.map(nameOf)));
  return (change, now, was) => {
    const from = reasonsOf(change, now);
    const isGone = !roles.has(change.role ?? "");
    if (was === undefined || isGone) return from.length === 0 ? NO_RULES : { ...NO_RULES, from };
    const gone = formerOf(change, was).filter((reason) => now === undefined || !namesOf(now).has(nameOf(reason)));
    const same = from.filter((reason) => textsOf(was).has(textOf(reason)));
    return {
      from,
      asBefore: new Set(gone.length === 0 && same.length === from.length ? [] : same),
      noLonger: gone.map((reason) => ({ reason, at: placeNow(reason, change.server!) })),
    };
  };
}

function textOf(reason: Reason): string {
  const demands = reason.conditions?.map(({ argument, condition }) => [argument, condition] as unknown as JsonValue);
  return stableText([nameOf(reason), demands ?? null]);
}

/** Whatever it demands. */
function nameOf({ rule, written, by, effect }: Reason): string {
  return stableText([rule, written, by ?? null, effect ?? null]);
}

/** What granted it where it came, what restricts it where it is less. */
function reasonsOf({ direction, kind }: AccessChanged, decision: Decision | undefined): readonly Reason[] {
  const because = decision?.because ?? [];
  const grants = because.filter(({ rule }) => rule === "include");
  const demands = because.filter(isDemand);
  if (kind === "condition") return demands.length > 0 ? demands : grants;
  if (direction === "widens") return grants;
  return because.filter((reason) => (kind === "effect" ? isQuestion(reason) : isTakeAway(reason)));
}

/** What restricted it where it is more, what granted it where it is gone. */
function formerOf({ direction, kind }: AccessChanged, { because }: Decision): readonly Reason[] {
  if (kind === "condition") return because.filter(isDemand);
  if (kind === "effect") return direction === "widens" ? because.filter(isQuestion) : [];
  if (kind !== "tool") return [];
  return because.filter((reason) =>
    direction === "widens" ? isTakeAway(reason) && reason.rule !== "nothing" : reason.rule === "include",
  );
}

function isTakeAway(reason: Reason): boolean {
  return reason.rule !== "include" && !isQuestion(reason) && !isDemand(reason);
}

function isDemand({ rule, effect, conditions }: Reason): boolean {
  return rule === "where" || effect === "where" || conditions !== undefined;
}

function isQuestion({ rule, effect }: Reason): boolean {
  return rule === "ask" || effect === "ask";
}
