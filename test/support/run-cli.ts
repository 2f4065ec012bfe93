import type { Stream, Terminal } from "../../compiler/cli/terminal.ts";
import type { Run } from "./case.ts";

/** The CLI in this process, at a terminal that is a piece of paper: 80 columns, no colour, nobody to answer. */
export function runInProcess(
  main: (argv: readonly string[], terminal: Terminal) => Promise<number>,
  env: Terminal["env"] = {},
): Run {
  return async (command, folder) => {
    const printed: string[] = [];
    const paper: Stream = { write: (text) => void printed.push(text), isTerminal: false, width: 80 };
    const terminal: Terminal = {
      out: paper,
      err: paper,
      env,
      cwd: folder,
      now: () => 0,
      stopped: () => new Promise(() => {}),
    };
    const exit = await main(command, terminal);
    return { exit, printed: printed.join("") };
  };
}
