import { TooMuch } from "./bounds.ts";

/** Each costs the reader as much as an answer. Servers that print or beat a heart come nowhere near. */
const MOST_A_SECOND = 5_000;
/** As often one after the other: who tells of each row of a table has an end. */
const IN_A_ROW = 10;

/** Counts what a server sends that nothing waits for, message or not: lines and events are cheap to send without end. */
export interface Noise {
  /** A line that is no answer, or an event of which it isn't known yet. Throws TooMuch. */
  heard(): void;
  /** The event was an answer. */
  answer(): void;
}

export function createNoise(): Noise {
  let count = 0;
  let fast = 0;
  let since = performance.now();
  return {
    heard() {
      if (++count <= MOST_A_SECOND) return;
      const ms = performance.now() - since;
      since += ms;
      count = 0;
      fast = ms < 1_000 ? fast + 1 : 0;
      if (fast < IN_A_ROW) return;
      // What is broken off has an end: the next stream of the same server begins anew.
      fast = 0;
      const all = MOST_A_SECOND * IN_A_ROW;
      throw new TooMuch(`it sent what nothing waits for, ${all} times, and more than ${MOST_A_SECOND} times a second`);
    },
    answer() {
      if (count > 0) count--;
    },
  };
}
