import type { Described } from "./describe.ts";
import type { ChangeKind, Direction } from "./types.ts";

/** Which changes a gate names: every kind of a direction, or those that are listed. */
export type FailOn = Readonly<Record<"widens" | "changed", "all" | ReadonlySet<ChangeClass> | undefined>>;

/** A kind of change; of a definition, the part of it that changed. */
export type ChangeClass = Exclude<ChangeKind, "definition" | "instructions"> | "text" | "schema" | "hints";

const CLASSES: Readonly<Record<"widens" | "changed", readonly ChangeClass[]>> = {
  widens: ["tool", "effect", "condition", "destination", "root", "guard", "delegate", "builtin", "resource", "host"],
  changed: ["text", "schema", "hints", "condition", "destination", "role", "host"],
};

/**
 * `widens`, `changed`, `changed:schema,hints`, `widens:tool,changed:hints`. What is graver than `changed` counts with it,
 * unless `widens` stands there too.
 */
export function parseFailOn(written: string): FailOn | { readonly problem: string } {
  const found: { widens?: "all" | Set<ChangeClass>; changed?: "all" | Set<ChangeClass> } = {};
  let direction: "widens" | "changed" | undefined;
  for (const word of written.split(",")) {
    const [first = "", second] = word.split(":") as [string?, string?];
    const isDirection = first === "widens" || first === "changed";
    if (isDirection) direction = first;
    if (direction === undefined || word.split(":").length > 2 || (!isDirection && second !== undefined))
      return { problem: `--fail-on takes widens or changed, not \`${word}\`` };
    if (isDirection && second === undefined) found[direction] = "all";
    else {
      const name = isDirection ? second! : first;
      const known = CLASSES[direction].find((one) => one === name);
      if (known === undefined)
        return { problem: `--fail-on ${direction}: takes ${CLASSES[direction].join(", ")}, not \`${name}\`` };
      const listed = found[direction];
      if (listed === undefined) found[direction] = new Set([known]);
      else if (listed !== "all") listed.add(known);
    }
  }
  return { widens: found.widens ?? "all", changed: found.changed };
}

export function isNamed(failOn: FailOn, described: Described): boolean {
  const { direction } = described.change;
  const named = direction === "narrows" ? undefined : failOn[direction];
  return named === "all" || (named !== undefined && classesOf(described).some((one) => named.has(one)));
}

/** Of a definition of which nobody knows what changed: all of it. */
export function classesOf({ change: { kind }, parts: partsOf }: Described): readonly ChangeClass[] {
  if (kind === "instructions") return ["text"];
  if (kind !== "definition") return [kind];
  const parts = partsOf();
  const found = (["schema", "hints", "text"] as const).filter((one) => parts.some(({ part }) => part === one));
  return found.length > 0 ? found : ["schema", "hints", "text"];
}

const GRAVITY: Readonly<Record<Direction, number>> = { widens: 0, changed: 1, narrows: 2 };
const KINDS: readonly ChangeKind[] = [
  "guard",
  "destination",
  "root",
  "builtin",
  "delegate",
  "resource",
  "effect",
  "tool",
  "condition",
  "definition",
  "instructions",
  "host",
  "role",
];

/** The gravest first: what is read when only the beginning is. */
export function byGravity(described: readonly Described[]): Described[] {
  // There may be hundreds of thousands, and of ranks there are few.
  const ranks: Described[][] = [];
  for (const one of described) {
    const { direction, kind } = one.change;
    (ranks[GRAVITY[direction] * 100 + KINDS.indexOf(kind)] ??= []).push(one);
  }
  return ranks.flat();
}
