import { createProgress } from "./progress.ts";
import type { Context } from "./command.ts";

/** More at once would only make each of them slower. */
const AT_ONCE = 8;
const TICK_MS = 250;

/** Works on all of them, several at once, and says which are under way. What it gives is in the order given. */
export async function inParallel<Item, Result>(
  context: Pick<Context, "terminal" | "quiet">,
  doing: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const progress = createProgress(context);
  const open = new Map<number, string>();
  const results: Result[] = [];
  const tell = () => progress.tell(`${doing} ${[...new Set(open.values())].join(", ")}`);
  const ticking = context.terminal.err.isTerminal ? setInterval(tell, TICK_MS) : undefined;
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      open.set(i, nameOf(items[i]!));
      results[i] = await work(items[i]!);
      open.delete(i);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    clearInterval(ticking);
    progress.done();
  }
  return results;
}
