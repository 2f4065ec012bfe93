import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import type { Writable } from "node:stream";
import { createAskedOfUs, type AskedOfUs } from "./asked-of-us.ts";
import { costOfLine, createMeter, TooMuch } from "./bounds.ts";
import { BrokenPipe, NotRead } from "./failure.ts";
import { inTime } from "./in-time.ts";
import type { Message, Transport } from "./library.ts";
import { createNoise } from "./noise.ts";
import { killGroup, watchChild } from "./orphans.ts";
import { BRACE } from "./tally.ts";

/**
 * A server as a child process. Ours and not the library's: each child leads its own process group, so that what it
 * started (`npx` starts another) ends with it; what it writes to standard error is drained and kept; results have no
 * 10 MB limit; messages reach us as sent.
 */
export interface StdioChild extends Transport {
  /** The end of standard error. */
  said(): string;
  /** How the process ended; empty while it lives. */
  ending(): string;
  /** Resolves once it has ended and all that it said is here. */
  readonly over: Promise<void>;
  /** Why it was ended: it sent more than may be. */
  exceeded(): TooMuch | undefined;
}

export interface ChildStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
}

const WINDOWS = process.platform === "win32";
const KEPT_STDERR = 64 * 1024;
/** For a child that doesn't read: what is more isn't sent. */
const MOST_UNREAD = 1024 * 1024;
const GRACE_MS = 1_000;

/** `heard` is told each line that may be a message before anything reads it. */
export function stdioChild(start: ChildStart, heard: (line: string) => void = () => {}): StdioChild {
  let child: ChildProcess | undefined;
  let stderr = "";
  let ended = "";
  let tooMuch: TooMuch | undefined;
  const asked = createAskedOfUs();
  const noise = createNoise();
  // Requests of ours without an answer: one that was given up may still be answered.
  let unanswered = 0;
  const read = (line: string): boolean => {
    heard(line);
    if (!deliver(transport, line, asked) || unanswered === 0) return false;
    unanswered--;
    return true;
  };
  const writing = createWriting(() => child?.stdin ?? undefined);
  let isOver: () => void = () => {};
  const over = new Promise<void>((resolve) => (isOver = resolve));
  const transport: StdioChild = {
    said: () => stderr,
    ending: () => ended,
    over,
    exceeded: () => tooMuch,
    start: async () => {
      const started = launch(start);
      child = started;
      started.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr = endOf(stderr + text)));
      const take = readLines((line) => {
        if (!(beginsObject(line) && read(line.toString()))) noise.heard(costOfLine(line));
      });
      started.stdout?.on("data", (chunk: Buffer) => {
        if (tooMuch !== undefined) return;
        tooMuch = problemIn(take, chunk);
        if (tooMuch !== undefined) killGroup(started, "SIGKILL");
        else if (chunk.length >= MUCH) takeTurns(started.stdout);
      });
      // Without an output it can't answer any more, whatever else it still does.
      started.stdout?.once("end", () => void endGently(started, over));
      started.stdin?.on("error", (error) => transport.onerror?.(error));
      onceClosed(started, (how) => {
        ended = how;
        isOver();
        transport.onclose?.();
      });
      await spawned(started);
    },
    send(message) {
      if (message.method !== undefined && message.id !== undefined) unanswered++;
      return asked.sending(message, writing.send(message));
    },
    close: async () => {
      writing.flush();
      if (child?.pid !== undefined) await endGently(child, over);
    },
  };
  return transport;
}

/** In whole lines: half of one could be half a secret. */
function endOf(text: string): string {
  if (text.length <= KEPT_STDERR) return text;
  const from = text.indexOf("\n", text.length - KEPT_STDERR);
  return from === -1 ? text.slice(-KEPT_STDERR) : text.slice(from + 1);
}

function launch(start: ChildStart): ChildProcess {
  const run = WINDOWS ? librarySpawn() : spawn;
  const child = run(start.command, [...start.args], {
    cwd: start.cwd,
    env: start.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: !WINDOWS,
    windowsHide: true,
  });
  if (child.pid !== undefined) watchChild(child);
  return child;
}

/** Windows can't start `npx.cmd` without a shell; the library brings what can. */
function librarySpawn(): typeof spawn {
  try {
    const resolve = createRequire(import.meta.url);
    return createRequire(resolve.resolve("@modelcontextprotocol/client/stdio"))("cross-spawn");
  } catch {
    return spawn;
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.on("error", () => {});
      resolve();
    });
  });
}

