/**
 * Can a pattern run away? A matcher that goes back and tries again costs as much as there are ways to read
 * the text so far. So the ways are counted: from the start, over every character that could come next,
 * through every set of places where the pattern can be at once. If the sets come to an end and none is
 * large, no text is slow. What can't be counted within bounds is refused: a safe pattern may be refused, a
 * dangerous one isn't accepted.
 *
 * One thing is allowed beyond that: two halves with a fixed character between them (`.*foo.*`), each of
 * which is safe. That is at worst quadratic, and on 4,096 characters a few milliseconds.
 */
import { patternTooCostly } from "../../runtime/pattern-search.ts";
import { isNullable, shapeOfPattern, type Ranges, type Shape } from "./pattern-syntax.ts";

/** Why a pattern is refused, as the end of a sentence, or undefined when it is safe. It is held against a whole text of 4,096 characters. */
export function unsafePattern(source: string, budget: PatternBudget = { steps: MOST_STEPS }): string | undefined {
  const shape = judgedShape(source);
  if (typeof shape === "string") return shape;
  return quadraticCost(shape, budget) <= MOST_COST ? undefined : TOO_MANY_WAYS;
}

/**
 * The same for a pattern of a JSON Schema, which is looked for at every place of a text of any length. So it has to be
 * linear, with what comes before counted in.
 */
export function unsafeSearch(source: string, budget: PatternBudget = { steps: MOST_STEPS }): string | undefined {
  const shape = judgedShape(source);
  if (typeof shape === "string") return shape;
  const searched: Shape = isAnchored(source) ? shape : { kind: "sequence", parts: [ANY_TEXT, shape] };
  return countWays(searched, budget) !== undefined ? undefined : TOO_MANY_WAYS;
}

const ANY_TEXT: Shape = {
  kind: "repeat",
  body: { kind: "character", ranges: [0, 0x10ffff] },
  least: 0,
  most: Infinity,
};

/** A `^` that holds for the whole pattern, not for one choice of it. */
function isAnchored(source: string): boolean {
  const behind = shapeOfPattern(`x${source}`);
  return source.startsWith("^") && typeof behind !== "string" && behind.kind !== "choice";
}

const TOO_MANY_WAYS =
  "can read a text in too many ways, which could take very long; make repeats that follow or hold each other begin with different characters";

/** A text says why it can't be judged. */
function judgedShape(source: string): Shape | string {
  const tooCostly = patternTooCostly(source);
  if (tooCostly !== undefined) return tooCostly;
  const invalid = compileError(source);
  if (invalid !== undefined) return `isn't a regular expression (\`u\` flag): ${invalid}`;
  const shape = shapeOfPattern(source);
  if (typeof shape === "string") return `${shape}, and can't be shown to end soon`;
  return repeatsNothing(shape) ? "repeats something that can be empty, which could take very long" : shape;
}

function compileError(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return message.slice(message.lastIndexOf(": ") + 2).toLowerCase();
  }
}

/** `(a*)*`, `(){9}`: the ways to repeat nothing can't be counted. */
function repeatsNothing(shape: Shape): boolean {
  if (shape.kind === "sequence") return shape.parts.some(repeatsNothing);
  if (shape.kind === "choice") return shape.options.some(repeatsNothing);
  return shape.kind === "repeat" && ((shape.most > 1 && isNullable(shape.body)) || repeatsNothing(shape.body));
}

/** Measured: 3 is about 20 ms on 4,096 characters at the worst. */
const MOST_COST = 3;
/** Places at once: the cost per character of a pattern that counts as linear. */
const MOST_WAYS = 128;
const MOST_SETS = 5000;
/** For one pattern. */
export const MOST_STEPS = 2_000_000;
const MOST_INSTRUCTIONS = 20_000;
const MOST_SPLITS = 40;

/** What may still be spent on counting; whoever judges many patterns of a stranger hands in one for all of them. */
export interface PatternBudget {
  steps: number;
}

/** 0: linear. Else what is multiplied with the square of the length; Infinity: can't be bounded. */
function quadraticCost(shape: Shape, budget: PatternBudget): number {
  if (countWays(shape, budget) !== undefined) return 0;
  if (shape.kind === "choice") return shape.options.reduce((cost, option) => cost + quadraticCost(option, budget), 0);
  if (shape.kind !== "sequence") return Infinity;
  return Math.min(Infinity, ...splits(shape.parts).map((at) => splitCost(shape.parts, at, budget)));
}

/** Before a part that can't be empty or repeat, with an endless repeat on either side. */
function splits(parts: readonly Shape[]): number[] {
  const first = parts.findIndex(isEndless);
  const last = parts.findLastIndex(isEndless);
  const found: number[] = [];
  for (let at = first + 1; at < last; at++) if (parts[at]!.kind !== "repeat" && !isNullable(parts[at]!)) found.push(at);
  return found.slice(0, MOST_SPLITS);
}

function isEndless(shape: Shape): boolean {
  if (shape.kind === "sequence") return shape.parts.some(isEndless);
  if (shape.kind === "choice") return shape.options.some(isEndless);
  return shape.kind === "repeat" && (shape.most === Infinity || isEndless(shape.body));
}

