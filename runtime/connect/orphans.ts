import type { ChildProcess } from "node:child_process";

/**
 * The one state of this process that the runtime keeps: which children live. A process that exits, crashes or is
 * interrupted runs no `close()`, and nothing but a list of its own children lets it end them on the way out. Copies of
 * the runtime in one process share it: two that listen for a signal would each take the other for the app.
 */
interface Registry {
  add(child: ChildProcess): void;
}

const KEY = Symbol.for("rolecall.living-children");
const shared = globalThis as { [KEY]?: Registry };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function watchChild(child: ChildProcess): void {
  const registry = (shared[KEY] ??= createRegistry());
  registry.add(child);
}

/** The child and what it started. Where there are no process groups, the child alone. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32" || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
  }
}

function createRegistry(): Registry {
  const living = new Set<ChildProcess>();
  const endAll = (): void => {
    for (const child of living) killGroup(child, "SIGKILL");
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
    if (living.size > 0 && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  };
  const forget = (child: ChildProcess): void => {
    living.delete(child);
    if (living.size > 0) return;
    process.off("exit", endAll);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return {
    add: (child) => {
      if (living.size === 0) process.on("exit", endAll);
      living.add(child);
      for (const signal of SIGNALS) listenAgain(signal);
      child.once("close", () => forget(child));
    },
  };
}