/** A grandchild may hold the pipes open for ever: what the leader left behind is ended a moment after it. */
function onceClosed(child: ChildProcess, tell: (how: string) => void): void {
  child.once("exit", () => {
    let late = setTimeout(() => {
      killGroup(child, "SIGKILL");
      // A busy process comes by late: what already lies in the pipes is read first.
      late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, 50);
    }, 200);
    child.once("close", () => clearTimeout(late));
  });
  child.once("close", (code, signal) => {
    // One that never started has no end: why not is told by who started it.
    if (child.pid === undefined) return tell("");
    killGroup(child, "SIGKILL");
    tell(signal === null ? `it ended with exit code ${code ?? "unknown"}` : `it was ended by ${signal}`);
  });
}

/** To try whether a line is JSON, and find that it isn't, takes longer than to read a message. */
function beginsObject(line: Buffer): boolean {
  let i = 0;
  while (i < line.length && line[i]! <= LAST_BLANK) i++;
  return line[i] === BRACE;
}

const LAST_BLANK = 32;

/** Whether it was an answer. What isn't a message is noise that some servers print, and is left out. */
function deliver(transport: Transport, line: string, asked: AskedOfUs): boolean {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return false;
  }
  if (typeof message !== "object" || message === null || !("jsonrpc" in message)) return false;
  if (!("method" in message || "id" in message)) return false;
  if ("method" in message && !asked.hears(message as Message)) return false;
  try {
    transport.onmessage?.(message as Message);
  } catch (error) {
    transport.onerror?.(error as Error);
  }
  return !("method" in message);
}

/** As much as is read at once. */
const MUCH = 64 * 1024;

/** Others come by between two pieces of a server that sends without end. */
function takeTurns(stream: ChildProcess["stdout"]): void {
  stream?.pause();
  setImmediate(() => stream?.resume());
}

function problemIn(take: (chunk: Buffer) => void, chunk: Buffer): TooMuch | undefined {
  try {
    take(chunk);
    return undefined;
  } catch (problem) {
    if (problem instanceof TooMuch) return problem;
    throw problem;
  }
}

/** One that lies within a piece needs no meter: it is small. Throws TooMuch. */
function readLines(take: (line: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  const meter = createMeter();
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, to);
      if (parts.length === 0) take(last);
      else {
        meter.take(last);
        const whole = Buffer.concat([...parts, last]);
        parts = [];
        meter.reset();
        take(whole);
      }
      from = to + 1;
    }
    if (from === chunk.length) return;
    const part = chunk.subarray(from);
    meter.take(part);
    parts.push(part);
  };
}

interface Writing {
  send(message: Message): Promise<void>;
  /** Now, since the input is about to be closed. */
  flush(): void;
}

/** What is sent within one turn goes in one piece: each piece wakes its reader. */
function createWriting(input: () => Writable | undefined): Writing {
  let turn: Turn | undefined;
  const flush = (): void => {
    const { lines, settle } = turn ?? {};
    turn = undefined;
    if (lines !== undefined) input()?.write(lines.join(""), settle);
  };
  return {
    flush,
    send(message) {
      const stdin = input();
      if (stdin?.writable !== true) return Promise.reject(new BrokenPipe());
      if (stdin.writableLength + (turn?.length ?? 0) > MOST_UNREAD) return Promise.reject(new NotRead());
      if (turn === undefined) {
        turn = startTurn();
        process.nextTick(flush);
      }
      const line = `${JSON.stringify(message)}\n`;
      turn.lines.push(line);
      turn.length += line.length;
      return turn.written;
    },
  };
}

interface Turn {
  readonly lines: string[];
  length: number;
  readonly written: Promise<void>;
  readonly settle: (error?: Error | null) => void;
}

function startTurn(): Turn {
  let settle: Turn["settle"] = () => {};
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(new BrokenPipe()) : resolve());
  });
  return { lines: [], length: 0, written, settle };
}

async function endGently(child: ChildProcess, over: Promise<void>): Promise<void> {
  child.stdin?.end();
  if (await within(over, GRACE_MS)) return;
  killGroup(child, "SIGTERM");
  if (await within(over, GRACE_MS)) return;
  killGroup(child, "SIGKILL");
  await within(over, GRACE_MS);
}

function within(over: Promise<void>, ms: number): Promise<boolean> {
  return inTime(over, ms, "still running").then(
    () => true,
    () => false,
  );
}