/** From every place in the text the second half begins at most `ends` times, and takes `widest` steps per character. */
function splitCost(parts: readonly Shape[], at: number, budget: PatternBudget): number {
  const before = countWays({ kind: "sequence", parts: parts.slice(0, at) }, budget);
  if (before === undefined) return Infinity;
  const behind = countWays({ kind: "sequence", parts: parts.slice(at) }, budget);
  return behind === undefined ? Infinity : before.ends * behind.widest;
}

type Instruction = { readonly take: Ranges } | { readonly either: readonly [number, number] } | { readonly end: true };

interface Ways {
  /** The most places at once. */
  readonly widest: number;
  /** The most ways at once to have come to the end. */
  readonly ends: number;
}

/** Undefined when the sets of places are too many, too large or without end. */
function countWays(shape: Shape, budget: PatternBudget): Ways | undefined {
  const program: Instruction[] = [];
  if (!write(program, shape) || budget.steps <= 0) return undefined;
  program.push({ end: true });
  let widest = 0;
  let ends = 0;
  const start = places(program, [0], budget);
  if (start === undefined) return undefined;
  const waiting = [start];
  const seen = new Set([start.join()]);
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    widest = Math.max(widest, here.length);
    ends = Math.max(ends, here.filter((at) => "end" in program[at]!).length);
    for (const next of steps(program, here, budget)) {
      if (next === undefined || seen.size > MOST_SETS) return undefined;
      const key = next.join();
      if (!seen.has(key)) waiting.push(next);
      seen.add(key);
    }
  }
  return { widest, ends };
}

/** False when the program grows too long. */
function write(program: Instruction[], shape: Shape): boolean {
  if (program.length > MOST_INSTRUCTIONS) return false;
  switch (shape.kind) {
    case "character":
      program.push({ take: shape.ranges });
      return true;
    case "sequence":
      return shape.parts.every((part) => write(program, part));
    case "choice":
      return writeChoice(program, shape.options);
    case "repeat":
      return writeRepeat(program, shape.body, shape.least, shape.most);
  }
}

function writeChoice(program: Instruction[], options: readonly Shape[]): boolean {
  const leave: number[] = [];
  for (const [i, option] of options.entries()) {
    const fork = program.length;
    if (i < options.length - 1) program.push(JUMP);
    if (!write(program, option)) return false;
    if (i === options.length - 1) break;
    leave.push(program.length);
    program.push(JUMP);
    program[fork] = { either: [fork + 1, program.length] };
  }
  for (const at of leave) program[at] = { either: [program.length, program.length] };
  return true;
}

/** Holds the place of an instruction whose target isn't known yet. */
const JUMP: Instruction = { either: [-1, -1] };

function writeRepeat(program: Instruction[], body: Shape, least: number, most: number): boolean {
  for (let i = 0; i < least; i++) if (!write(program, body)) return false;
  const forks: number[] = [];
  for (let i = least; i < (most === Infinity ? least + 1 : most); i++) {
    forks.push(program.length);
    program.push(JUMP);
    if (!write(program, body)) return false;
  }
  if (most === Infinity) program.push({ either: [forks[0]!, forks[0]!] });
  for (const fork of forks) program[fork] = { either: [fork + 1, program.length] };
  return true;
}

/** Where the pattern can be, once per way to get there, sorted; undefined when there are too many. */
function places(program: readonly Instruction[], from: readonly number[], budget: PatternBudget): number[] | undefined {
  const found: number[] = [];
  const waiting = [...from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const instruction = program[at]!;
    if (!("either" in instruction)) found.push(at);
    else if (instruction.either[0] === instruction.either[1]) waiting.push(instruction.either[0]);
    else waiting.push(...instruction.either);
    if (--budget.steps <= 0 || found.length + waiting.length > MOST_WAYS) return undefined;
  }
  return found.sort((a, b) => a - b);
}

/** The set of places behind each kind of character that could come next. */
function* steps(
  program: readonly Instruction[],
  here: readonly number[],
  budget: PatternBudget,
): Generator<number[] | undefined> {
  const takers = here.flatMap((at) => {
    const instruction = program[at]!;
    return "take" in instruction ? [{ at, ranges: instruction.take }] : [];
  });
  for (const point of pointsThatDiffer(takers.map((taker) => taker.ranges))) {
    budget.steps -= takers.length;
    const taken = takers.filter((taker) => holds(taker.ranges, point)).map((taker) => taker.at + 1);
    if (taken.length > 0) yield places(program, taken, budget);
  }
}

/** One character of each kind that the sets tell apart: where some range begins or has just ended. */
function pointsThatDiffer(sets: readonly Ranges[]): Set<number> {
  return new Set(sets.flatMap((ranges) => ranges.map((point, i) => (i % 2 === 0 ? point : point + 1))));
}

function holds(ranges: Ranges, point: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (point >= ranges[i]! && point <= ranges[i + 1]!) return true;
  return false;
}
