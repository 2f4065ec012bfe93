import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Who is killed (by force, for want of memory) can't end what he started. The guardian can: a shell that waits for its
 * input to end, which it does however this process ends, and then ends the process groups that are still on its list.
 * It is there while a child lives, and no longer. Where there is no shell there is none.
 */
export interface Guardian {
  watch(pid: number): void;
  forget(pid: number): void;
  /** At once: this process ends its children itself. */
  dismiss(): void;
}

/** Who ends when its input ends has a second to do so. */
const SCRIPT = `
while read -r sign pid; do
  if [ "$sign" = + ]; then living="$living $pid"; continue; fi
  rest=
  for one in $living; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  living=$rest
done
[ -z "$living" ] || sleep 1
for pid in $living; do kill -9 -"$pid"; done`;

export function createGuardian(): Guardian {
  const living = new Set<number>();
  let shell: ChildProcess | undefined;
  const tell = (line: string): void => void (shell?.stdin?.writable === true && shell.stdin.write(line));
  return {
    watch(pid) {
      if (process.platform === "win32") return;
      shell ??= startShell();
      living.add(pid);
      tell(`+ ${pid}\n`);
    },
    forget(pid) {
      if (!living.delete(pid)) return;
      tell(`- ${pid}\n`);
      if (living.size > 0) return;
      shell?.stdin?.end();
      shell = undefined;
    },
    dismiss: () => void shell?.kill("SIGKILL"),
  };
}

/** In a session of its own, so that what interrupts us at a terminal doesn't interrupt it. It keeps nothing alive. */
function startShell(): ChildProcess {
  const { PATH = "" } = process.env;
  const shell: ChildProcess = spawn("sh", ["-c", SCRIPT], {
    cwd: "/",
    env: { PATH },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.on("error", () => {});
  shell.stdin?.on("error", () => {});
  shell.unref();
  (shell.stdin as Socket | null)?.unref();
  return shell;
}
