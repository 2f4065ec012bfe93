import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askStore, type AskStore } from "../../compiler/io/serve/ask-store.ts";
import { MOST_WAITING, type AskOutcome } from "../../compiler/io/serve/inbox.ts";
import { readServeKey, type ServeKey } from "../../compiler/io/serve/serve-key.ts";
import { openSharedAsks, type SharedAsks } from "../../compiler/io/serve/shared-asks.ts";
import type { SharedRedis } from "../../compiler/io/serve/shared-redis.ts";
import type { CallItem } from "../../compiler/serve/inbox-lines.ts";
import type { AskRequest } from "../../runtime/index.ts";
import { hasRedis, ownRedis, type OwnRedis } from "../support/redis.ts";

/** What several doors ask a person about, over a real Redis: any of them may answer, one of them goes on, once. */

if (!hasRedis) console.warn("redis-server isn't installed: asks that doors share are skipped");

const HOLD_MS = 300;
/** For calls that are to wait until something becomes of them. */
const LONG = { holdMs: 10_000 };
const key = readServeKey("K", "harbor", { K: randomBytes(32).toString("hex") });
const otherKey = readServeKey("K", "harbor", { K: randomBytes(32).toString("hex") });
const SPACE = `rolecall:harbor:asks:${key.nameOf("space").slice(0, 16)}`;
let redis: OwnRedis;
let writer: Redis;
let doors: Door[] = [];
let made = 0;

interface Door extends SharedAsks {
  readonly client: Redis;
  /** What somebody here was told of. */
  readonly seen: CallItem[];
  readonly said: string[];
}

