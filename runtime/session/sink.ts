import { inTime } from "../connect/in-time.ts";

/** A function of the app that takes what we tell it. What it throws or rejects with stays here, and is reported. */
export interface Sink<Item> {
  give(item: Item): void;
  /** Resolves once everything that was given has been taken, or has failed. */
  settled(): Promise<void>;
}

/** One that hangs must not keep `close()` from its end. */
const MOST_MS = 5_000;

/** `failed` is told once, and again after it has worked in between: a sink that is broken fails at every item. */
export function createSink<Item>(take: (item: Item) => unknown, failed: (error: unknown) => void): Sink<Item> {
  const underWay = new Set<Promise<void>>();
  let isBroken = false;
  const fail = (error: unknown): void => {
    if (isBroken) return;
    isBroken = true;
    failed(error);
  };
  const work = (): void => void (isBroken = false);
  return {
    give(item) {
      try {
        const taking = take(item);
        if (!isThenable(taking)) return work();
        const over: Promise<void> = Promise.resolve(taking)
          .then(work, fail)
          .finally(() => underWay.delete(over));
        underWay.add(over);
      } catch (error) {
        fail(error);
      }
    },
    async settled() {
      const late = `it hasn't finished ${MOST_MS / 1000} s after the end`;
      await inTime(emptied(underWay), MOST_MS, late).catch(fail);
    },
  };
}

/** What fails is told, perhaps to the same sink. */
async function emptied(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

function isThenable(value: unknown): value is PromiseLike<void> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
