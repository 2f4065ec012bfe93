import { describe, expect, test } from "vitest";
import type { AskStore } from "../../compiler/io/serve/ask-store.ts";
import { MOST_WAITING } from "../../compiler/io/serve/inbox.ts";
import type { CallItem } from "../../compiler/serve/inbox-lines.ts";
import { hasRedis } from "../support/redis.ts";
import { call, LONG, pause, say, sharedDoors, until, type Call } from "../support/shared-doors.ts";

/** What several doors ask a person about, over a real Redis: any of them may answer, one of them goes on, once. */

if (!hasRedis) console.warn("redis-server isn't installed: asks that doors share are skipped");

describe.skipIf(!hasRedis)("asks that doors share", () => {
  const doors = sharedDoors();

  test("are seen at each of them, and a yes that is given at one lets the call go that waits at another", async () => {
    const [a, b, c] = [doors.door({ answers: false, ...LONG }), doors.door(), doors.door()];
    await doors.attended();
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
    const [a, b, c] = [doors.door({ holdMs: 1_000 }), doors.door({ answers: false }), doors.door()];
    const held = call(a);
    await until(() => c.seen.length === 1);
    expect((await held.outcome).kind).toBe("held");
    a.close();
    expect(await say(c, c.seen[0])).toBeUndefined();
    expect(await c.waiting()).toEqual([]);
    c.close();
    // Nobody has to be there for what is answered.
    await doors.writer.del(`${doors.space}:attended`);
    expect(await call(b).outcome).toEqual({ kind: "yes", by: "mo" });
    expect((await call(b).outcome).kind).toBe("nobody");
  });

  test("a yes is used once, however many equal calls wait at however many doors", async () => {
    const [a, b, c] = [doors.door(LONG), doors.door(LONG), doors.door(LONG)];
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
    const [a, b] = [doors.door(), doors.door()];
    const both = [call(a), call(a)];
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0], false);
    expect(await Promise.all(both.map(async ({ outcome }) => (await outcome).kind))).toEqual(["no", "no"]);
    expect((await call(a).outcome).kind).toBe("held");
    await say(b, b.seen[1], false);
    expect((await call(b).outcome).kind).toBe("no");
    expect((await call(b).outcome).kind).toBe("held");
  });

  test("what was answered isn't asked again by a door that was reading as its answer was taken", async () => {
    const isOver = async (): Promise<boolean> => (await doors.writer.zcard(`${doors.space}:waiting`)) === 0;
    const [isTaken, take] = signal();
    const [isReading, read] = signal();
    let reads = 0;
    const taking = (store: AskStore): AskStore => ({
      ...store,
      lookAt: (asks) => isTaken.then(() => store.lookAt(asks)),
    });
    const reading = (store: AskStore): AskStore => ({
      ...store,
      async waiting() {
        const found = await store.waiting();
        if (++reads === 10) read();
        if (reads === 10) while (!(await isOver())) await pause(5);
        return found;
      },
    });
    const [a, b] = [doors.door({ ...LONG, through: taking }), doors.door({ ...LONG, through: reading })];
    const one = call(a);
    await until(() => b.seen.length === 1);
    reads = 0;
    await say(b, b.seen[0], false);
    await isReading;
    take();
    expect((await one.outcome).kind).toBe("no");
    await until(() => reads > 12);
    expect(b.seen).toHaveLength(1);
  });

  test.each([
    ["arguments", { args: { path: "b" } }, "kit"],
    ["another role", { role: "reader" }, "kit"],
    ["another tool", { tool: "remove" }, "kit"],
    ["another server", { server: "others" }, "kit"],
    ["another definition", { plan: "q" }, "kit"],
    ["another subject", {}, "eve"],
  ])("a yes is for no call with %s", async (_, about, of) => {
    const [a, b] = [doors.door(LONG), doors.door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    const other = call(b, about, of);
    await until(() => b.seen.length === 2);
    await say(b, b.seen[0]);
    expect((await one.outcome).kind).toBe("yes");
    expect((await other.outcome).kind).toBe("held");
  });

  test("a yes that comes too late, with another hash, or of an id that never was, is none", async () => {
    const [a, b] = [doors.door(LONG), doors.door()];
    const one = call(a, { expires: Date.now() + 1_000 });
    await until(() => b.seen.length === 1);
    const [item] = b.seen;
    expect(await b.answer({ id: item!.id, hash: "other", yes: true, by: "" })).toContain("hash");
    expect(await b.answer({ id: "never", hash: item!.hash, yes: true, by: "" })).toContain("nothing with this id");
    expect((await one.outcome).kind).toBe("late");
    expect(await say(b, item)).toContain("its time is over");
    expect((await call(b).outcome).kind).toBe("held");
  });

  test("a yes that comes while its call is given up stays for the next", async () => {
    const [a, b] = [doors.door(LONG), doors.door(LONG)];
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
    const calls: Call[] = [];
    const late = (store: AskStore): AskStore => ({
      ...store,
      async use(...asked) {
        const isFirst = await store.use(...asked);
        calls[0]?.cancel();
        return isFirst;
      },
    });
    const [a, b] = [doors.door({ ...LONG, through: late }), doors.door(LONG)];
    calls.push(call(a));
    await until(() => b.seen.length === 1);
    await say(b, b.seen[0]);
    expect((await calls[0]!.outcome).kind).toBe("given-up");
    expect((await call(b).outcome).kind).toBe("yes");
  });

  test("without anybody to answer, at any door, nothing waits", async () => {
    const [a, b] = [doors.door({ answers: false }), doors.door({ own: doors.otherKey, ...LONG })];
    const theirs = call(b);
    await until(() => b.seen.length === 1);
    expect((await call(a).outcome).kind).toBe("nobody");
    expect(await a.waiting()).toEqual([]);
    expect(theirs.kind()).toBe("waits");
  });

  test("a role has so many at all doors together", async () => {
    const [a, b] = [doors.door(LONG), doors.door(LONG)];
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
    const [a, b] = [doors.door(), doors.door()];
    const one = call(a);
    await until(() => b.seen.length === 1);
    doors.redis.pause();
    try {
      expect((await call(b, { args: {} }).outcome).kind).toBe("out-of-reach");
      expect((await one.outcome).kind).toBe("held");
      await until(() => a.said.length > 0);
    } finally {
      doors.redis.resume();
    }
    await until(() => a.client.status === "ready" && b.client.status === "ready");
    expect(await say(b, b.seen[0])).toBeUndefined();
    expect((await call(a).outcome).kind).toBe("yes");
    expect(a.said.join("\n")).not.toContain("path");
  }, 20_000);
});

/** A promise, and what fulfils it. */
function signal(): [Promise<void>, () => void] {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return [given, () => give()];
}
