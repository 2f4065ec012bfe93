/**
 * The one state of this process that the runtime keeps: what is still to do should it end now. A process that exits,
 * crashes or is interrupted runs no `close()`, and nothing but a list of its own can end the children and write what
 * isn't written. Copies of the runtime in one process share it: two that listen for a signal would each take the other
 * for the app.
 */
interface Ending {
  readonly lastThings: Set<() => void>;
  listen(): void;
  stopListening(): void;
}

const KEY = Symbol.for("rolecall.last-things");
const shared = globalThis as { [KEY]?: Ending };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Done when the process ends without having come to it, and it must not wait for anything. Gives how to take it back. */
export function beforeTheEnd(run: () => void): () => void {
  const ending = (shared[KEY] ??= createEnding());
  ending.lastThings.add(run);
  ending.listen();
  return () => {
    ending.lastThings.delete(run);
    if (ending.lastThings.size === 0) ending.stopListening();
  };
}

function createEnding(): Ending {
  const lastThings = new Set<() => void>();
  const endAll = (): void => {
    for (const run of lastThings) run();
  };
  // Ours comes first and takes itself off, so that who counts the listeners of a signal doesn't count us. With other
  // listeners the app decides what the signal means; with none it does what it would have done without us.
  const onSignal = (signal: NodeJS.Signals): void => {
    process.off(signal, onSignal);
    if (process.listenerCount(signal) > 0) return void setImmediate(listenAgain, signal);
    endAll();
    process.kill(process.pid, signal);
  };
  const listenAgain = (signal: NodeJS.Signals): void => {
    if (lastThings.size > 0 && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  };
  return {
    lastThings,
    listen: () => {
      if (!process.listeners("exit").includes(endAll)) process.on("exit", endAll);
      for (const signal of SIGNALS) listenAgain(signal);
    },
    stopListening: () => {
      process.off("exit", endAll);
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
