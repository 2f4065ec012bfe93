import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";

/** A program as the system is handed it: no shell reads any of it. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** `code`: what the system called it. */
export interface NotRun {
  readonly code: string;
}

/** It may throw: some refusals of the system are thrown. */
export function started({ file, args, cwd, env }: Program, how: SpawnOptions): ChildProcess {
  const options = { ...how, cwd, env };
  return isBatch(file)
    ? spawn(env["ComSpec"] ?? "cmd.exe", batchArguments(file, args), { ...options, windowsVerbatimArguments: true })
    : spawn(file, [...args], options);
}

/** Runs it on the same terminal and waits. Gives its exit code; for a signal, the code that shells give (128 and its number). */
export function runProgram(program: Program): Promise<number | NotRun> {
  return new Promise((resolve) => {
    try {
      const child = started(program, { stdio: "inherit" });
      const stop = passSignalsOn(child);
      child.once("error", ({ code = "an error" }: NodeJS.ErrnoException) => {
        stop();
        resolve({ code });
      });
      child.once("exit", (code, signal) => {
        stop();
        resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]);
      });
    } catch (problem) {
      // Some refusals are thrown: a text that is too long, or one with a null character.
      resolve({ code: (problem as NodeJS.ErrnoException).code ?? "an error" });
    }
  });
}

const PASSED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** A terminal sends these to the child as well: passed on, they would count twice, and twice means "leave" to some hosts. */
const FROM_KEYBOARD: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/** While the child lives no signal ends this process: how the child ends is the answer. */
function passSignalsOn(child: ChildProcess): () => void {
  const listeners = PASSED.map((signal) => {
    const isTyped = FROM_KEYBOARD.includes(signal) && process.stdin.isTTY;
    return [signal, isTyped ? () => undefined : () => void child.kill(signal)] as const;
  });
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** Of Windows, which starts these through its command line alone. */
function isBatch(file: string): boolean {
  return /\.(?:cmd|bat)$/i.test(file);
}

/**
 * Each word as a C program reads it (backslashes count before a quote), then with what means something to the command line
 * escaped: once for it, and once more for the batch file, which hands the words on.
 */
export function batchArguments(file: string, args: readonly string[]): string[] {
  if (args.some((arg) => /[\r\n]/.test(arg))) throw Object.assign(new Error("a line break"), { code: "EINVAL" });
  const escaped = (text: string): string => text.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
  const words = args.map((arg) =>
    escaped(escaped(`"${arg.replace(/(?<!\\)(\\*)("|$)/g, "$1$1$2").replaceAll('"', '\\"')}"`)),
  );
  return ["/d", "/s", "/c", `"${[escaped(`"${file}"`), ...words].join(" ")}"`];
}
