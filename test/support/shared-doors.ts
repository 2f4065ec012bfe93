import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { askStore, type AskStore } from "../../compiler/io/serve/ask-store.ts";
import type { AskOutcome } from "../../compiler/io/serve/inbox.ts";
import { readServeKey, type ServeKey } from "../../compiler/io/serve/serve-key.ts";
import { openSharedAsks, type SharedAsks } from "../../compiler/io/serve/shared-asks.ts";
import type { SharedRedis } from "../../compiler/io/serve/shared-redis.ts";
import type { CallItem } from "../../compiler/serve/inbox-lines.ts";
import type { AskRequest } from "../../runtime/index.ts";
import { ownRedis, type OwnRedis } from "./redis.ts";

/** Doors that share what they ask a person, over a real Redis: what waits there, and who answers. */

const HOLD_MS = 300;
/** For calls that are to wait until something becomes of them. */
export const LONG = { holdMs: 10_000 };

export interface Door extends SharedAsks {
  readonly client: Redis;
  /** What somebody here was told of. */
  readonly seen: CallItem[];
  readonly said: string[];
}

export interface Call {
  readonly outcome: Promise<AskOutcome>;
  readonly kind: () => AskOutcome["kind"] | "waits";
  cancel(): void;
}

let made = 0;

export function call(at: Door, about: Partial<AskRequest> = {}, of = "kit"): Call {
  const id = `id-${++made}`;
  const request: AskRequest = {
    id,
    hash: `hash-${id}`,
    role: "tester",
    server: "files",
    tool: "write",
    title: "write",
    args: { path: "a" },
    plan: "p",
    expires: Date.now() + 10_000,
    ...about,
  };
  const stop = new AbortController();
  let kind: AskOutcome["kind"] | "waits" = "waits";
  const outcome = at.ask(request, {
    door: `http ${of}`,
    client: "c 1",
    caller: of,
    signal: stop.signal,
    waits: () => {},
  });
  void outcome.then((known) => (kind = known.kind));
  return { outcome, kind: () => kind, cancel: () => stop.abort() };
}

export const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const say = (at: Door, item: CallItem | undefined, yes = true): Promise<string | undefined> =>
  at.answer({ id: item?.id ?? "", hash: item?.hash ?? "", yes, by: "mo" });

interface Opening {
  readonly own?: ServeKey;
  readonly answers?: boolean;
  readonly holdMs?: number;
  readonly through?: (store: AskStore) => AskStore;
  readonly now?: () => number;
}

export interface SharedDoors {
  readonly key: ServeKey;
  readonly otherKey: ServeKey;
  /** Where their asks lie. */
  readonly space: string;
  readonly redis: OwnRedis;
  /** Somebody who reads and writes there, and has no key. */
  readonly writer: Redis;
  door(opening?: Opening): Door;
  /** Somebody is known to be at one of the doors. */
  attended(): Promise<void>;
}

/** For the tests of one `describe`. */
export function sharedDoors(): SharedDoors {
  const [key, otherKey] = [freshKey(), freshKey()];
  const space = `rolecall:harbor:asks:${key.nameOf("space").slice(0, 16)}`;
  let redis: OwnRedis;
  let writer: Redis;
  let doors: Door[] = [];
  beforeAll(async () => {
    redis = await ownRedis();
    await redis.start();
    writer = new Redis(redis.port, "127.0.0.1");
    writer.on("error", () => {});
  }, 30_000);
  beforeEach(() => writer.flushall());
  afterEach(() => {
    for (const one of doors) one.close();
    doors = [];
  });
  afterAll(async () => {
    writer.disconnect();
    await redis.kill();
  });
  return {
    key,
    otherKey,
    space,
    get redis() {
      return redis;
    },
    get writer() {
      return writer;
    },
    door(opening = {}) {
      const opened = openDoor(redis.port, { own: key, ...opening });
      doors.push(opened);
      return opened;
    },
    async attended() {
      while ((await writer.exists(`${space}:attended`)) === 0) await pause(5);
    },
  };
}

function freshKey(): ServeKey {
  return readServeKey("K", "harbor", { K: randomBytes(32).toString("hex") });
}

function openDoor(
  port: number,
  {
    own,
    answers = true,
    holdMs = HOLD_MS,
    through = (store) => store,
    now = Date.now,
  }: Opening & { readonly own: ServeKey },
): Door {
  const client = new Redis(port, "127.0.0.1", { maxRetriesPerRequest: 1, commandTimeout: 1_000 });
  client.on("error", () => {});
  const said: string[] = [];
  const asks = openSharedAsks({
    store: through(askStore(client as unknown as SharedRedis, { project: "harbor", key: own }, now)),
    key: own,
    holdMs,
    looksEveryMs: 10,
    now,
    said: (line) => said.push(line),
  });
  const seen: CallItem[] = [];
  const leave = answers ? asks.attend({ hear: (item) => void seen.push(item) }) : (): void => {};
  return {
    ...asks,
    client,
    seen,
    said,
    close() {
      leave();
      asks.close();
      client.disconnect();
    },
  };
}
