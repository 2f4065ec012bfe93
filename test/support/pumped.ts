import vm from "node:vm";
import { shapeOfPattern, type Ranges, type Shape } from "../../compiler/base/pattern-syntax.ts";

/** Texts that a regular expression reads in as many ways as it can: each of its repeats, again and again behind what leads to it. */

export interface Pumped {
  readonly lead: string;
  readonly unit: string;
}

/** Of what looks ahead or refers back, what stands beside it. */
export function pumpedTexts(source: string): Pumped[] {
  const shape = shapeOfPattern(withoutLooks(source).replace(/\\[1-9]|\\k<\w+>/g, ""));
  if (typeof shape === "string") throw new Error(`${shape}: ${source}`);
  const whole = samples(shape).flatMap((one) => beginningsOf(one).map((unit) => ({ lead: "", unit })));
  const all = [...repeatsIn(shape, ""), ...whole].filter(({ unit }) => unit !== "");
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function withoutLooks(source: string): string {
  let text = source;
  for (let at = text.search(/\(\?<?[=!]/); at !== -1; at = text.search(/\(\?<?[=!]/))
    text = text.slice(0, at) + text.slice(closing(text, at) + 1).replace(/^[*+?]/, "");
  return text.replace(/(^|[(|])(?=[|)]|$)/g, "$1(?:)");
}

function closing(text: string, from: number): number {
  let [depth, inClass] = [0, false];
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\") at++;
    else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** Of a word every so much of it: an expression may begin anew wherever it likes. */
function beginningsOf(text: string): string[] {
  return [
    text,
    ...[1, 2, 3, 4, 6, 9, 14, 20, 30].filter((length) => length < text.length).map((to) => text.slice(0, to)),
  ];
}

function repeatsIn(shape: Shape, lead: string): Pumped[] {
  if (shape.kind === "choice") return shape.options.flatMap((one) => repeatsIn(one, lead));
  if (shape.kind === "sequence") {
    let before = lead;
    return shape.parts.flatMap((part) => {
      const found = repeatsIn(part, before);
      before += samples(part)[0]!;
      return found;
    });
  }
  if (shape.kind === "character") return [];
  const units = shape.most > 3 ? unitsOf(samples(shape.body)) : [];
  return [...units.map((unit) => ({ lead, unit })), ...repeatsIn(shape.body, lead)];
}

function unitsOf(bodies: readonly string[]): string[] {
  const few = bodies.slice(0, MOST_SAMPLES);
  return [...few, ...few.flatMap((one) => few.map((other) => one + other))];
}

const MOST_SAMPLES = 9;
const LIKELY = ["a", "A", "1", " ", "x", "-", "\n", ":", ".", "/", "_", "\\", '"', ",", "="].map((one) =>
  one.codePointAt(0)!,
);

/** The first is as plain as can be. */
function samples(shape: Shape): string[] {
  if (shape.kind === "character") return charactersOf(shape.ranges);
  if (shape.kind === "choice") return [...new Set(shape.options.flatMap((one) => samples(one).slice(0, 3)))];
  if (shape.kind === "repeat") return repeated(shape);
  const parts = shape.parts.map(samples);
  const first = parts.map(([one = ""]) => one);
  const varied = parts.flatMap((others, i) => others.slice(1, 4).map((one) => first.with(i, one).join("")));
  return [...new Set([first.join(""), ...varied])].slice(0, 30);
}

function repeated({ body, least, most }: Extract<Shape, { kind: "repeat" }>): string[] {
  const bodies = samples(body);
  const times = Math.min(Math.max(least, 1), 200);
  const many = bodies.map((one) => one.repeat(times));
  const two =
    most >= least + 2 ? unitsOf(bodies.slice(0, 3)).map((one) => bodies[0]!.repeat(Math.max(0, times - 1)) + one) : [];
  return [...new Set([...many, ...(least === 0 ? [""] : []), ...two])];
}

function charactersOf(ranges: Ranges): string[] {
  const holds = (point: number): boolean =>
    ranges.some((from, i) => i % 2 === 0 && point >= from && point <= ranges[i + 1]!);
  const likely = LIKELY.filter(holds);
  return (likely.length > 0 ? likely.slice(0, 5) : ranges.slice(0, 1)).map((point) => String.fromCodePoint(point));
}

const SIZES = [60, 120, 250, 1_000, 12_000, 40_000];
/** A short text's time is the machine's. */
const FREE_MS = 30;
const MOST_MICROSECONDS_A_BYTE = 10;

/** The pumped texts for which an expression takes longer than so much a byte, each told shortly. */
export function slowTexts(pattern: RegExp): string[] {
  return pumpedTexts(pattern.source).flatMap(({ lead, unit }) => {
    const slow = SIZES.find((size) => isSlow(pattern, `${lead}${unit.repeat(Math.ceil(size / unit.length))}\u0001`));
    return slow === undefined
      ? []
      : [`${JSON.stringify(lead.slice(-40))} + ${JSON.stringify(unit.slice(0, 40))} to ${slow}`];
  });
}

const context = vm.createContext({});
const searched = new vm.Script("for (const found of text.matchAll(pattern)) void found;");

/** Twice: once it may be the machine. */
function isSlow(pattern: RegExp, text: string): boolean {
  return isSlowOnce(pattern, text) && isSlowOnce(pattern, text);
}

function isSlowOnce(pattern: RegExp, text: string): boolean {
  // A sticky one is tried where its caller stands, and no further.
  const flags = pattern.flags.replace("g", "");
  const most = FREE_MS + (text.length * MOST_MICROSECONDS_A_BYTE) / 1000;
  Object.assign(context, { text, pattern: new RegExp(pattern.source, `${flags}g`) });
  const began = process.cpuUsage();
  try {
    searched.runInContext(context, { timeout: Math.ceil(most) * 4 });
  } catch {
    return true;
  }
  return process.cpuUsage(began).user / 1000 > most;
}
