/**
 * What the runtime does on the way out of a process. One that exits, crashes or is interrupted runs no `close()`, and
 * nothing but a list of what is left to do lets it write its records and end its children. Copies of the runtime in one
 * process share the list: two that listen for a signal would each take the other for the app.
 */
interface Leaving {
  add(work: LastWork): () => void;
}

/** `isOver`: the process ends now. Otherwise a signal came, and the app's own listeners decide what it means. */
export type LastWork = (isOver: boolean) => void;

const KEY = Symbol.for("rolecall.leaving");
const shared = globalThis as { [KEY]?: Leaving };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The work must be quick, synchronous, and fit to be done more than once. Returns what takes it off the list. */
export function beforeLeaving(work: LastWork): () => void {
  return (shared[KEY] ??= createLeaving()).add(work);
}

function createLeaving(): Leaving {
  const works = new Set<LastWork>();
  const doAll = (isOver: boolean): void => {
    for (const work of works) doWork(work, isOver);
  };
  const onExit = (): void => doAll(true);
  // Ours comes first and takes itself off, so that who counts the listeners of a signal doesn't count us. With other
  // listeners the app decides what the signal means; with none it does what it would have done without us.
  const onSignal = (signal: NodeJS.Signals): void => {
    const isOver = process.listeners(signal).every((listener) => listener === onSignal);
    // Before we are off: a second signal would end the process in the middle of it.
    doAll(isOver);
    process.off(signal, onSignal);
    if (isOver) process.kill(process.pid, signal);
    else setImmediate(listenAgain, signal);
  };
  const listenAgain = (signal: NodeJS.Signals): void => {
    if (works.size > 0 && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  };
  const remove = (work: LastWork): void => {
    if (!works.delete(work) || works.size > 0) return;
    process.off("exit", onExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return {
    add: (work) => {
      if (works.size === 0) process.on("exit", onExit);
      works.add(work);
      for (const signal of SIGNALS) listenAgain(signal);
      return () => remove(work);
    },
  };
}

/** One that fails keeps no other from its turn. */
function doWork(work: LastWork, isOver: boolean): void {
  try {
    work(isOver);
  } catch {
    // Nobody is left to tell.
  }
}
