import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterUnion } from "rate-limiter-flexible";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RateLimiter } from "../../../runtime/api.ts";
import { failureOf, fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";
import { hasRedis, ownRedis, type OwnRedis } from "../../support/redis.ts";

/** A rate limit that several processes share, with rate-limiter-flexible's own limiters and a real Redis. */

if (!hasRedis) console.warn("redis-server isn't installed: what needs a real Redis is skipped");

function session(limiter: RateLimiter | ((server: string, ratePerMinute: number) => RateLimiter), timeoutMs = 900) {
  const notes = fakeServer("notes", { search: {} }, { ratePerMinute: 2, timeoutMs });
  const role = fakeRole("reader", [[notes, { tools: { search: "allow" } }]]);
  const { as, events } = fakeTeam([notes], [role], { limiter });
  const reader = as("reader");
  return { notes, events, call: () => reader.$call("notes", "search") };
}

describe("limiters of rate-limiter-flexible, as they are", () => {
  test("in memory", async () => {
    const { call, notes } = session((keyPrefix, points) => new RateLimiterMemory({ keyPrefix, points, duration: 60 }));
    await call();
    await call();
    const error = await failureOf(call());
    expect(error).toMatchObject({
      code: "rate-limited",
      message: "Rate limit exceeded (rate limit of 2/min, notes)",
      retryable: true,
    });
    expect(error.retryAfterMs).toBeGreaterThan(55_000);
    expect(notes.sent).toHaveLength(2);
  });

  test("a union: the longest of its waits counts", async () => {
    const often = new RateLimiterMemory({ keyPrefix: "second", points: 1, duration: 20 });
    const seldom = new RateLimiterMemory({ keyPrefix: "minute", points: 1, duration: 40 });
    const { call } = session(new RateLimiterUnion(often, seldom));
    await call();
    expect((await failureOf(call())).retryAfterMs).toBeGreaterThan(35_000);
  });
});

describe.skipIf(!hasRedis)("through a real Redis", () => {
  let redis: OwnRedis;
  const clients: Redis[] = [];
  beforeEach(async () => {
    redis = await ownRedis();
    await redis.start();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await redis.kill();
  });

  function limiter(options: object, more: object = {}) {
    const storeClient = new Redis({ port: redis.port, host: "127.0.0.1", retryStrategy: () => 20, ...options });
    storeClient.on("error", () => {});
    clients.push(storeClient);
    return (keyPrefix: string, points: number) =>
      new RateLimiterRedis({ storeClient, keyPrefix, points, duration: 60, ...more });
  }

  describe("two processes", () => {
    const worker = path.join(import.meta.dirname, `.shared-limit.${process.pid}.mjs`);
    beforeAll(async () => {
      const entry = path.join(import.meta.dirname, "shared-limit.ts");
      const shape = { bundle: true, packages: "external", platform: "node", format: "esm" } as const;
      await build({ entryPoints: [entry], outfile: worker, ...shape });
    });
    afterAll(() => rmSync(worker, { force: true }));

    const run = (calls: number): Promise<{ sent: number; refused: number; why: string[] }> =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [worker, String(redis.port), "20", String(calls)]);
        let said = "";
        child.stdout.on("data", (text: Buffer) => (said += text.toString()));
        child.stderr.on("data", (text: Buffer) => (said += text.toString()));
        child.on("error", reject);
        child.on("close", () => {
          try {
            resolve(JSON.parse(said) as Awaited<ReturnType<typeof run>>);
          } catch {
            reject(new Error(said));
          }
        });
      });

    test("have 20 calls a minute between them, and no one more", async () => {
      const [one, two] = await Promise.all([run(15), run(15)]);
      expect(one.sent + two.sent).toBe(20);
      expect(one.refused + two.refused).toBe(10);
      const why = ["Rate limit exceeded (rate limit of 20/min, notes)"];
      expect([...new Set([...one.why, ...two.why])]).toEqual(why);
    });
  });

  test.each([
    ["that fails at once", { enableOfflineQueue: false, maxRetriesPerRequest: 0 }],
    ["that waits for Redis to come back", { maxRetriesPerRequest: null }],
  ])("when it dies nobody calls, and then again: a client %s", async (_, options) => {
    const { call, notes, events } = session(limiter(options), 300);
    const untilThrough = async (): Promise<void> => await expect.poll(call, { timeout: 10_000 }).toBeDefined();
    await untilThrough();
    await redis.kill();
    const began = Date.now();
    const error = await failureOf(call());
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(error).toMatchObject({ code: "rate-limited", retryable: true, retryAfterMs: undefined });
    expect(error.advice).toContain("the limiter of server `notes` gives no answer");
    expect(events.at(-1)).toMatchObject({ type: "hook-failed", hook: "limiter" });
    expect(notes.sent).toHaveLength(1);
    await redis.start();
    await untilThrough();
    expect(notes.sent).toHaveLength(2);
  });

  test("who would rather go on gives it a limiter for that time", async () => {
    const insuranceLimiter = new RateLimiterMemory({ points: 1, duration: 60 });
    const { call, notes } = session(limiter({ enableOfflineQueue: false }, { insuranceLimiter }));
    await redis.kill();
    await call();
    expect((await failureOf(call())).message).toContain("Rate limit exceeded");
    expect(notes.sent).toHaveLength(1);
  });
});
