/** Two hosts at a time: they are large, and a machine of two cores is what many have. */
const MOST = 2;
const waiting: (() => void)[] = [];
let running = 0;

export async function atOnce<Value>(run: () => Promise<Value>): Promise<Value> {
  if (running >= MOST) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await run();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
