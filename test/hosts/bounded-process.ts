import { spawn } from "node:child_process";

export interface Ended {
  /** null when it was ended from here, since its time was over. */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs a program in a process group of its own, so that what it started ends with it. */
export function runBounded(command: Command): Promise<Ended> {
  return new Promise((resolve) => {
    const { file, args, cwd, env } = command;
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err, late] = ["", "", false];
    child.stdout.on("data", (data) => (out += String(data)));
    child.stderr.on("data", (data) => (err += String(data)));
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, command.timeoutMs);
    child.on("error", (error) => (err += error.message));
    child.on("close", (exit) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ exit: late ? null : exit, out, err });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
