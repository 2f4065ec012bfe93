import type { ChildProcess } from "node:child_process";
import { beforeLeaving } from "../leaving.ts";
import { createGuardian } from "./guardian.ts";

/** No child outlives us: not when we end without `close()`, and not when we are killed. */
const guardian = createGuardian();

export function watchChild(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  guardian.watch(pid);
  const forget = beforeLeaving((isOver) => {
    if (!isOver) return;
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
