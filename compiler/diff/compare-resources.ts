import type { JsonValue } from "../base/json.ts";
import type { ServerHeld } from "../3-plan/access.ts";
import type { AccessChanged } from "./types.ts";

type About = Pick<AccessChanged, "role" | "server" | "tool" | "openings">;

/**
 * What a role may read of one server, glob by glob. One that is included widens whatever the others say: that an address
 * fits two globs may be so today and not tomorrow.
 */
export function resourceChanges(
  about: About,
  was: ServerHeld | undefined,
  is: ServerHeld | undefined,
): AccessChanged[] {
  const [before, after] = [globsOf(was), globsOf(is)];
  // Where nothing may be read any more, or nothing could be, what was kept from it says nothing.
  const keeps = was?.resources !== undefined && is?.resources !== undefined;
  const of = (kind: keyof Globs): AccessChanged[] => {
    const come = [...after[kind]].filter(([text]) => !before[kind].has(text)).map(([, value]) => value);
    const gone = [...before[kind]].filter(([text]) => !after[kind].has(text)).map(([, value]) => value);
    const [comes, goes] = kind === "include" ? (["widens", "narrows"] as const) : (["narrows", "widens"] as const);
    return [
      ...come.map((value): AccessChanged => ({
        ...about,
        direction: comes,
        kind: "resource",
        before: null,
        after: { [kind]: value },
      })),
      ...gone.map((value): AccessChanged => ({
        ...about,
        direction: goes,
        kind: "resource",
        before: { [kind]: value },
        after: null,
      })),
    ];
  };
  return [...of("include"), ...(keeps ? [...of("exclude"), ...of("within")] : [])];
}

type Globs = Readonly<Record<"include" | "exclude" | "within", ReadonlyMap<string, JsonValue>>>;

function globsOf(held: ServerHeld | undefined): Globs {
  const { include = [], exclude = [], within = [] } = held?.resources ?? {};
  const byText = (values: readonly JsonValue[]): ReadonlyMap<string, JsonValue> =>
    new Map(values.map((value) => [JSON.stringify(value), value]));
  return { include: byText(include), exclude: byText(exclude), within: byText(within) };
}
