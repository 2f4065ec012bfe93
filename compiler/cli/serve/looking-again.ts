/** What became of a look at what was built: `failed` is that nobody could look, whatever lies there. */
export type Looked = "judged" | "not built" | "failed";

/** When what wasn't judged is looked at again, though nothing has changed. */
export interface LookingAgain {
  /** There is something new to look at. */
  anew(): void;
  begun(): void;
  ended(looked: Looked): void;
  isDue(): boolean;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Clients wait for a look that takes its time: it is no more than a tenth of it. */
const LOOKS_IN_PAUSE = 10;

/**
 * A look that failed is tried again until one succeeds: a file of rolecall's own may come back, and so may handles of files.
 * What wasn't built may be read wrongly for the same reasons, and is looked at a few times more.
 */
export function openLookingAgain(now: () => number = () => performance.now()): LookingAgain {
  let pause = FIRST_PAUSE_MS;
  let due = Infinity;
  let begun = 0;
  return {
    anew() {
      pause = FIRST_PAUSE_MS;
    },
    begun() {
      begun = now();
      due = Infinity;
    },
    ended(looked) {
      const isOver = looked === "judged" || (looked === "not built" && pause >= LONGEST_PAUSE_MS);
      due = isOver ? Infinity : now() + Math.max(pause, (now() - begun) * LOOKS_IN_PAUSE);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    },
    isDue: () => now() >= due,
  };
}
