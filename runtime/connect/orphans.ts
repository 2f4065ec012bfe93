import type { ChildProcess } from "node:child_process";
import { beforeLeaving } from "../leaving.ts";

/** A process that ends without `close()` takes its children with it. */
export function watchChild(child: ChildProcess): void {
  const forget = beforeLeaving((isOver) => {
    if (isOver) killGroup(child, "SIGKILL");
  });
  child.once("close", forget);
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
