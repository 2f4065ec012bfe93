import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Refused } from "../../serve/hello.ts";
import { isObject, own } from "../../base/json.ts";
import { readObject } from "../../serve/inbox-lines.ts";
import { partsOf } from "../../serve/line-parts.ts";
import { drained, linePasser, LONGEST_LINE, writeLine, written, type Duplex } from "./lines.ts";

/** What stands between a host and the daemon: it passes lines on, and starts a daemon where there is none. */
export interface ShimWorld {
  readonly host: Duplex;
  /** A connection on which the hello was said and welcomed. */
  open(): Promise<Socket | Refused>;
  /** Of the process that started this one; another number when that is gone. */
  parent(): number;
}

const NOT_SERVED = -32000;
const INVALID_REQUEST = -32600;
const PARENT_EVERY_MS = 500;
/** A host that has started us asks at once. */
const LONGEST_SILENCE_MS = 1_000;
/** Who sends requests by a pipe has ended it before the first answer. A host that wants us gone ends us sooner. */
const LAST_ANSWERS_MS = 5_000;
/** As much as a client may have under way. */
const MOST_QUEUED = 64 * 1024 * 1024;

/** Resolves when the host is gone and has read what it was told, or doesn't read; why, where that is no good end. */
export function runShim(world: ShimWorld): Promise<Refused | undefined> {
  const talk = createTalk();
  const { input, output } = world.host;
  let daemon: Socket | undefined;
  let opening: Promise<void> | undefined;
  let isOver = false;
  const queue = createQueue(input);
  return new Promise((resolve) => {
    const tell = (answers: readonly string[]): void => answers.forEach((answer) => writeLine(output, answer));
    const end = (why?: Refused, last = talk.givenUp()): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(watching);
      tell(last);
      daemon?.destroy();
      input.destroy();
      void written(output, LAST_ANSWERS_MS).then((isRead) => resolve(why ?? (isRead ? undefined : UNREAD)));
    };
    const attach = (socket: Socket): void => {
      if (isOver) return void socket.destroy();
      daemon = socket;
      for (const line of talk.handshake()) writeLine(socket, line);
      const hear = (lines: Buffer): void => pass([lines], socket, output);
      socket.on(
        "data",
        linePasser(talk.answered, hear, () => socket.destroy()),
      );
      socket.once("close", () => {
        daemon = undefined;
        tell(talk.lost());
      });
      queue.goOn(socket);
      socket.resume();
    };
    const open = async (): Promise<void> => {
      const opened = await world.open();
      if (!("exit" in opened)) return attach(opened);
      await asked;
      end(opened, talk.refused(opened));
    };
    /** Of a refusal some hosts show what they are answered alone, and not what stands on standard error. */
    const asked = hasAsked(input);
    const ask = (lines: Buffer): void => {
      if (daemon !== undefined) return pass([lines], input, daemon);
      queue.add(lines);
      opening ??= open().finally(() => (opening = undefined));
    };
    const begun = world.parent();
    const watching = setInterval(() => world.parent() !== begun && end(), PARENT_EVERY_MS);
    const tooLong = (): void => end(TOO_LONG, talk.tooLong());
    input.on("data", linePasser(talk.asked, ask, tooLong));
    // Why nobody serves it is said also to whoever has ended its input by then.
    const left = (): void => void (opening ?? Promise.resolve()).finally(() => end());
    /** The daemon is told by its end of the line that nobody is there any more: what is asked of a person is given up. */
    const lastAnswers = async (): Promise<void> => {
      if (!talk.isAllAnswered()) daemon?.end();
      await talk.answeredAll(LAST_ANSWERS_MS);
    };
    let isRead = false;
    input.once("end", () => {
      isRead = true;
      void (opening ?? Promise.resolve()).then(lastAnswers).finally(() => end());
    });
    for (const event of ["close", "error"]) input.once(event, () => isRead || left());
    output.on("error", () => end());
    opening = open().finally(() => (opening = undefined));
  });
}

function hasAsked(input: Readable): Promise<void> {
  return new Promise((hear) => {
    for (const event of ["data", "end", "close", "error"]) input.once(event, () => hear());
    setTimeout(hear, LONGEST_SILENCE_MS).unref();
  });
}

/** What is asked while a daemon starts: of more than may wait nothing is read. */
function createQueue(input: Readable): { add(lines: Buffer): void; goOn(daemon: Writable): void } {
  let queued: Buffer[] = [];
  let size = 0;
  return {
    add(lines) {
      queued.push(lines);
      size += lines.length;
      if (size >= MOST_QUEUED) input.pause();
    },
    goOn(daemon) {
      const all = queued;
      [queued, size] = [[], 0];
      input.resume();
      pass(all, input, daemon);
    },
  };
}