function door({
  own = key,
  answers = true,
  holdMs = HOLD_MS,
  through = (store) => store,
}: {
  own?: ServeKey;
  answers?: boolean;
  holdMs?: number;
  through?: (store: AskStore) => AskStore;
} = {}): Door {
  const client = new Redis(redis.port, "127.0.0.1", { maxRetriesPerRequest: 1, commandTimeout: 1_000 });
  client.on("error", () => {});
  const said: string[] = [];
  const asks = openSharedAsks({
    store: through(askStore(client as unknown as SharedRedis, { project: "harbor", key: own }, Date.now)),
    key: own,
    holdMs,
    looksEveryMs: 10,
    now: Date.now,
    said: (line) => said.push(line),
  });
  const seen: CallItem[] = [];
  const leave = answers ? asks.attend((item) => seen.push(item)) : (): void => {};
  const opened: Door = {
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
  doors.push(opened);
  return opened;
}

interface Call {
  readonly outcome: Promise<AskOutcome>;
  readonly kind: () => AskOutcome["kind"] | "waits";
  cancel(): void;
}

function call(at: Door, about: Partial<AskRequest> = {}, of = "kit"): Call {
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
  const outcome = at.ask(request, { door: `http ${of}`, client: "c 1", signal: stop.signal, waits: () => {} });
  void outcome.then((known) => (kind = known.kind));
  return { outcome, kind: () => kind, cancel: () => stop.abort() };
}

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const say = (at: Door, item: CallItem | undefined, yes = true): Promise<string | undefined> =>
  at.answer({ id: item?.id ?? "", hash: item?.hash ?? "", yes, by: "mo" });
/** Somebody is known to be at one of the doors. */
const attended = async (): Promise<void> => {
  while ((await writer.exists(`${SPACE}:attended`)) === 0) await pause(5);
};
/** What lies in the Redis, to be put back. */
const everything = async (): Promise<() => Promise<void>> => {
  const keys = await writer.keys(`${SPACE}:*`);
  const dumps = await Promise.all(keys.map(async (one) => [one, (await writer.dumpBuffer(one))!] as const));
  return async () => {
    for (const [one, dump] of dumps) await writer.restore(one, 60_000, dump, "REPLACE");
  };
};

describe.skipIf(!hasRedis)("asks that doors share", () => {
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

  test("are seen at each of them, and a yes that is given at one lets the call go that waits at another", async () => {
    const [a, b, c] = [door({ answers: false, ...LONG }), door(), door()];
    await attended();
    const one = call(a);
    await until(() => b.seen.length + c.seen.length === 2);
    expect(b.seen).toEqual(c.seen);
    expect(b.seen[0]).toMatchObject({ kind: "call", role: "tester", args: { path: "a" }, client: "c 1" });
    expect(one.kind()).toBe("waits");
    expect(await say(b, b.seen[0])).toBeUndefined();
    expect(await one.outcome).toEqual({ kind: "yes", by: "mo" });
    expect(await Promise.all([b.waiting(), c.waiting()])).toEqual([[], []]);
    expect(await say(c, b.seen[0])).toContain("nothing with this id");
  });

  test("outlive the door that they began at, and its yes waits for the client wherever it comes", async () => {
    const [a, b, c] = [door({ holdMs: 1_000 }), door({ answers: false }), door()];
    const held = call(a);
    await until(() => c.seen.length === 1);
    expect((await held.outcome).kind).toBe("held");
    a.close();
    expect(await say(c, c.seen[0])).toBeUndefined();
    expect(await c.waiting()).toEqual([]);
    c.close();
    // Nobody has to be there for what is answered.
    await writer.del(`${SPACE}:attended`);
    expect(await call(b).outcome).toEqual({ kind: "yes", by: "mo" });
    expect((await call(b).outcome).kind).toBe("nobody");
  });

  test("a yes is used once, however many equal calls wait at however many doors", async () => {
    const [a, b, c] = [door(LONG), door(LONG), door(LONG)];
    for (let turn = 1; turn <= 5; turn++) {
      const calls = [a, b, c, a, b, c, a, b, c].map((one) => call(one, { args: { turn } }));
      let answered = 0;
      while (answered < 3) {
        const item = (await c.waiting()).find(({ args }) => (args as { turn: number }).turn === turn);
        if (item !== undefined && (await say(c, item)) === undefined) answered++;
        await until(() => calls.filter(({ kind }) => kind() === "yes").length === answered);
        await pause(20);
        expect(calls.filter(({ kind }) => kind() === "yes")).toHaveLength(answered);
      }
      for (const { cancel } of calls) cancel();
    }
  });

  test("a no is told to who waits, or to the next that comes, once", async () => {
    const [a, b] = [door(), door()];
    const both = [call(a), call(a)];
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0], false);
    expect(await Promise.all(both.map(async ({ outcome }) => (await outcome).kind))).toEqual(["no", "no"]);
    expect((await call(a).outcome).kind).toBe("held");
    await say(b, b.seen[1], false);
    expect((await call(b).outcome).kind).toBe("no");
    expect((await call(b).outcome).kind).toBe("held");
  });

  test.each([
    ["arguments", { args: { path: "b" } }, "kit"],
    ["another role", { role: "reader" }, "kit"],
    ["another tool", { tool: "remove" }, "kit"],
    ["another server", { server: "others" }, "kit"],
    ["another definition", { plan: "q" }, "kit"],
    ["another subject", {}, "eve"],
  ])("a yes is for no call with %s", async (_, about, of) => {
    const [a, b] = [door(LONG), door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    const other = call(b, about, of);
    await until(() => b.seen.length === 2);
    await say(b, b.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    expect((await other.outcome).kind).toBe("held");
  });

  test("a yes that comes too late, with another hash, or of an id that never was, is none", async () => {
    const [a, b] = [door(LONG), door()];
    const one = call(a, { expires: Date.now() + 1_000 });
    await until(() => b.seen.length === 1);
    const [item] = b.seen;
    expect(await b.answer({ id: item!.id, hash: "other", yes: true, by: "" })).toContain("hash");
    expect(await b.answer({ id: "never", hash: item!.hash, yes: true, by: "" })).toContain("nothing with this id");
    expect((await one.outcome).kind).toBe("late");
    expect(await say(b, item)).toContain("its time is over");
    expect((await call(b).outcome).kind).toBe("held");
  });

  test("what somebody writes into the Redis is no yes, and keeps none away", async () => {
    const [a, b] = [door(LONG), door()];
    const [one, other] = [call(a), call(a, { args: { path: "b" } })];
    await until(() => b.seen.length === 2);
    const of = (path: string): CallItem => b.seen.find(({ args }) => (args as { path: string }).path === path)!;
    const place = (item: CallItem): string => `${SPACE}:answer:${item.id}`;
    const yes = { yes: true, by: "mo" };
    for (const forged of [
      '{"yes":true,"by":"mo"}',
      "",
      "yes",
      otherKey.seal(JSON.stringify(["answer", 1, of("a").id, of("a").hash]), yes),
      key.seal(JSON.stringify(["answer", 1, of("b").id, of("b").hash]), yes),
      key.seal(JSON.stringify(["answer", 1, of("a").id, of("b").hash]), yes),
      key.seal(JSON.stringify(["ask", 1, of("a").id]), yes),
    ]) {
      await writer.set(place(of("a")), forged);
      await pause(30);
      expect(one.kind()).toBe("waits");
    }
    // The yes to another call, moved.
    await say(b, of("b"));
    const given = await writer.get(place(of("b")));
    if (given !== null) await writer.set(place(of("a")), given);
    expect((await other.outcome).kind).toBe("yes");
    await pause(30);
    expect([one.kind(), (await b.waiting()).length]).toEqual(["waits", 1]);
    expect(await say(b, of("a"))).toBeUndefined();
    expect((await one.outcome).kind).toBe("yes");
  });

  test("an ask that somebody writes is shown to nobody, and keeps no call from its own", async () => {
    const [a, b] = [door({ answers: false, ...LONG }), door()];
    await attended();
    const forged = { ...(await madeItem(a, b)), id: "forged", hash: "forged" };
    await writer.set(`${SPACE}:ask:forged`, JSON.stringify({ name: "n", item: forged }));
    await writer.set(
      `${SPACE}:ask:theirs`,
      otherKey.seal(JSON.stringify(["ask", 1, "theirs"]), { name: "n", item: {} }),
    );
    await writer.zadd(`${SPACE}:waiting`, Date.now() + 60_000, "tester forged", Date.now() + 60_000, "tester theirs");
    await pause(50);
    expect(b.seen).toHaveLength(1);
    // And one that has the name of a call.
    const one = call(a);
    await until(() => b.seen.length === 2);
    for (const name of await writer.keys(`${SPACE}:of:*`)) await writer.set(name, "forged");
    await until(() => b.seen.length === 3);
    expect(b.seen.map(({ id }) => id)).not.toContain("forged");
    await say(b, b.seen[2]);
    expect((await one.outcome).kind).toBe("yes");
  });

  test("a call that is led to another's ask neither joins it nor takes its yes", async () => {
    const [a, b] = [door(LONG), door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    const [name] = await writer.keys(`${SPACE}:of:*`);
    const eves = call(a, {}, "eve");
    await until(() => b.seen.length === 2);
    for (const other of await writer.keys(`${SPACE}:of:*`)) if (other !== name) await writer.set(other, b.seen[0]!.id);
    await until(() => b.seen.length === 3);
    const later = call(a, {}, "ann");
    await until(() => b.seen.length === 4);
    await say(b, b.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    await pause(30);
    expect([eves.kind(), later.kind()]).toEqual(["waits", "waits"]);
  });

  test("a yes that is put back after it was used lets nothing go", async () => {
    const [a, b] = [door(), door()];
    const one = call(a);
    expect((await one.outcome).kind).toBe("held");
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0]);
    const putBack = await everything();
    expect((await call(a).outcome).kind).toBe("yes");
    await putBack();
    // Of the door that used it, and of another, which knows by what is marked there.
    expect((await call(b).outcome).kind).toBe("held");
    await writer.flushall();
    await putBack();
    expect((await call(a).outcome).kind).toBe("held");
  });

  test("a yes that comes while its call is given up stays for the next", async () => {
    const [a, b] = [door(LONG), door(LONG)];
    for (let turn = 0; turn < 20; turn++) {
      const args = { turn };
      const own = ({ args: of }: CallItem): boolean => (of as { turn?: number }).turn === turn;
      const one = call(a, { args });
      await until(() => b.seen.some(own));
      const said = say(b, b.seen.find(own));
      await pause(turn % 5);
      one.cancel();
      expect(await said).toBeUndefined();
      const next = call(b, { args });
      if ((await one.outcome).kind === "given-up") expect((await next.outcome).kind).toBe("yes");
      else await until(() => b.seen.filter(own).length === 2);
      next.cancel();
    }
  });

  test("and one that was marked as used for it is given back", async () => {
    let one: Call | undefined;
    const late = (store: AskStore): AskStore => ({
      ...store,
      async use(...asked) {
        const isFirst = await store.use(...asked);
        one?.cancel();
        return isFirst;
      },
    });
    const [a, b] = [door({ ...LONG, through: late }), door(LONG)];
    one = call(a);
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0]);
    expect((await one.outcome).kind).toBe("given-up");
    expect((await call(b).outcome).kind).toBe("yes");
  });

  test("without anybody to answer, at any door, nothing waits", async () => {
    const [a, b] = [door({ answers: false }), door({ own: otherKey, ...LONG })];
    const theirs = call(b);
    await until(() => b.seen.length === 1);
    expect((await call(a).outcome).kind).toBe("nobody");
    expect(await a.waiting()).toEqual([]);
    expect(theirs.kind()).toBe("waits");
  });

  test("a role has so many at all doors together", async () => {
    const [a, b] = [door(LONG), door(LONG)];
    const calls: Call[] = [];
    for (let i = 0; i < MOST_WAITING; i++) {
      calls.push(call(i % 2 === 0 ? a : b, { args: { i } }));
      await until(() => b.seen.length === i + 1);
    }
    expect((await call(b, { args: { one: "more" } }).outcome).kind).toBe("too-many");
    // One that joins is no further one, and other roles have theirs.
    calls.push(call(b, { args: { i: 0 } }), call(b, { role: "reader" }));
    await until(() => b.seen.length === MOST_WAITING + 1);
    expect(new Set(calls.map(({ kind }) => kind()))).toEqual(new Set(["waits"]));
    for (const { cancel } of calls) cancel();
  });

  test("a Redis that gives no answer lets nothing go, and what waited there is found again", async () => {
    const [a, b] = [door(), door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    redis.pause();
    try {
      expect((await call(b, { args: {} }).outcome).kind).toMatch(/out-of-reach|held/);
      expect((await one.outcome).kind).toBe("held");
      await until(() => a.said.length > 0);
    } finally {
      redis.resume();
    }
    await until(() => a.client.status === "ready" && b.client.status === "ready");
    expect(await say(b, b.seen[0])).toBeUndefined();
    expect((await call(a).outcome).kind).toBe("yes");
    expect(a.said.join("\n")).not.toContain("path");
  }, 20_000);
});

/** As one looks that a door has made. */
async function madeItem(a: Door, b: Door): Promise<CallItem> {
  const one = call(a, { args: { odd: "one" } });
  await until(() => b.seen.length === 1);
  one.cancel();
  return b.seen[0]!;
}
