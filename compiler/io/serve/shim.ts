import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Refused } from "../../serve/hello.ts";
import { isObject, own } from "../../base/json.ts";
import { readObject } from "../../serve/inbox-lines.ts";
import { partsOf } from "../../serve/line-parts.ts";
import { drained, linePasser, writeLine, type Duplex } from "./lines.ts";

/** What stands between a host and the daemon: it passes lines on, and starts a daemon where there is none. */
export interface ShimWorld {
  readonly host: Duplex;
  /** A connection on which the hello was said and welcomed. */
  open(): Promise<Socket | Refused>;
  /** Of the process that started this one; another number when that is gone. */
  parent(): number;
}

const NOT_SERVED = -32000;
const PARENT_EVERY_MS = 500;
/** A host that has started us asks at once. */
const LONGEST_SILENCE_MS = 1_000;
/** Who sends requests by a pipe has ended it before the first answer. A host that wants us gone ends us sooner. */
const LAST_ANSWERS_MS = 5_000;

/** Resolves when the host is gone; a refusal where there is nobody to serve it. */
export function runShim(world: ShimWorld): Promise<Refused | undefined> {
  const talk = createTalk();
  const { input, output } = world.host;
  let daemon: Socket | undefined;
  let opening: Promise<void> | undefined;
  const queued: Buffer[] = [];
  return new Promise((resolve) => {
    const end = (refused?: Refused): void => {
      clearInterval(watching);
      for (const answer of talk.givenUp()) writeLine(output, answer);
      daemon?.destroy();
      input.destroy();
      resolve(refused);
    };
    const attach = (socket: Socket): void => {
      daemon = socket;
      for (const line of talk.handshake()) writeLine(socket, line);
      const hear = (lines: Buffer): void => pass(lines, socket, output);
      socket.on(
        "data",
        linePasser(talk.answered, hear, () => socket.destroy()),
      );
      socket.once("close", () => {
        daemon = undefined;
        for (const answer of talk.lost()) writeLine(output, answer);
      });
      for (const lines of queued.splice(0)) pass(lines, input, socket);
      socket.resume();
    };
    const open = async (): Promise<void> => {
      const opened = await world.open();
      if (!("exit" in opened)) return attach(opened);
      await asked;
      for (const answer of talk.refused(opened)) writeLine(output, answer);
      end(opened);
    };
    /** Of a refusal some hosts show what they are answered alone, and not what stands on standard error. */
    const asked = new Promise<void>((hear) => {
      for (const event of ["data", "end", "close", "error"]) input.once(event, () => hear());
      setTimeout(hear, LONGEST_SILENCE_MS).unref();
    });
    const ask = (lines: Buffer): void => {
      if (daemon !== undefined) return pass(lines, input, daemon);
      queued.push(lines);
      opening ??= open().finally(() => (opening = undefined));
    };
    const begun = world.parent();
    const watching = setInterval(() => world.parent() !== begun && end(), PARENT_EVERY_MS);
    input.on(
      "data",
      linePasser(talk.asked, ask, () => end()),
    );
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

/** Who sends waits until there is room. */
function pass(lines: Buffer, from: Readable, to: Writable): void {
  if (to.write(lines)) return;
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
    refused: ({ says, next }) => failed(`${says}\n${next}`.trim().replace(/\s*\n\s*/g, ": ")),
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