/** Who sends waits until there is room. */
function pass(pieces: readonly Buffer[], from: Readable, to: Writable): void {
  let hasRoom = true;
  for (const piece of pieces) hasRoom = to.write(piece);
  if (hasRoom) return;
  from.pause();
  void drained(to).then(() => from.resume());
}

/** What is kept of the talk: which requests wait for an answer, and how the older protocol began. */
interface Talk {
  /** A line of the host's: whether it is for the daemon. */
  asked(line: Buffer): boolean;
  /** A line of the daemon's: whether it is for the host. */
  answered(line: Buffer): boolean;
  /** To be said to a daemon that wasn't there: it is a new one. */
  handshake(): readonly string[];
  /** The daemon is gone: what the host is told of each request that waits. Nothing is asked a second time. */
  lost(): readonly string[];
  /** The host has gone: what is still told of each request that waits. */
  givenUp(): readonly string[];
  /** A line of the host's is too long: what it is told of that, and of each request that waits. */
  tooLong(): readonly string[];
  isAllAnswered(): boolean;
  /** Resolves when no request waits, or after so long. */
  answeredAll(withinMs: number): Promise<void>;
  /** There is nobody to serve it: what the host is told of each request that waits. */
  refused(why: Refused): readonly string[];
}

function createTalk(): Talk {
  /** Ids as JSON text. */
  const waiting = new Set<string>();
  /** Of these subscriptions, whose answer comes when they end. */
  const endless = new Set<string>();
  const isAllAnswered = (): boolean => [...waiting].every((id) => endless.has(id));
  let initialize: { readonly line: string; readonly id: string | undefined } | undefined;
  let initialized: string | undefined;
  let swallowed: string | undefined;
  let isNew = true;
  let noneWaits = (): void => {};
  const failed = (message: string): readonly string[] => {
    const ids = [...waiting];
    waiting.clear();
    endless.clear();
    swallowed = undefined;
    const error = JSON.stringify({ code: NOT_SERVED, message });
    return ids.map((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`);
  };
  return {
    asked(line) {
      const { id, method } = partsOf(line);
      if (method === "initialize") initialize = { line: line.toString("utf8"), id };
      if (method === "notifications/initialized") initialized = line.toString("utf8");
      if (method === "notifications/cancelled") forget(waiting, line);
      if (id === undefined || method === undefined) return true;
      waiting.add(id);
      if (method === "subscriptions/listen") endless.add(id);
      return true;
    },
    answered(line) {
      const { id, method } = partsOf(line);
      if (id === undefined || method !== undefined) return true;
      if (id === swallowed) {
        swallowed = undefined;
        return false;
      }
      waiting.delete(id);
      if (isAllAnswered()) noneWaits();
      return true;
    },
    handshake() {
      const isFirst = isNew;
      isNew = false;
      if (isFirst || initialize === undefined) return [];
      swallowed = initialize.id;
      return initialized === undefined ? [initialize.line] : [initialize.line, initialized];
    },
    lost() {
      noneWaits();
      return failed(LOST);
    },
    givenUp: () => failed(GIVEN_UP),
    tooLong() {
      const error = { code: INVALID_REQUEST, message: `${TOO_LONG.says}: ${TOO_LONG.next}` };
      return [JSON.stringify({ jsonrpc: "2.0", id: null, error }), ...failed(CUT_OFF)];
    },
    isAllAnswered,
    answeredAll: (withinMs) =>
      new Promise((resolve) => {
        if (isAllAnswered()) return resolve();
        const timer = setTimeout(resolve, withinMs);
        noneWaits = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    refused: ({ says, next }) => failed(`${says}\n${next}`.trim().replace(/(?<!\s)\s*\n\s*/g, ": ")),
  };
}

/** Nothing is answered to what was cancelled. */
function forget(waiting: Set<string>, line: Buffer): void {
  const params = own(readObject(line.toString("utf8")) ?? {}, "params");
  const id = isObject(params) ? own(params, "requestId") : undefined;
  if (id !== undefined) waiting.delete(JSON.stringify(id));
}

const GIVEN_UP =
  "the input of rolecall serve has ended while this was under way, and it was given up: whether it was done isn't known. Keep the input open until the answer is there.";
const LOST =
  "rolecall's daemon has ended while this was under way: whether it was done isn't known. The next request starts it anew.";
const MOST_A_LINE = `a line of more than ${LONGEST_LINE >> 20} MB`;
const TOO_LONG: Refused = {
  exit: 1,
  says: `${MOST_A_LINE} isn't taken, and ends the connection`,
  next: "send less in one message",
};
const CUT_OFF = `${MOST_A_LINE} has ended the connection while this was under way: whether it was done isn't known.`;
const UNREAD: Refused = { exit: 1, says: "nobody reads what is answered, so the rest of it isn't said", next: "" };
