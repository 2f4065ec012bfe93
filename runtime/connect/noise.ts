import { TooMuch } from "./bounds.ts";

/** Each costs the reader as much as a message. Servers that print or beat a heart come nowhere near. */
const MOST_A_SECOND = 5_000;

/** Counts what a server sends that nothing waits for, message or not: lines and events are cheap to send without end. */
export interface Noise {
  /** A line that is no answer, or an event of which it isn't known yet. Throws TooMuch. */
  heard(): void;
  /** The event was an answer. */
  answer(): void;
}

export function createNoise(): Noise {
  let count = 0;
  let since = performance.now();
  return {
    heard() {
      if (++count <= MOST_A_SECOND) return;
      const ms = performance.now() - since;
      // What is broken off has an end: the next stream of the same server begins anew.
      since += ms;
      count = 0;
      if (ms < 1_000) throw new TooMuch(`it sent what nothing waits for, more than ${MOST_A_SECOND} times in a second`);
    },
    answer() {
      if (count > 0) count--;
    },
  };
}
