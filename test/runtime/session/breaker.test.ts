import { beforeEach, describe, expect, test } from "vitest";
import type { TeamOptions } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { createBreaker } from "../../../runtime/session/breaker.ts";
import { ANSWER, failureOf, fakeClock, lost, type FakeClock, type FakeServer } from "../../support/fake-link.ts";
import { memorySession } from "./fake-teams.ts";

/** When nobody is let near a server, and when a call is made again. */

let memory: FakeServer;
let clock: FakeClock;
beforeEach(() => (clock = fakeClock(true)));

function session(more: Partial<ServerData>, options: TeamOptions = {}) {
  const made = memorySession(clock, more, options);
  memory = made.memory;
  return made;
}

describe("the breaker", () => {
  const broken = (code: RolecallError["code"]) => new RolecallError(code, "no", { server: "memory" });

  test("what is down isn't said to be out of reach as well", async () => {
    const { call } = session({});
    memory.connecting = () =>
      Promise.reject(
        new RolecallError("server-unavailable", "memory can't be reached: it ended with exit code 1", {
          server: "memory",
        }),
      );
    for (let i = 0; i < 3; i++) await failureOf(call("read"));
    expect((await failureOf(call("read"))).message).toBe("server `memory` is down: it ended with exit code 1");
  });

  test("three refused connections: then at once, without a byte, until a trial succeeds", async () => {
    const { call, events, health } = session({});
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
    expect((await failureOf(call("read", undefined, 3))).advice).not.toContain("next try");
    expect(health()).toMatchObject({
      state: "down",
      retryInMs: 42_000,
      lastFailure: "the connection was closed",
    });
    clock.time += 42_000;
    memory.connecting = async () => {};
    await call("read");
    expect(events.map(({ type }) => type)).toEqual(["down", "refused", "up"]);
    expect(health()).toMatchObject({ state: "up", retryInMs: 0 });
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

  test("a tool's own error says that the server is there", async () => {
    const { call } = session({});
    for (const code of ["timeout", "timeout", "tool-failed", "timeout", "timeout"] as const) {
      memory.calling = () => Promise.reject(broken(code));
      await failureOf(call("write"));
    }
    expect((await failureOf(call("write"))).message).not.toContain("is down");
  });

  test("nobody waits for it to close, however short the time", async () => {
    const { call } = session({ breaker: { failures: 1, cooldownMs: 100 } });
    memory.calling = () => Promise.reject(lost(memory));
    expect((await failureOf(call("read"))).message).toContain("the connection was closed");
    expect(clock.waits).toEqual([]);
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
    breaker.answered(second);
    expect([breaker.closedFor(), states]).toEqual([undefined, ["down", "up"]]);
  });
});

describe("again, where it can do no harm", () => {
  const cases: readonly (readonly [string, boolean, number])[] = [
    ["read", false, 2],
    ["put", false, 1],
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
    else expect(outcome).toMatchObject({ code: "server-unavailable", retryable: tool === "put" });
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

  test.each([
    ["write", 2],
    ["read", 3],
  ] as const)("%s, after a forgotten session and a 429: sent %i times", async (tool, times) => {
    const { call } = session({});
    const about = { httpStatus: 404, unsent: false, waiting: false, forgotten: true };
    const errors = [
      new RolecallError("tool-failed", "404", { cause: about }),
      new RolecallError("rate-limited", "429", { retryAfterMs: 10, retryable: true }),
    ];
    memory.calling = async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return ANSWER;
    };
    await call(tool).catch(() => {});
    expect(memory.sent).toHaveLength(times);
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
    const aborted = await failureOf(call("read", { signal: AbortSignal.abort() }));
    expect(aborted.code).toBe("cancelled");
    expect(aborted.advice).toBe("the caller cancelled the call.");
    const late = AbortSignal.abort(new DOMException("", "TimeoutError"));
    expect(await failureOf(call("read", { signal: late }))).toMatchObject({
      code: "timeout",
      message: "memory.read gave no answer within the time of its caller's signal",
      retryable: true,
    });
    expect(memory.sent).toHaveLength(2);
  });

  test("an answer that comes as the call is cancelled is the answer", async () => {
    const { call } = session({ breaker: { failures: 2, cooldownMs: 60_000 } });
    memory.calling = () => Promise.reject(lost(memory, false));
    await failureOf(call("write"));
    const stop = new AbortController();
    memory.calling = async () => {
      stop.abort();
      throw new RolecallError("tool-failed", "memory.write failed: no such note");
    };
    const { code, message } = await failureOf(call("write", { signal: stop.signal }));
    expect([code, message]).toEqual(["tool-failed", "memory.write failed: no such note"]);
    memory.calling = () => Promise.reject(lost(memory, false));
    await failureOf(call("write"));
    expect((await failureOf(call("write"))).message).not.toContain("is down");
  });
});
