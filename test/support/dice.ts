import { fc } from "./generated.ts";

/**
 * Choices read from a tape of numbers, so that a generator can be written as plain code and still shrinks: shorter
 * tapes and smaller numbers give smaller things, and a tape that has ended says 0, "the first", "no", "none".
 */
export interface Dice {
  /** 0 to n - 1. */
  below(n: number): number;
  /** So many times out of a hundred. */
  chance(percent: number): boolean;
  one<T>(list: readonly T[]): T;
  /** At least `least`, at most `most`. */
  some<T>(least: number, most: number, make: (index: number) => T): T[];
  /** Different ones in any order: so many, or all where the list is shorter. */
  sample<T>(list: readonly T[], count: number): T[];
  /** In any order. */
  shuffled<T>(list: readonly T[]): T[];
}

export function tapes(longest: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat(0xffff), { maxLength: longest, size: "max" });
}

export function diceOf(tape: readonly number[]): Dice {
  let at = 0;
  const below = (n: number): number => (tape[at++] ?? 0) % n;
  const sample: Dice["sample"] = (list, count) => {
    const rest = [...list];
    return list.slice(0, count).map(() => rest.splice(below(rest.length), 1)[0]!);
  };
  const some: Dice["some"] = (least, most, make) =>
    Array.from({ length: least + below(most - least + 1) }, (_, i) => make(i));
  return {
    below,
    chance: (percent) => below(100) >= 100 - percent,
    one: (list) => list[below(list.length)]!,
    some,
    sample,
    shuffled: (list) => sample(list, list.length),
  };
}
