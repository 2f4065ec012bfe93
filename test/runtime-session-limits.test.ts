import { beforeEach, describe, expect, test } from "vitest";
import type { TeamOptions } from "../runtime/api.ts";
import { RolecallError } from "../runtime/errors.ts";
import type { ServerData, ToolData } from "../runtime/server-data.ts";
import { createBreaker } from "../runtime/session/breaker.ts";
import { memoryLimiter } from "../runtime/session/limits.ts";
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
} from "./support/fake-link.ts";

/** How often, how many at once, again or not, and when nobody is let near a server. */

let memory: FakeServer;
let clock: FakeClock;
beforeEach(() => (clock = fakeClock(true)));

const TOOLS: Record<string, Partial<ToolData>> = { read: { readOnly: true }, write: {}, put: { idempotent: true } };

function session(more: Partial<ServerData>, options: TeamOptions = {}) {
  memory = fakeServer("memory", TOOLS, { whenDown: "Use files instead", ...more });
  const role = fakeRole("r", [[memory, { tools: { read: "allow", write: "allow", put: "allow" } }]]);
  const { as, events } = fakeTeam([memory], [role], { clock, ...options });
  const { $call, ...rest } = as("r");
  void rest;
  const made = as("r");
  return { call: (tool: string, options?: object) => $call("memory", tool, {}, options), session: made, events };
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

  test("never waits beyond the time of a call", async () => {
    const { call } = session({ ratePerMinute: 1, timeoutMs: 2_500 });
    await call("read");
    await failureOf(call("read"));
    expect(clock.waits).toEqual([1_000]);
    await failureOf(call("read", { timeoutMs: 500 }));
    expect(clock.waits).toEqual([1_000]);
  });

  test("is the server's, whichever role or session calls", async () => {
    memory = fakeServer("memory", TOOLS, { ratePerMinute: 2 });
    const roles = ["a", "b"].map((name) => fakeRole(name, [[memory, { tools: { read: "allow" } }]]));
    const { as } = fakeTeam([memory], roles, { clock });
    await as("a").$call("memory", "read");
    await as("a").$call("memory", "read");
    expect((await failureOf(as("b").$call("memory", "read"))).code).toBe("rate-limited");
  });

  test("in no minute, wherever it begins, more than that", () => {
    let now = 0;
    const limiter = memoryLimiter(3, () => now);
    const passed: number[] = [];
    const step = async (): Promise<void> => {
      now += 7_000;
      await limiter.consume("s").then(
        () => passed.push(now),
        () => {},
      );
    };
    return Array.from({ length: 60 })
      .reduce<Promise<void>>((before) => before.then(step), Promise.resolve())
      .then(() => {
        expect(passed.length).toBeGreaterThan(18);
        for (let i = 3; i < passed.length; i++) expect(passed[i]! - passed[i - 3]!).toBeGreaterThanOrEqual(60_000);
      });
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
    while (answers.length > 0 || running === 0) {
      await settled();
      answers.shift()?.();
      if (memory.sent.length === 7 && answers.length === 0) break;
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

describe("the breaker", () => {
  const broken = (code: RolecallError["code"]) => new RolecallError(code, "no", { server: "memory" });

  test("three refused connections: then at once, without a byte, until a trial succeeds", async () => {
    const { call, events, session: s } = session({});
    memory.connecting = () => Promise.reject(lost(memory));
    for (let i = 0; i < 3; i++) await failureOf(call("read"));
    expect(memory.log).toEqual(["connect", "connect", "connect"]);
    clock.time += 18_000;
    const error = await failureOf(call("read"));
    expect(error).toMatchObject({ code: "server-unavailable", retryAfterMs: 42_000, retryable: true });
    expect(error.advice).toBe(
      "server `memory` is down: the connection was closed. Use files instead. The next try makes sense in 42 s.",
    );
    expect(memory.log).toHaveLength(3);
    expect(s.$health()["memory"]).toMatchObject({
      state: "down",
      retryInMs: 42_000,
      lastFailure: "the connection was closed",
    });
    clock.time += 42_000;
    memory.connecting = async () => {};
    await call("read");
    expect(events.map(({ type }) => type)).toEqual(["down", "up"]);
    expect(s.$health()["memory"]).toMatchObject({ state: "up", retryInMs: 0 });
  });

  test("a trial that fails closes the door for as long again", async () => {
    const { call } = session({});
    memory.connecting = () => Promise.reject(lost(memory));
    for (let i = 0; i < 3; i++) await failureOf(call("read"));
    clock.time += 60_000;
    await failureOf(call("read"));
    expect((await failureOf(call("read"))).retryAfterMs).toBe(60_000);
    expect(memory.log).toHaveLength(4);
  });

  test.each(["tool-failed", "needs-auth", "auth-failed", "rate-limited", "missing-variable"] as const)(
    "%s doesn't count",
    async (code) => {
      const { call } = session({});
      memory.calling = () => Promise.reject(broken(code));
      for (let i = 0; i < 5; i++) expect((await failureOf(call("write"))).code).toBe(code);
      memory.calling = async () => ({ isError: true });
      for (let i = 0; i < 5; i++) expect((await failureOf(call("write"))).code).toBe("tool-failed");
      memory.calling = async () => ANSWER;
      await call("write");
    },
  );

  test.each(["timeout", "server-unavailable"] as const)(
    "%s counts; one success in between begins anew",
    async (code) => {
      const { call } = session({});
      const fail = () => Promise.reject(broken(code));
      for (const calling of [fail, fail, async () => ANSWER, fail, fail]) {
        memory.calling = calling;
        await call("write").catch(() => {});
      }
      expect((await failureOf(call("write"))).code).toBe(code);
      expect((await failureOf(call("write"))).message).toContain("is down");
      expect(memory.sent).toHaveLength(6);
    },
  );

  test("`failures: 1`: the call after the first failure fails at once", async () => {
    const { call } = session({ breaker: { failures: 1, cooldownMs: 60_000 } });
    memory.calling = () => Promise.reject(lost(memory));
    await failureOf(call("read"));
    await failureOf(call("read"));
    expect(memory.sent).toHaveLength(1);
  });

  test("a link that waits for its own next try adds no failure", async () => {
    const { call } = session({});
    const cause = { httpStatus: undefined, unsent: true, waiting: true };
    memory.connecting = () =>
      Promise.reject(new RolecallError("server-unavailable", "later", { retryAfterMs: 500, cause }));
    for (let i = 0; i < 9; i++) await failureOf(call("read"));
    expect(memory.log).toHaveLength(9);
  });

  test("one trial at a time, and failures of calls under way together are one", () => {
    let now = 0;
    const states: string[] = [];
    const breaker = createBreaker(
      { failures: 2, cooldownMs: 10 },
      () => now,
      (state) => states.push(state),
    );
    const together = [1, 2, 3].map(() => breaker.enter()!);
    together.forEach((ticket) => breaker.failed(ticket));
    expect(breaker.closedFor()).toBeUndefined();
    breaker.failed(breaker.enter()!);
    expect([breaker.enter(), breaker.closedFor()]).toEqual([undefined, 10]);
    now = 10;
    const trial = breaker.enter()!;
    expect([trial.trial, breaker.enter()]).toEqual([true, undefined]);
    breaker.left(trial);
    const second = breaker.enter()!;
    breaker.succeeded(second);
    expect([breaker.closedFor(), states]).toEqual([undefined, ["down", "up"]]);
  });
});

describe("again, where it can do no harm", () => {
  const cases: readonly (readonly [string, boolean, number])[] = [
    ["read", false, 2],
    ["put", false, 2],
    ["write", false, 1],
    ["write", true, 2],
  ];
  test.each(cases)("%s, certainly not done: %s, is sent %i times", async (tool, unsent, times) => {
    const { call } = session({});
    let first = true;
    memory.calling = async () => {
      if (!first) return ANSWER;
      first = false;
      throw lost(memory, unsent);
    };
    const outcome = await call(tool).then(
      ({ meta }) => meta.retries,
      (error: RolecallError) => error,
    );
    expect(memory.sent).toHaveLength(times);
    if (times === 2) expect(outcome).toBe(1);
    else expect(outcome).toMatchObject({ code: "server-unavailable", retryable: false });
    for (const wait of clock.waits) expect(wait).toBeGreaterThanOrEqual(50);
  });

  test("at most three times, and never beyond its time", async () => {
    const { call } = session({ breaker: { failures: 9, cooldownMs: 1 } });
    memory.calling = () => Promise.reject(lost(memory));
    await failureOf(call("read"));
    expect(memory.sent).toHaveLength(3);
    await failureOf(call("read", { timeoutMs: 40 }));
    expect(memory.sent).toHaveLength(4);
  });

  test("a server's 429 is waited for as it says, for writes too, since it did nothing", async () => {
    const { call, events } = session({});
    const busy = [7_000, undefined];
    memory.calling = async () => {
      if (busy.length === 0) return ANSWER;
      throw new RolecallError("rate-limited", "429", { retryAfterMs: busy.shift(), retryable: true });
    };
    await call("write");
    expect(clock.waits).toEqual([7_000, 2_000]);
    expect(events.map(({ type }) => type)).toEqual(["rate-limited", "rate-limited"]);
  });

  test("a 429 that asks for more time than the call has is an error with that time", async () => {
    const { call } = session({});
    memory.calling = () => Promise.reject(new RolecallError("rate-limited", "429", { retryAfterMs: 90_000 }));
    expect(await failureOf(call("read"))).toMatchObject({
      code: "rate-limited",
      retryAfterMs: 90_000,
      retryable: true,
    });
    expect(clock.waits).toEqual([]);
  });

  test("a changed tool isn't sent again", async () => {
    const { call } = session({});
    memory.calling = async () => {
      memory.changed = "another schema";
      throw lost(memory);
    };
    expect((await failureOf(call("read"))).code).toBe("tool-changed");
    expect(memory.sent).toHaveLength(1);
  });

  test("a cancelled call says nothing about the server and isn't repeated", async () => {
    const { call } = session({ breaker: { failures: 1, cooldownMs: 60_000 } });
    const stop = new AbortController();
    memory.calling = () => {
      stop.abort();
      return Promise.reject(lost(memory));
    };
    expect((await failureOf(call("read", { signal: stop.signal }))).message).toContain("cancelled");
    memory.calling = async () => ANSWER;
    await call("read");
    expect((await failureOf(call("read", { signal: AbortSignal.abort() }))).code).toBe("timeout");
    expect(memory.sent).toHaveLength(2);
  });
});
