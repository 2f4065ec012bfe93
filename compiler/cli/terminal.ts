import { typedLines } from "./typed-lines.ts";

/**
 * The world as the commands see it: two streams, the environment, the folder, a clock. The only file here
 * that touches `process`; everything else is handed a Terminal, so that a test can hand over its own.
 */
export interface Terminal {
  readonly out: Stream;
  readonly err: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file that was started, as it was named. */
  readonly script?: string | undefined;
  /** Milliseconds from some fixed point. */
  now(): number;
  /** Resolves when the user asks to stop. */
  stopped(): Promise<void>;
  /** The next line that someone types; undefined when the input has ended. Left out: nobody is there to type. */
  answer?(): Promise<string | undefined>;
  /** A module of the user's runs from here on: whatever it leaves open, the command ends with its answer. */
  runsUserCode?(): void;
  /** Lets go of what was typed until now, a line that isn't ended yet too; false: it was nothing. */
  dropTyped?(): Promise<boolean>;
}

export interface Stream {
  write(text: string): void;
  /** What strangers say, to be read as it is: no command in it is spelled otherwise. Left out: `write` spells none. */
  writeAsIs?(text: string): void;
  readonly isTerminal: boolean;
  /** Columns; undefined where nobody counts them. */
  readonly width: number | undefined;
}

/** The last one: its window was closed. */
const STOPS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

interface ProcessTerminal extends Terminal {
  /** To be called once the command is done. */
  ended(): Promise<void>;
}

/** `failed` is called when something couldn't be written, maybe after the command has ended. */
export function processTerminal(failed: () => void): ProcessTerminal {
  const err = streamOf(process.stderr, failed);
  let saying: Promise<void> | undefined;
  let ranUserCode = false;
  const sayFailed = async (code: string): Promise<void> => {
    failed();
    const { refusalWords } = await import("../io/write/refusal-words.ts");
    err.write(`rolecall: can't write the output: ${refusalWords({ code })}\n`);
  };
  const out = streamOf(process.stdout, (code) => (saying = sayFailed(code)));
  return {
    runsUserCode: () => void (ranUserCode = true),
    ended: async () => {
      if (!ranUserCode) return;
      await written(process.stdout);
      await saying;
      await written(process.stderr);
      process.exit();
    },
    out,
    err,
    env: process.env,
    cwd: process.cwd(),
    script: process.argv[1],
    now: () => performance.now(),
    stopped: () => new Promise((resolve) => STOPS.forEach((signal) => process.once(signal, () => resolve()))),
    ...(process.stdin.isTTY && typedAt(process.stdin)),
  };
}

/** All that was, or can be. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}

function typedAt(stdin: NodeJS.ReadStream): Pick<Terminal, "answer" | "dropTyped"> {
  const lines = typedLines(stdin);
  return { answer: lines.next, dropTyped: lines.drop };
}

/** `rolecall plan | head` closes the pipe early: that is no error of ours. The command ends with its own exit code. */
function streamOf(stream: NodeJS.WriteStream, failed: (code: string) => unknown): Stream {
  let closed = false;
  const end = ({ code = "an error" }: NodeJS.ErrnoException) => {
    if (!closed && code !== "EPIPE") failed(code);
    closed = true;
  };
  stream.on("error", end);
  return {
    write: (text) => {
      if (closed) return;
      try {
        stream.write(text);
      } catch (problem) {
        // To a file Node writes at once, and some versions throw what others emit.
        end(problem as NodeJS.ErrnoException);
      }
    },
    isTerminal: stream.isTTY === true,
    get width() {
      return columnsOf(stream.isTTY ? stream.columns || 80 : process.env.COLUMNS);
    },
  };
}

/** For a pipe, COLUMNS is the width: shells rarely export it, so whoever does wants it. */
function columnsOf(columns: number | string | undefined): number | undefined {
  const count = Number(columns);
  return Number.isInteger(count) && count > 0 ? Math.max(20, count) : undefined;
}

type Env = Terminal["env"];

/** `--no-color` and NO_COLOR say no; FORCE_COLOR says yes; else a terminal that isn't dumb gets colour. */
export function wantsColour(stream: Stream, env: Env, noColour: boolean): boolean {
  if (noColour || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return stream.isTerminal && env.TERM !== "dumb";
}

/** Whether marks beyond ASCII can be shown. A locale that isn't said (Windows, containers) is taken as able. */
export function onlyAscii(env: Env): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (env.TERM === "dumb" || env.TERM === "linux") return true;
  return locale !== undefined && locale !== "" && !/utf-?8/i.test(locale);
}
