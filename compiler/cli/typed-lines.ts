/** What somebody types at a terminal, line by line. */
export interface TypedLines {
  /** The next line; undefined when the input has ended. */
  next(): Promise<string | undefined>;
  /** Lets go of what was typed until now, a line that was begun too; false: it was nothing. */
  drop(): Promise<boolean>;
}

type Keys = Pick<NodeJS.ReadStream, "setEncoding" | "on" | "resume" | "pause" | "setRawMode">;

/** Reads nothing before it is asked for, and nothing once it has it: Ctrl+C stays what it is, and whoever comes next reads on. */
export function typedLines(input: Keys): TypedLines {
  const lines: string[] = [];
  let begun = "";
  let hasEnded = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  let isRead = false;

  function read(): void {
    if (!isRead) {
      isRead = true;
      input.setEncoding("utf8");
      input.on("data", (text: string) => {
        lines.push(...(begun + text).split(/\r?\n/));
        begun = lines.pop()!;
        give();
      });
      for (const event of ["end", "close", "error"]) {
        input.on(event, () => {
          hasEnded = true;
          give();
        });
      }
    }
    input.resume();
  }

  function give(): void {
    if (waiting === undefined || (lines.length === 0 && !hasEnded)) return;
    input.pause();
    waiting(lines.shift());
    waiting = undefined;
  }

  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
        read();
        give();
      }),
    async drop() {
      // A terminal keeps a line until it is ended, and hands over what there is of it when it goes from lines to keys.
      input.setRawMode(true);
      input.setRawMode(false);
      read();
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      const wasThere = lines.length > 0 || begun !== "";
      lines.length = 0;
      begun = "";
      if (waiting === undefined) input.pause();
      return wasThere;
    },
  };
}
