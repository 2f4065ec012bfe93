import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TeamOptions } from "../../runtime/api.ts";
import type { ServerData, TransportData } from "../../runtime/server-data.ts";
import { faultTeam } from "../e2e/fault-team.ts";
import { fault, http, isAlive, soon, startFault } from "../support/linked.ts";

/** The time that a caller gives holds from the first step on; the server's own is for the call alone. Real servers. */

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "rolecall-deadline-"))));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => path.join(folder, String((files += 1)));

const hanging = async (): Promise<TransportData> => http((await startFault({ initialize: "hang" })).url);
const never = (): Promise<never> => new Promise(() => {});

const WITH_ADVICE = { data: { whenDown: "Use the notes." } };

/** Long after the caller's time, and long before the server's. */
const SOON_MS = 3_000;

async function took(work: Promise<unknown>): Promise<number> {
  const began = Date.now();
  await work;
  return Date.now() - began;
}

interface Wait {
  readonly connect: () => Promise<readonly TransportData[]>;
  readonly data?: Partial<ServerData>;
  readonly options?: TeamOptions;
  readonly ends?: object;
}

const FIRST_STEPS: Readonly<Record<string, Wait>> = {
  "connecting over three transports": { connect: () => Promise.all([hanging(), hanging(), hanging()]) },
  "comparing the list": { connect: async () => [fault({ listDelay: 6_000 })] },
  "looking up a variable": {
    connect: async () => [fault({}, { KEY: [{ name: "KEY", form: "plain", word: [] }] })],
    options: { env: never },
  },
  "the rate, of a limiter that says nothing": {
    connect: async () => [fault()],
    data: { ratePerMinute: 60 },
    options: { limiter: { consume: never } },
    ends: { code: "rate-limited", message: expect.stringContaining("gives no answer") },
  },
};

describe("a call that has 300 ms ends in time", () => {
  test.each(Object.entries(FIRST_STEPS))("while it waits for %s", async (_, { connect, data, options, ends }) => {
    const { call, failure, lines, health } = faultTeam(await connect(), {
      data: { timeoutMs: 8_000, ...data },
      options,
    });
    const error = failure("echo", {}, { timeoutMs: 300 });
    expect(await took(error)).toBeLessThan(SOON_MS);
    expect(await error).toMatchObject({
      code: "timeout",
      retryable: true,
      message: "faulty.echo gave no answer within 300 ms",
      ...ends,
    });
    expect(lines).toMatchObject([{ status: "error", code: (await error).code }]);
    expect(health().lastFailure).toBeUndefined();
    expect(await took(call("echo", {}, { signal: AbortSignal.timeout(300) }).catch(() => {}))).toBeLessThan(SOON_MS);
  });

  test("while it waits for a slot, and isn't sent later", async () => {
    const log = newFile();
    const { call, failure } = faultTeam([fault({ log })], { data: { concurrency: 1 } });
    await Promise.all([call("echo"), call("slow", { ms: 1 })]);
    const slow = call("slow", { ms: 1_500 });
    const error = failure("echo", { late: true }, { timeoutMs: 300 });
    expect(await took(error)).toBeLessThan(1_400);
    expect(await error).toMatchObject({ code: "timeout", retryable: true });
    await slow;
    await call("echo");
    expect(readFileSync(log, "utf8")).not.toContain("late");
  });

  test("while it waits for a person, who is told until when", async () => {
    const expires: number[] = [];
    const ask = ({ expires: until }: { expires: number }): Promise<never> => {
      expires.push(until);
      return never();
    };
    const { failure, lines } = faultTeam([fault()], { options: { ask }, ask: ["echo"] });
    const began = Date.now();
    expect(await failure("echo", {}, { timeoutMs: 2_500 })).toMatchObject({ code: "timeout" });
    expect(Date.now() - began).toBeLessThan(6_000);
    expect(expires[0]! - began).toBeLessThan(3_500);
    expect(lines).toMatchObject([{ ask: "none", code: "timeout" }]);
  });

  test("while it waits for the answer, and of a write nobody is told to try again", async () => {
    const { call, failure } = faultTeam([fault()], { data: { timeoutMs: 8_000 } });
    await call("echo");
    const error = failure("hang", {}, { timeoutMs: 300 });
    expect(await took(error)).toBeLessThan(SOON_MS);
    expect(await error).toMatchObject({ code: "timeout", retryable: false });
    expect((await error).message).toBe("faulty.hang gave no answer within 300 ms");
  });

  test.each([Infinity, 2 ** 31, 2 ** 40])("and one that has %d ms isn't over at once", async (timeoutMs) => {
    const { call } = faultTeam([fault()]);
    expect((await call("slow", { ms: 50 }, { timeoutMs })).text).toBe("slow");
  });
});

