import type { Socket } from "node:net";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Refused } from "../../serve/hello.ts";
import { drained, lineCutter, writeLine, type Duplex } from "./lines.ts";

/** What stands between a host and the daemon: it passes lines on, and starts a daemon where there is none. */
export interface ShimWorld {
  readonly host: Duplex;
  /** A connection on which the hello was said and welcomed. */
  open(): Promise<Socket | Refused>;
  /** Of the process that started this one; another number when that is gone. */
  parent(): number;
}

const OUTCOME_UNKNOWN = -32000;
const PARENT_EVERY_MS = 500;

/** Resolves when the host is gone; a refusal where there is nobody to serve it. */
export function runShim(world: ShimWorld): Promise<Refused | undefined> {
  const talk = createTalk();
  const { input, output } = world.host;
  let daemon: Socket | undefined;
  let opening: Promise<void> | undefined;
  const queued: string[] = [];
  return new Promise((resolve) => {
    const end = (refused?: Refused): void => {
      clearInterval(watching);
      daemon?.destroy();
      input.destroy();
      resolve(refused);
    };
    const attach = (socket: Socket): void => {
      daemon = socket;
      for (const line of talk.handshake()) writeLine(socket, line);
      const hear = (line: string): void => {
        if (!talk.answered(line)) return;
        if (writeLine(output, line)) return;
        socket.pause();
        output.once("drain", () => socket.resume());
      };
      socket.on(
        "data",
        lineCutter(hear, () => socket.destroy()),
      );
      socket.once("close", () => {
        daemon = undefined;
        for (const answer of talk.lost()) writeLine(output, answer);
      });
      for (const line of queued.splice(0)) send(line, socket);
      socket.resume();
    };
    const open = async (): Promise<void> => {
      const opened = await world.open();
      if ("exit" in opened) end(opened);
      else attach(opened);
    };
    const send = (line: string, socket: Socket): void => {
      talk.asked(line);
      if (writeLine(socket, line)) return;
      input.pause();
      void drained(socket).then(() => input.resume());
    };
    const ask = (line: string): void => {
      if (daemon !== undefined) return send(line, daemon);
      queued.push(line);
      opening ??= open().finally(() => (opening = undefined));
    };
    const begun = world.parent();
    const watching = setInterval(() => world.parent() !== begun && end(), PARENT_EVERY_MS);
    input.on(
      "data",
      lineCutter(ask, () => end()),
    );
    // Why nobody serves it is said also to whoever has ended its input by then.
    const left = (): void => void (opening ?? Promise.resolve()).finally(() => end());
    for (const event of ["end", "close", "error"]) input.once(event, left);
    output.on("error", () => end());
    opening = open().finally(() => (opening = undefined));
  });
}

/** What is kept of the talk: which requests wait for an answer, and how the older protocol began. */
interface Talk {
  /** A line of the host's, which goes to the daemon. */
  asked(line: string): void;
  /** A line of the daemon's: whether it is for the host. */
  answered(line: string): boolean;
  /** To be said to a daemon that wasn't there: it is a new one. */
  handshake(): readonly string[];
  /** The daemon is gone: what the host is told of each request that waits. Nothing is asked a second time. */
  lost(): readonly string[];
}

function createTalk(): Talk {
  const waiting = new Map<string, JsonValue>();
  let initialize: string | undefined;
  let initialized: string | undefined;
  let swallowed: string | undefined;
  let isNew = true;
  return {
    asked(line) {
      const { id, method } = partsOf(line);
      if (method === "initialize") initialize = line;
      if (method === "notifications/initialized") initialized = line;
      if (id !== undefined && method !== undefined) waiting.set(JSON.stringify(id), id);
    },
    answered(line) {
      const { id, method } = partsOf(line);
      if (id === undefined || method !== undefined) return true;
      const key = JSON.stringify(id);
      if (key === swallowed) {
        swallowed = undefined;
        return false;
      }
      waiting.delete(key);
      return true;
    },
    handshake() {
      const isFirst = isNew;
      isNew = false;
      if (isFirst || initialize === undefined) return [];
      swallowed = JSON.stringify(partsOf(initialize).id);
      return initialized === undefined ? [initialize] : [initialize, initialized];
    },
    lost() {
      const ids = [...waiting.values()];
      waiting.clear();
      swallowed = undefined;
      return ids.map((id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code: OUTCOME_UNKNOWN, message: LOST } }));
    },
  };
}

const LOST =
  "rolecall's daemon has ended while this was under way: whether it was done isn't known. The next request starts it anew.";

/** What is no message is the daemon's to refuse. */
function partsOf(line: string): { readonly id: JsonValue | undefined; readonly method: JsonValue | undefined } {
  try {
    const message = JSON.parse(line) as JsonValue;
    if (isObject(message))
      return { id: own(message as JsonObject, "id"), method: own(message as JsonObject, "method") };
  } catch {
    // Not ours to answer.
  }
  return { id: undefined, method: undefined };
}
