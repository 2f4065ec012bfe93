import type { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import type { AskStore } from "../../compiler/io/serve/ask-store.ts";
import type { CallItem } from "../../compiler/serve/inbox-lines.ts";
import { hasRedis } from "../support/redis.ts";
import { call, LONG, pause, say, sharedDoors, until, type Door } from "../support/shared-doors.ts";

/** Somebody who writes in the Redis of several doors and hasn't their key: nothing of his is an ask, or a yes. */

if (!hasRedis) console.warn("redis-server isn't installed: what is written among shared asks is skipped");

describe.skipIf(!hasRedis)("what somebody writes among asks that doors share", () => {
  const doors = sharedDoors();

  test("what somebody writes into the Redis is no yes, and keeps none away", async () => {
    const [a, b] = [doors.door(LONG), doors.door()];
    const [one, other] = [call(a), call(a, { args: { path: "b" } })];
    await until(() => b.seen.length === 2);
    const of = (path: string): CallItem => b.seen.find(({ args }) => (args as { path: string }).path === path)!;
    const place = (item: CallItem): string => `${doors.space}:answer:${item.id}`;
    const yes = { yes: true, by: "mo" };
    for (const forged of [
      '{"yes":true,"by":"mo"}',
      "",
      "yes",
      doors.otherKey.seal(JSON.stringify(["answer", 1, of("a").id, of("a").hash]), yes),
      doors.key.seal(JSON.stringify(["answer", 1, of("b").id, of("b").hash]), yes),
      doors.key.seal(JSON.stringify(["answer", 1, of("a").id, of("b").hash]), yes),
      doors.key.seal(JSON.stringify(["ask", 1, of("a").id]), yes),
    ]) {
      await doors.writer.set(place(of("a")), forged);
      await pause(30);
      expect(one.kind()).toBe("waits");
    }
    // The yes to another call, moved.
    await say(b, of("b"));
    const given = await doors.writer.get(place(of("b")));
    if (given !== null) await doors.writer.set(place(of("a")), given);
    expect((await other.outcome).kind).toBe("yes");
    await pause(30);
    expect([one.kind(), (await b.waiting()).length]).toEqual(["waits", 1]);
    expect(await say(b, of("a"))).toBeUndefined();
    expect((await one.outcome).kind).toBe("yes");
  });

  test("an ask that somebody writes is shown to nobody, and keeps no call from its own", async () => {
    const [a, b] = [doors.door({ answers: false, ...LONG }), doors.door()];
    await doors.attended();
    const forged = { ...(await madeItem(a, b)), id: "forged", hash: "forged" };
    await doors.writer.set(`${doors.space}:ask:forged`, JSON.stringify({ name: "n", item: forged }));
    await doors.writer.set(
      `${doors.space}:ask:theirs`,
      doors.otherKey.seal(JSON.stringify(["ask", 1, "theirs"]), { name: "n", item: {} }),
    );
    await doors.writer.zadd(
      `${doors.space}:waiting`,
      Date.now() + 60_000,
      "tester forged",
      Date.now() + 60_000,
      "tester theirs",
    );
    await pause(50);
    expect(b.seen).toHaveLength(1);
    // And one that has the name of a call.
    const one = call(a);
    await until(() => b.seen.length === 2);
    for (const name of await doors.writer.keys(`${doors.space}:of:*`)) await doors.writer.set(name, "forged");
    await until(() => b.seen.length === 3);
    expect(b.seen.map(({ id }) => id)).not.toContain("forged");
    await say(b, b.seen[2]);
    expect((await one.outcome).kind).toBe("yes");
  });

  test("a call that is led to another's ask neither joins it nor takes its yes", async () => {
    const [a, b] = [doors.door(LONG), doors.door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    const [name] = await doors.writer.keys(`${doors.space}:of:*`);
    const eves = call(a, {}, "eve");
    await until(() => b.seen.length === 2);
    for (const other of await doors.writer.keys(`${doors.space}:of:*`))
      if (other !== name) await doors.writer.set(other, b.seen[0]!.id);
    await until(() => b.seen.length === 3);
    const later = call(a, {}, "ann");
    await until(() => b.seen.length === 4);
    await say(b, b.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    await pause(30);
    expect([eves.kind(), later.kind()]).toEqual(["waits", "waits"]);
  });

  test("a yes that is put back after it was used lets nothing go", async () => {
    const [a, b] = [doors.door(), doors.door()];
    const one = call(a);
    expect((await one.outcome).kind).toBe("held");
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0]);
    const putBack = await everything(doors.writer, doors.space);
    expect((await call(a).outcome).kind).toBe("yes");
    await putBack();
    // Of the door that used it, and of another, which knows by what is marked there.
    expect((await call(b).outcome).kind).toBe("held");
    await doors.writer.flushall();
    await putBack();
    expect((await call(a).outcome).kind).toBe("held");
  });

  test("a yes that comes to be seen after the end of its ask is none, whatever the door did meanwhile", async () => {
    const expires = Date.now() + 1_500;
    const isOver = (): boolean => Date.now() > expires;
    // Stand for what somebody does who takes an answer away until the end is over, and for a Redis that takes its time.
    const seenLate = (store: AskStore): AskStore => ({
      ...store,
      lookAt: async (asks) =>
        (await store.lookAt(asks)).map(({ id, answer }) => ({ id, answer: isOver() ? answer : undefined })),
    });
    const usedLate = (store: AskStore): AskStore => ({
      ...store,
      async use(...asked) {
        const isFirst = await store.use(...asked);
        while (!isOver()) await pause(5);
        return isFirst;
      },
    });
    const [a, b] = [doors.door({ ...LONG, through: seenLate }), doors.door({ ...LONG, through: usedLate })];
    const calls = [call(a, { expires, args: {} }), call(b, { expires, args: { path: "b" } })];
    await until(() => b.seen.length === 2);
    for (const item of b.seen) {
      expect(await say(a, item)).toBeUndefined();
      await doors.writer.persist(`${doors.space}:answer:${item.id}`);
    }
    expect((await Promise.all(calls.map(({ outcome }) => outcome))).map(({ kind }) => kind)).toEqual(["late", "late"]);
  });

  test("an ask that is put back at the door that used it, as soon as it ends, is asked anew", async () => {
    let ended = 0;
    // Stands for somebody who is quicker than any call.
    const putBack = (store: AskStore): AskStore => ({ ...store, end: async () => void ended++ });
    const a = doors.door({ ...LONG, through: putBack });
    const one = call(a);
    await until(() => a.seen.length === 1);
    await say(a, a.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    await doors.writer.del(`${doors.space}:used:${a.seen[0]!.id}`);
    const two = call(a);
    await until(() => a.seen.length === 2);
    expect([two.kind(), ended]).toEqual(["waits", 1]);
    await say(a, a.seen[1]);
    expect((await two.outcome).kind).toBe("yes");
  });

  test("what a door used it still knows when its clock was set back", async () => {
    let ahead = 0;
    const a = doors.door({ now: () => Date.now() + ahead });
    expect((await call(a).outcome).kind).toBe("held");
    await say(a, a.seen[0]);
    const putBack = await everything(doors.writer, doors.space);
    expect((await call(a).outcome).kind).toBe("yes");
    ahead = 60_000;
    await a.waiting();
    ahead = 0;
    await doors.writer.flushall();
    await putBack();
    expect((await call(a).outcome).kind).toBe("held");
  });

  test("what fills the place of what waits is read in part, each piece once, and what a door asks goes on", async () => {
    const [members, sizes]: [number[], number[]] = [[], []];
    const counting = (store: AskStore): AskStore => ({
      ...store,
      async waiting() {
        const found = await store.waiting();
        members.push(found.length);
        return found;
      },
      async texts(ids) {
        const found = await store.texts(ids);
        sizes.push(found.reduce((sum, text) => sum + (text?.length ?? 0), 0));
        return found;
      },
    });
    const a = doors.door({ ...LONG, through: counting });
    await doors.attended();
    const [many, large] = ["nobody many", "nobody large"];
    await doors.writer.eval(
      `for i = 1, 20000 do redis.call("zadd", KEYS[1], ARGV[1], ARGV[2] .. i .. string.rep("x", i == 1 and 1000000 or 0)) end
       for i = 1, 30 do
         redis.call("zadd", KEYS[1], ARGV[1], ARGV[3] .. i)
         redis.call("set", ARGV[4] .. "large" .. i, string.rep("x", 1000000))
       end
       redis.call("lpush", ARGV[4] .. "many2", "no text")`,
      1,
      `${doors.space}:waiting`,
      Date.now() + 60_000,
      many,
      large,
      `${doors.space}:ask:`,
    );
    const one = call(a);
    await until(() => a.seen.length === 1);
    await say(a, a.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    await pause(300);
    expect(Math.max(...members)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000_000);
    // And what has the name of a call, too long to be an ask's, or no text.
    const two = call(a);
    await until(() => a.seen.length === 2);
    const [name = ""] = await doors.writer.keys(`${doors.space}:of:*`);
    await doors.writer.set(name, "x".repeat(1_000_000));
    await until(() => a.seen.length === 3);
    await doors.writer.multi().del(name).lpush(name, "x").exec();
    await until(() => a.seen.length === 4);
    await say(a, a.seen[3]);
    expect((await two.outcome).kind).toBe("yes");
  });
});

/** As one looks that a door has made. */
async function madeItem(a: Door, b: Door): Promise<CallItem> {
  const one = call(a, { args: { odd: "one" } });
  await until(() => b.seen.length === 1);
  one.cancel();
  return b.seen[0]!;
}

/** All that lies there, to be put back. */
async function everything(writer: Redis, space: string): Promise<() => Promise<void>> {
  const keys = await writer.keys(`${space}:*`);
  const dumps = await Promise.all(keys.map(async (one) => [one, (await writer.dumpBuffer(one))!] as const));
  return async () => {
    for (const [one, dump] of dumps) await writer.restore(one, 60_000, dump, "REPLACE");
  };
}
