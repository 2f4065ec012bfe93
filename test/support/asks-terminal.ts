import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import type { ServedProject } from "./served-project.ts";

/** `rolecall asks` at a terminal, and somebody at its keys. */
export interface AsksTerminal {
  printed(): string;
  /** A line: at once, or for a question that was read before it is answered. */
  type(line: string): void;
  answer(line: string): Promise<void>;
  /** Its exit code. */
  readonly ended: Promise<number>;
  /** Ctrl+C. */
  end(): Promise<number>;
}

/** Longer than what counts as typed before the question was there. */
const READS_MS = 300;

export function openAsks(
  { env, dir }: Pick<ServedProject, "env" | "dir">,
  { words = [], width = 80 }: { readonly words?: readonly string[]; readonly width?: number } = {},
): AsksTerminal {
  let printed = "";
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const stream = { write: (text: string) => void (printed += text), isTerminal: true, width };
  const typed: string[] = [];
  let wake = (): void => {};
  const type = (line: string): void => {
    typed.push(line);
    wake();
  };
  const ended = main(
    ["asks", ...words],
    {
      out: stream,
      err: stream,
      env,
      cwd: dir,
      now: Date.now,
      stopped: () => stopped,
      async answer() {
        while (typed.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return typed.shift();
      },
      dropTyped: async () => typed.splice(0).length > 0,
    },
    engine,
  );
  return {
    printed: () => printed,
    type,
    async answer(line) {
      await new Promise((resolve) => setTimeout(resolve, READS_MS));
      type(line);
    },
    ended,
    end: () => (stop(), ended),
  };
}