describe("a caller who gives up", () => {
  const stages = {
    connecting: () => faultTeam([fault({ initialize: "hang" })], WITH_ADVICE),
    comparing: () => faultTeam([fault({ listDelay: 2_000 })], WITH_ADVICE),
    "a person": () => faultTeam([fault()], { ...WITH_ADVICE, ask: ["hang"], options: { ask: never } }),
    "a slot": () => faultTeam([fault()], { data: { ...WITH_ADVICE.data, concurrency: 1 } }),
    "the rate": () => faultTeam([fault()], { data: { ...WITH_ADVICE.data, ratePerMinute: 1 } }),
    "the answer": () => faultTeam([fault()], WITH_ADVICE),
  } as const;
  const reasons = {
    "without a word": () => undefined,
    "with his reason": () => new Error("never mind"),
    "because his own time is over": () => new DOMException("over", "TimeoutError"),
  } as const;

  test.each(Object.keys(stages) as (keyof typeof stages)[])("while waiting for %s", async (stage) => {
    const ends = Object.entries(reasons).map(async ([how, reason]) => {
      const { call, failure, health } = stages[stage]();
      if (stage === "the rate") await call("echo");
      const busy = stage === "a slot" ? [call("echo").then(() => call("slow", { ms: 900 }))] : [];
      const stop = new AbortController();
      setTimeout(() => stop.abort(reason()), 400);
      const { code, advice } = await failure("hang", {}, { signal: stop.signal });
      const said = [how, code, advice.includes("notes"), health().lastFailure];
      await Promise.all(busy);
      return said;
    });
    expect(await Promise.all(ends)).toEqual([
      ["without a word", "cancelled", false, undefined],
      ["with his reason", "cancelled", false, undefined],
      ["because his own time is over", "timeout", false, undefined],
    ]);
  });
});

test.each([2 ** 31 + 500, 2 ** 40])("a server's time of %d ms is a time for its ping too", async (timeoutMs) => {
  const { call, failure, types } = faultTeam([fault()], { data: { timeoutMs } });
  await call("echo");
  await failure("hang", {}, { timeoutMs: 100 });
  await call("slow", { ms: 300 });
  expect(types()).toEqual(["connected"]);
});

test("without a time of the caller's, waiting for a slot isn't part of the call", async () => {
  const { call } = faultTeam([fault()], { data: { concurrency: 1, timeoutMs: 2_000 } });
  await call("echo");
  const slow = ["a", "b", "c"].map((n) => call("slow", { ms: 1_000, n }));
  expect((await Promise.all(slow)).map(({ text }) => text)).toEqual(["slow", "slow", "slow"]);
});

describe("the breaker", () => {
  test("isn't told of a caller's hurry", async () => {
    const { call, failure, health } = faultTeam([fault()], { data: { timeoutMs: 20_000 } });
    await call("echo");
    for (let i = 0; i < 5; i++) expect((await failure("hang", {}, { timeoutMs: 40 })).code).toBe("timeout");
    expect(health()).toMatchObject({ state: "up", retryInMs: 0, lastFailure: undefined });
    await call("echo");
  });

  test.each([undefined, 1_500])("is told where the server had its whole time (%s)", async (timeoutMs) => {
    const { call, failure, health } = faultTeam([http((await startFault({})).url)], { data: { timeoutMs: 1_000 } });
    await call("echo");
    for (let i = 0; i < 3; i++) await failure("hang", {}, { timeoutMs });
    expect(health().state).toBe("down");
    expect((await failure("echo")).retryAfterMs).toBeGreaterThan(50_000);
  });

  test("counts a call once, however often it was sent", async () => {
    const log = newFile();
    const { url } = await startFault({ log });
    const { call, failure, health } = faultTeam([http(url)], { readOnly: ["status"] });
    await call("echo");
    for (let i = 0; i < 2; i++) await failure("status", { status: 500 });
    expect(readFileSync(log, "utf8").split('"name":"status"').length - 1).toBe(6);
    expect(health().state).toBe("up");
    await failure("status", { status: 500 });
    expect(health().state).toBe("down");
  });

  test("time that a server asks for is in health, and is five minutes at most", async () => {
    const { failure, health } = faultTeam([http((await startFault({})).url)]);
    const error = await failure("status", { status: 429, retryAfter: "86400" });
    expect(error.retryAfterMs).toBeGreaterThan(290_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(300_000);
    expect(health().retryInMs).toBeGreaterThan(290_000);
    expect(health().retryInMs).toBeLessThanOrEqual(300_000);
    expect(await failure("echo")).toMatchObject({ code: "rate-limited" });
  });
});

describe("a child that hangs", () => {
  async function frozen(timeoutMs: number) {
    const pidFile = newFile();
    const made = faultTeam([fault({ pidFile })], { data: { timeoutMs } });
    await made.call("echo");
    const pid = Number(readFileSync(pidFile, "utf8"));
    return { ...made, pid, freeze: () => process.kill(pid, "SIGSTOP") };
  }

  test("is ended and replaced, and counts once", async () => {
    const { call, failure, pid, freeze, types, health } = await frozen(2_000);
    freeze();
    expect((await failure("echo")).code).toBe("timeout");
    await soon(() => types().includes("down"), 10_000);
    await call("echo");
    expect(health().state).toBe("up");
    await soon(() => !isAlive(pid), 10_000);
    expect(types()).toEqual(["connected", "down", "connected", "up"]);
  });

  test("has the server's time to say that it lives, whatever the caller's was", async () => {
    const { call, failure, pid, freeze, types } = await frozen(2_500);
    freeze();
    const began = Date.now();
    await failure("echo", {}, { timeoutMs: 50 });
    await soon(() => types().includes("down"), 10_000);
    expect(Date.now() - began).toBeGreaterThan(2_400);
    await call("echo");
    await soon(() => !isAlive(pid), 10_000);
  });

  test("isn't one whose tool is slow", async () => {
    const { call, failure, pid, types } = await frozen(2_000);
    await failure("hang");
    await failure("hang", {}, { timeoutMs: 50 });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await call("echo");
    expect([isAlive(pid), types()]).toEqual([true, ["connected"]]);
  });
});
