import type { ChildProcess } from "node:child_process";
import { createGuardian } from "./guardian.ts";

/**
 * The one state of this process that the runtime keeps: what is still to do should it end now. A process that exits,
 * crashes or is interrupted runs no `close()`, and nothing but a list of its own can end the children and write what
 * isn't written. Copies of the runtime in one process share it: two that listen for a signal would each take the other
 * for the app.
 */
interface Registry {
  readonly lastThings: Set<() => void>;
  listen(): void;
  stopListening(): void;
}

const KEY = Symbol.for("rolecall.last-things");
const shared = globalThis as { [KEY]?: Registry };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Done when the process ends without having come to it, and it must not wait for anything. Gives how to take it back. */
export function beforeTheEnd(run: () => void): () => void {
  const registry = (shared[KEY] ??= createRegistry());
  registry.lastThings.add(run);
  registry.listen();
  return () => {
    registry.lastThings.delete(run);
    if (registry.lastThings.size === 0) registry.stopListening();
  };
}

const guardian = createGuardian();

export function watchChild(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  guardian.watch(pid);
  const forget = beforeTheEnd(() => {
    killGroup(child, "SIGKILL");
    guardian.dismiss();
  });
  child.once("close", () => {
    forget();
    guardian.forget(pid);
  });
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
