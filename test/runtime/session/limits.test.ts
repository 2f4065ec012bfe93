import { beforeEach, describe, expect, test } from "vitest";
import type { RecordLine, TeamOptions } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { memoryLimiter } from "../../../runtime/session/limits.ts";
import {
  ANSWER,
  failureOf,
  fakeClock,
  fakeRole,
  fakeServer,
  fakeTeam,
  lost,
  settled,
  type FakeClock,
  type FakeServer,
} from "../../support/fake-link.ts";
import { MEMORY, memorySession } from "./fake-teams.ts";

/** How often, how many at once, again or not, and when nobody is let near a server. */

let memory: FakeServer;
let clock: FakeClock;
beforeEach(() => (clock = fakeClock(true)));

function session(more: Partial<ServerData>, options: TeamOptions = {}) {
  const made = memorySession(clock, more, options);
  memory = made.memory;
  return made;
}

describe("the rate", () => {
  test("waits 1 and 2 seconds, then says so", async () => {
    const { call, events } = session({ ratePerMinute: 60 });
    for (let i = 0; i < 60; i++) await call("read");
    const error = await failureOf(call("read"));
    expect(clock.waits).toEqual([1_000, 2_000]);
    expect(error).toMatchObject({
      code: "rate-limited",
      message: "Rate limit exceeded (rate limit of 60/min, memory)",
      server: "memory",
      retryable: true,
      retryAfterMs: 57_000,
    });
    expect(error.advice).toContain("The next try makes sense in 57 s.");
    expect(events.filter(({ type }) => type === "rate-limited")).toEqual([
      { type: "rate-limited", server: "memory", attempt: 1, waitMs: 1_000 },
      { type: "rate-limited", server: "memory", attempt: 2, waitMs: 2_000 },
    ]);
    expect(memory.sent).toHaveLength(60);
  });

  test("is waited out when a try succeeds", async () => {
    const { call } = session({ ratePerMinute: 1 });
    await call("read");
    clock.time += 58_000;
    await call("read");
    expect(clock.waits).toEqual([1_000, 2_000].slice(0, clock.waits.length));
    expect(memory.sent).toHaveLength(2);
  });

  test("a wait is in the record, ours and the server's, and nothing where nobody waited", async () => {
    const lines: RecordLine[] = [];
    const record = (line: RecordLine): void => void lines.push(line);
    const { call } = session({ ratePerMinute: 1 }, { record });
    await call("read");
    clock.time += 58_500;
    await call("read");
    await failureOf(call("read"));
    const asked = session({}, { record });
    memory.calling = async () => {
      memory.calling = async () => ANSWER;
      throw new RolecallError("rate-limited", "429", { retryAfterMs: 7_000, retryable: true });
    };
    await asked.call("write");
    expect(lines.map(({ waited_ms, duration_ms }) => [waited_ms, duration_ms])).toEqual([
      [undefined, 0],
      [3_000, 3_000],
      [3_000, 3_000],
      [7_000, 7_000],
    ]);
    expect(JSON.stringify(lines[0])).not.toContain("waited");
  });

  test("never waits beyond the time of a call", async () => {
    const { call } = session({ ratePerMinute: 1, timeoutMs: 2_500 });
    await call("read");
    await failureOf(call("read"));
    expect(clock.waits).toEqual([1_000]);
    await failureOf(call("read", { timeoutMs: 500 }));
    expect(clock.waits).toEqual([1_000]);
  });

  test("is the server's, whichever role or session calls", async () => {
    memory = fakeServer("memory", MEMORY, { ratePerMinute: 2 });
    const roles = ["a", "b"].map((name) => fakeRole(name, [[memory, { tools: { read: "allow" } }]]));
    const { as } = fakeTeam([memory], roles, { clock });
    await as("a").$call("memory", "read");
    await as("a").$call("memory", "read");
    expect((await failureOf(as("b").$call("memory", "read"))).code).toBe("rate-limited");
  });

  test("in no minute, wherever it begins, more than that", async () => {
    let now = 0;
    const limiter = memoryLimiter(3, () => now);
    const passed: number[] = [];
    for (let i = 0; i < 60; i++) {
      now += 7_000;
      await limiter.consume("s").then(
        () => passed.push(now),
        () => 0,
      );
    }
    expect(passed.length).toBeGreaterThan(18);
    for (let i = 3; i < passed.length; i++) expect(passed[i]! - passed[i - 3]!).toBeGreaterThanOrEqual(60_000);
  });

  test("a limiter of the app's is asked instead, for the server and its rate", async () => {
    const seen: unknown[] = [];
    const limiter = (server: string, rate: number) => ({
      consume: (key: string, points?: number) => {
        seen.push([server, rate, key, points]);
        return seen.length > 1 ? Promise.reject({ msBeforeNext: 90_000 }) : Promise.resolve({});
      },
    });
    const { call } = session({ ratePerMinute: 5 }, { limiter });
    await call("read");
    expect((await failureOf(call("read"))).retryAfterMs).toBe(90_000);
    expect(seen[0]).toEqual(["memory", 5, "memory", 1]);
  });

  test("a limiter that is broken lets nobody through", async () => {
    const { call } = session(
      { ratePerMinute: 5 },
      { limiter: { consume: () => Promise.reject(new Error("no redis")) } },
    );
    expect(await failureOf(call("read"))).toMatchObject({ code: "rate-limited", retryAfterMs: undefined });
    const thrown = session(
      { ratePerMinute: 5 },
      {
        limiter: {
          consume: () => {
            throw new Error("no redis");
          },
        },
      },
    );
    expect((await failureOf(thrown.call("read"))).code).toBe("rate-limited");
    expect([clock.waits, memory.sent]).toEqual([[], []]);
  });
});

describe("concurrency", () => {
  test("so many at once, the others in turn; a call that is repeated keeps its slot", async () => {
    const { call } = session({ concurrency: 2 });
    const answers: (() => void)[] = [];
    let running = 0;
    let most = 0;
    let fail = true;
    memory.calling = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => answers.push(resolve));
      running--;
      if (!fail) return ANSWER;
      fail = false;
      throw lost(memory);
    };
    const calls = Array.from({ length: 6 }, () => call("read"));
    for (let i = 0; i < 20; i++) {
      await settled();
      answers.shift()?.();
    }
    const results = await Promise.all(calls);
    expect(most).toBe(2);
    expect(results.map(({ meta }) => meta.retries).toSorted()).toEqual([0, 0, 0, 0, 0, 1]);
  });

  test("who cancels leaves the queue; who is refused leaves his slot", async () => {
    const { call } = session({ concurrency: 1 });
    const stop = new AbortController();
    let answer: () => void = () => {};
    memory.calling = () => new Promise((resolve) => (answer = () => resolve(ANSWER)));
    const first = call("read");
    await settled();
    const second = failureOf(call("read", { signal: stop.signal }));
    const third = call("read");
    await settled();
    stop.abort();
    expect((await second).message).toContain("cancelled");
    answer();
    await first;
    await settled();
    answer();
    await third;
    memory.changed = "it is gone";
    await failureOf(call("read"));
    memory.changed = undefined;
    memory.calling = async () => ANSWER;
    await call("read");
    expect(memory.sent).toHaveLength(3);
  });
});
