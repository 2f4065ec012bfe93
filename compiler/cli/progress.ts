import { cutToWidth } from "../base/display-width.ts";
import { visible } from "../base/visible.ts";
import type { Context } from "./command.ts";

/** One line that says what is going on, when that takes long enough to wonder, and only where someone looks. */
export interface Progress {
  tell(doing: string): void;
  /** Takes the line away again. */
  done(): void;
}

const PATIENCE = 300;
const PAUSE = 100;
const CLEAR_LINE = "\r\u001b[2K";

export function createProgress({ terminal, quiet }: Pick<Context, "terminal" | "quiet">): Progress {
  if (quiet || !terminal.err.isTerminal || terminal.env.TERM === "dumb") return { tell: () => {}, done: () => {} };
  let next = terminal.now() + PATIENCE;
  let shown = false;
  return {
    tell: (doing) => {
      if (terminal.now() < next) return;
      const room = (terminal.err.width ?? 80) - 1;
      terminal.err.write(CLEAR_LINE + cutToWidth(visible(doing), room, "..."));
      shown = true;
      next = terminal.now() + PAUSE;
    },
    done: () => {
      if (shown) terminal.err.write(CLEAR_LINE);
      shown = false;
    },
  };
}
