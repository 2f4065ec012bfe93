import type { Access } from "../3-plan/access.ts";
import type { Plan } from "../3-plan/types.ts";
import { groupBy } from "../base/group-by.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";
import { paired } from "./paired.ts";
import type { AccessChanged } from "./types.ts";

type Guard = Access["guards"][number];
type About = Pick<AccessChanged, "role" | "server" | "tool" | "openings">;

/** By name, what each says but for its name, which its digest has too. */
export type RuleTexts = ReadonlyMap<string, string>;

export function ruleTexts({ guards }: Pick<Plan, "guards">): RuleTexts {
  return new Map(
    guards.map(({ name, text, matches }) => {
      const said: JsonValue = isObject(text) ? { ...text, name: null } : text;
      return [name, stableText([said, matches ?? null])];
    }),
  );
}

interface ComparedRules {
  readonly guards: readonly Guard[];
  /** Undefined: nobody knows. */
  readonly rules?: RuleTexts;
}

/**
 * Of policies and invariants. What one is called, or where one without a name stands, is no access: one that says the same
 * under another name is the same.
 */
export function guardChanges(about: About, before: ComparedRules, after: ComparedRules): AccessChanged[] {
  const areKnown = before.rules !== undefined && after.rules !== undefined;
  const saidBy =
    ({ rules }: ComparedRules): Said =>
    ({ name, digest }) =>
      (areKnown && rules?.get(name)) || digest;
  const [was, is] = withoutMoved(
    [others(before.guards, after.guards), saidBy(before)],
    [others(after.guards, before.guards), saidBy(after)],
  );
  return paired(was, is).map(([one, other]) => ({
    ...about,
    direction: one === undefined ? "narrows" : "widens",
    kind: "guard",
    before: one?.name ?? null,
    after: other?.name ?? null,
  }));
}

/** Those that the other side hasn't under the same name. */
function others(guards: readonly Guard[], known: readonly Guard[]): readonly Guard[] {
  const digests = new Map(known.map(({ name, digest }) => [name, digest]));
  return guards.filter(({ name, digest }) => digests.get(name) !== digest);
}

type Said = (guard: Guard) => string;
type Side = readonly [guards: readonly Guard[], saidBy: Said];

/** One for one: of two that said the same, one that goes is gone. */
function withoutMoved([was, saidBefore]: Side, [is, saidNow]: Side): readonly [readonly Guard[], readonly Guard[]] {
  const come = new Map(groupBy(is, saidNow).map((same) => [saidNow(same[0]!), same]));
  const moved = new Set<Guard>();
  const gone = was.filter((one) => {
    const same = come.get(saidBefore(one))?.pop();
    if (same !== undefined) moved.add(same);
    return same === undefined;
  });
  return [gone, is.filter((one) => !moved.has(one))];
}
