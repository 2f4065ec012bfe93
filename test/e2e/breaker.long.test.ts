import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultTeam } from "./fault-team.ts";
import { fault, http, soon, startFault } from "../support/linked.ts";

/** What counts against a server, with real servers: a connection that can be made says nothing about the next call. */

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "rolecall-breaker-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const COOLDOWN = { breaker: { failures: 3, cooldownMs: 60_000 } };

describe("a server that answers `initialize` and dies at each call", () => {
  const overs = { stdio: async () => fault(), http: async () => http((await startFault({})).url) } as const;

  test.each([
    ["a write", "stdio", "die", []],
    ["a read", "stdio", "die", ["die"]],
    ["a write", "http", "cut", []],
    ["a read", "http", "cut", ["cut"]],
  ] as const)(
    "%s over %s: three such calls close the door, though it could be connected each time",
    async (...given) => {
      const [, over, tool, readOnly] = given;
      const { failure, health, skip, types } = faultTeam([await overs[over]()], { data: COOLDOWN, readOnly });
      for (let i = 0; i < 3; i++) {
        expect(health().retryInMs).toBeLessThan(31_000);
        expect((await failure(tool)).code).toBe("server-unavailable");
        skip(i === 2 ? 0 : 31_000);
      }
      const error = await failure("echo");
      expect(error.message).toContain("is down");
      expect(error.retryAfterMs).toBeGreaterThan(50_000);
      expect(health()).toMatchObject({ state: "down" });
      expect(health().retryInMs).toBeGreaterThan(50_000);
      expect(types().at(-1)).toBe("down");
    },
  );

  test("an answer in between begins the count anew, and one that was let try opens the door", async () => {
    const { call, failure, health, skip, types } = faultTeam([fault()], { data: COOLDOWN });
    for (const tool of ["die", "die", "echo", "die", "die"]) {
      await call(tool).catch(() => {});
      skip(31_000);
    }
    await call("echo");
    for (let i = 0; i < 3; i++) {
      await failure("die");
      skip(i === 2 ? 61_000 : 31_000);
    }
    expect(health()).toMatchObject({ state: "down", retryInMs: 0 });
    await call("echo");
    expect(health()).toMatchObject({ state: "up", retryInMs: 0 });
    expect(types().at(-1)).toBe("up");
  });
});

test("connections that are lost between calls count, also when each could be made again", async () => {
  const pidFile = path.join(folder, "pid");
  const { failure, health, session, skip, types } = faultTeam([fault({ pidFile })], { data: COOLDOWN });
  for (let downs = 1; downs <= 3; downs++) {
    await session.$require("faulty");
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
    await soon(() => types().filter((type) => type === "down").length >= downs);
    if (downs < 3) skip(31_000);
  }
  expect((await failure("echo")).message).toContain("is down");
  expect(health()).toMatchObject({ state: "down", lastFailure: expect.stringContaining("SIGKILL") });
});

test("health, errors and advice name the same time, before the door is closed and while it is", async () => {
  const gone = await startFault({});
  await gone.kill();
  const now = 1_700_000_000_000;
  const clock = { ahead: 0, now: () => now + clock.ahead, sleep: () => Promise.resolve() };
  const { failure, health } = faultTeam([http(gone.url)], { data: COOLDOWN, options: { clock } });
  for (let i = 0; i < 4; i++) {
    const { retryAfterMs, advice } = await failure("echo");
    expect(retryAfterMs).toBeGreaterThan(i < 2 ? 200 : 59_000);
    expect(health()).toMatchObject({ state: "down", retryInMs: retryAfterMs });
    expect(advice).toContain(`The next try makes sense in ${Math.ceil(retryAfterMs! / 1_000)} s.`);
    if (i < 2) clock.ahead += 31_000;
  }
});
