import type { Ranges, Shape } from "../base/pattern-syntax.ts";

/** Whether every text of one shape is a text of another: `example` is one that isn't. Undefined: too large to tell. */
export type Inclusion = { readonly holds: true } | { readonly holds: false; readonly example: string };

/** Bounds the work: what people write has a few dozen states. */
const MOST_STATES = 3000;
const MOST_STEPS = 4000;
/** How often a character is held against a range: steps with many states each cost far more than others. */
const MOST_LOOKS = 4_000_000;

/**
 * Walks all machines at once, over every character that makes a difference, the shortest texts first. Where the inner one
 * may end and the outer one may not, the way there is the example. `among`: the texts that there are at all.
 */
export function includes(outer: Shape, inner: Shape, among: Shape = ANY_TEXT): Inclusion | undefined {
  const machine: Machine = { moves: [], skips: [] };
  const machines = [inner, outer, among].map((shape) => built(shape, machine));
  if (machines.some((one) => one === undefined)) return undefined;
  const [isInner, isOuter, isAmong] = machines.map((one) => one!.end) as [number, number, number];
  const first: Step = { at: machines.map((one) => closure([one!.start], machine)), text: "" };
  const seen = new Set([keyOf(first)]);
  const open = [first];
  let looks = 0;
  for (let i = 0; i < open.length; i++) {
    const step = open[i]!;
    looks += looksAt(step, machine);
    if (i > MOST_STEPS || looks > MOST_LOOKS) return undefined;
    const [within, around, real] = step.at as [States, States, States];
    if (within.has(isInner) && real.has(isAmong) && !around.has(isOuter)) return { holds: false, example: step.text };
    for (const point of pointsOf(step, machine)) {
      const next: Step = {
        at: step.at.map((states) => moved(states, point, machine)),
        text: step.text + String.fromCodePoint(point),
      };
      const key = keyOf(next);
      if (next.at[0]!.size === 0 || next.at[2]!.size === 0 || seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return { holds: true };
}

/** The shortest text of a shape; undefined: there is none, or it is too large. */
export function shortestOf(shape: Shape, among: Shape = ANY_TEXT): string | undefined {
  const found = includes({ kind: "choice", options: [] }, shape, among);
  return found?.holds === false ? found.example : undefined;
}

interface Machine {
  readonly moves: { readonly ranges: Ranges; readonly to: number }[][];
  readonly skips: number[][];
}

interface Built {
  readonly start: number;
  readonly end: number;
}

type States = ReadonlySet<number>;

interface Step {
  /** Where the inner, the outer and the third machine may be. */
  readonly at: readonly States[];
  readonly text: string;
}

export const ANY_TEXT: Shape = {
  kind: "repeat",
  body: { kind: "character", ranges: [0, 0x10ffff] },
  least: 0,
  most: Infinity,
};

function state(machine: Machine): number {
  machine.skips.push([]);
  return machine.moves.push([]) - 1;
}

function built(shape: Shape, machine: Machine): Built | undefined {
  const start = state(machine);
  const end = add(shape, start, machine);
  return end === undefined ? undefined : { start, end };
}

/** Adds the shape behind a state, and gives the state behind it. Undefined: too many. */
function add(shape: Shape, from: number, machine: Machine): number | undefined {
  if (machine.moves.length > MOST_STATES) return undefined;
  switch (shape.kind) {
    case "character": {
      const to = state(machine);
      machine.moves[from]!.push({ ranges: shape.ranges, to });
      return to;
    }
    case "sequence":
      return shape.parts.reduce<number | undefined>(
        (at, part) => (at === undefined ? undefined : add(part, at, machine)),
        from,
      );
    case "choice": {
      const to = state(machine);
      for (const option of shape.options) {
        const end = add(option, skipFrom(from, machine), machine);
        if (end === undefined) return undefined;
        machine.skips[end]!.push(to);
      }
      return to;
    }
    case "repeat":
      return addRepeat(shape, from, machine);
  }
}

function addRepeat({ body, least, most }: Extract<Shape, { kind: "repeat" }>, from: number, machine: Machine) {
  let at: number | undefined = from;
  for (let i = 0; i < least && at !== undefined; i++) at = add(body, at, machine);
  if (at === undefined) return undefined;
  if (most === Infinity) {
    const loop = skipFrom(at, machine);
    const end = add(body, loop, machine);
    if (end === undefined) return undefined;
    machine.skips[end]!.push(loop);
    return skipFrom(loop, machine);
  }
  const last = state(machine);
  for (let i = least; i < most; i++) {
    machine.skips[at]!.push(last);
    at = add(body, at, machine);
    if (at === undefined) return undefined;
  }
  machine.skips[at]!.push(last);
  return last;
}

function skipFrom(from: number, machine: Machine): number {
  const to = state(machine);
  machine.skips[from]!.push(to);
  return to;
}

function closure(states: Iterable<number>, { skips }: Machine): Set<number> {
  const found = new Set(states);
  for (const one of found) for (const next of skips[one]!) found.add(next);
  return found;
}

function moved(states: States, point: number, machine: Machine): Set<number> {
  const next: number[] = [];
  for (const one of states) for (const { ranges, to } of machine.moves[one]!) if (isIn(point, ranges)) next.push(to);
  return closure(next, machine);
}

function isIn(point: number, ranges: Ranges): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (point >= ranges[i]! && point <= ranges[i + 1]!) return true;
  return false;
}

/** One character for each set of ranges that it may be in: those that a person likes to read first. */
function pointsOf({ at }: Step, { moves }: Machine): number[] {
  const all = at.flatMap((states) => [...states]).flatMap((one) => moves[one]!.map(({ ranges }) => ranges));
  const cuts = new Set([
    ...LIKED,
    ...all.flatMap((ranges) => ranges.flatMap((end, i) => (i % 2 === 0 ? end : [end + 1, end]))),
  ]);
  const seen = new Set<string>();
  return [...cuts].filter((point) => {
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return false;
    const where = all.map((ranges) => (isIn(point, ranges) ? "1" : "0")).join("");
    if (seen.has(where)) return false;
    seen.add(where);
    return true;
  });
}

/** What `pointsOf` costs: every end of a range is held against every range. */
function looksAt({ at }: Step, { moves }: Machine): number {
  let [ranges, ends] = [0, LIKED.length];
  for (const states of at)
    for (const one of states)
      for (const move of moves[one]!) {
        ranges++;
        ends += move.ranges.length;
      }
  return ranges * ends;
}

const LIKED = [..."abz09A-_."].map((one) => one.codePointAt(0)!);

function keyOf({ at }: Step): string {
  return at.map((states) => [...states].sort((a, b) => a - b).join(",")).join("|");
}
