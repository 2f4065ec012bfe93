import { TooMuch } from "./bounds.ts";

/** Of small messages, or as much in larger ones. Servers that print or beat a heart come nowhere near. */
const A_SECOND = 2_500;
/** So many more may come at once: who tells of each row of a table has an end. */
const AT_ONCE = 25_000;

/** Counts what a server sends that nothing waits for, message or not: lines and events are cheap to send without end. */
export interface Noise {
  /** A line that is no answer, or an event of which it isn't known yet, at what it costs to read. Throws TooMuch. */
  heard(cost?: number): void;
  /** The event was an answer. */
  answer(): void;
}

export function createNoise(): Noise {
  let owed = 0;
  let last = performance.now();
  const large: number[] = [];
  const keep = (cost: number): void => {
    const at = large.findIndex((one) => one < cost);
    large.splice(at === -1 ? large.length : at, 0, cost);
    if (large.length > MOST_LARGE) large.pop();
  };
  return {
    heard(cost = 1) {
      const now = performance.now();
      owed = Math.max(0, owed - ((now - last) * A_SECOND) / 1_000) + cost;
      last = now;
      if (cost >= LARGE_NOISE) keep(cost);
      if (owed <= AT_ONCE) return;
      // What is broken off has an end: the next stream of the same server begins anew.
      owed = 0;
      throw new TooMuch(`it sent what nothing waits for, more than ${A_SECOND} times a second, or as much in fewer`);
    },
    answer() {
      // Which one it was isn't known. With each answer a server may send one that is as large.
      owed = Math.max(0, owed - (large.shift() ?? 1));
    },
  };
}

const LARGE_NOISE = 10;
/** As many answers as come together before the first of them is read. */
const MOST_LARGE = 32;
