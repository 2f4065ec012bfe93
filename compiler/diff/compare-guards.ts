import type { Access } from "../3-plan/access.ts";
import { groupBy } from "../base/group-by.ts";
import { paired } from "./paired.ts";
import type { AccessChanged } from "./types.ts";

type Guard = Access["guards"][number];
type About = Pick<AccessChanged, "role" | "server" | "tool" | "openings">;

/**
 * Of policies and invariants. What one is called, or where one without a name stands, is no access: one that says the same
 * under another name is the same.
 */
export function guardChanges(about: About, before: readonly Guard[], after: readonly Guard[]): AccessChanged[] {
  const [was, is] = withoutMoved(others(before, after), others(after, before));
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

/** One for one: of two that said the same, one that goes is gone. */
function withoutMoved(was: readonly Guard[], is: readonly Guard[]): readonly [readonly Guard[], readonly Guard[]] {
  const come = new Map(groupBy(is, ({ digest }) => digest).map((same) => [same[0]!.digest, same]));
  const moved = new Set<Guard>();
  const gone = was.filter(({ digest }) => {
    const same = come.get(digest)?.pop();
    if (same !== undefined) moved.add(same);
    return same === undefined;
  });
  return [gone, is.filter((one) => !moved.has(one))];
}
