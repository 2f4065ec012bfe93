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
  const kept = createCosts();
  return {
    heard(cost = 1) {
      const now = performance.now();
      owed = Math.max(0, owed - ((now - last) * A_SECOND) / 1_000);
      last = now;
      // Time has paid for all of it.
      if (owed === 0) kept.clear();
      owed += cost;
      if (cost > 1) kept.add(cost);
      if (owed <= AT_ONCE) return;
      // What is broken off has an end: the next stream of the same server begins anew.
      owed = 0;
      throw new TooMuch(`it sent what nothing waits for, more than ${A_SECOND} times a second, or as much in fewer`);
    },
    answer() {
      // Which one it was isn't known, and the largest is no less. With each answer a server may send one that is as large.
      owed = Math.max(0, owed - (kept.takeLargest() ?? 1));
    },
  };
}

/** More than are heard before the first of them is read. Beyond it the smallest are left out. */
const MOST_COSTS = 4_096;

interface Costs {
  add(cost: number): void;
  takeLargest(): number | undefined;
  clear(): void;
}

function createCosts(): Costs {
  const ascending: number[] = [];
  return {
    add(cost) {
      ascending.splice(placeOfCost(cost, ascending), 0, cost);
      if (ascending.length > MOST_COSTS) ascending.shift();
    },
    takeLargest: () => ascending.pop(),
    clear: () => void (ascending.length = 0),
  };
}

/** Where it stands among them, before those that are as large. */
function placeOfCost(cost: number, ascending: readonly number[]): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! < cost) from = middle + 1;
    else to = middle;
  }
  return from;
}
