import { ascending } from "../base/order.ts";
import type { Times } from "./types.ts";

/**
 * Durations in bounded memory. Few are kept as they are; many are counted in steps that grow by one part in a hundred, so
 * that a quantile is off by at most half of that.
 */
export interface Stopwatch extends Times {
  add(ms: number): void;
}

const EXACT = 4_096;
const STEP = Math.log(1.01);
/** In milliseconds; what is shorter is as good as nothing. */
const SHORTEST = 0.001;
const ERROR = 0.005;

export function createStopwatch(): Stopwatch {
  let exact: number[] | undefined = [];
  let isSorted = true;
  const steps = new Map<number, number>();
  let count = 0;
  let sum = 0;
  const step = (ms: number): void => {
    const at = ms < SHORTEST ? -1 : Math.floor(Math.log(ms / SHORTEST) / STEP);
    steps.set(at, (steps.get(at) ?? 0) + 1);
  };
  const rank = (share: number): number => Math.max(1, Math.ceil(share * count));
  return {
    add(ms) {
      count++;
      sum += ms;
      if (exact === undefined) return step(ms);
      exact.push(ms);
      isSorted = false;
      if (exact.length <= EXACT) return;
      for (const one of exact) step(one);
      exact = undefined;
    },
    get average() {
      return count === 0 ? undefined : sum / count;
    },
    get error() {
      return exact === undefined ? ERROR : 0;
    },
    quantile(share) {
      if (count === 0) return undefined;
      if (exact === undefined) return quantileOf(steps, rank(share));
      if (!isSorted) exact.sort(ascending);
      isSorted = true;
      return exact[rank(share) - 1];
    },
  };
}

/** The middle of the step in which the call of that rank lies. */
function quantileOf(steps: ReadonlyMap<number, number>, rank: number): number {
  let passed = 0;
  let last = 0;
  for (const at of [...steps.keys()].sort(ascending)) {
    passed += steps.get(at)!;
    last = at < 0 ? 0 : SHORTEST * Math.exp((at + 0.5) * STEP);
    if (passed >= rank) return last;
  }
  return last;
}
