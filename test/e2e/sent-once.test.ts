import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultTeam, type FaultTeamChoices } from "./fault-team.ts";
import { linkFailure } from "../../runtime/connect/failure.ts";
import { http, open, serverData, sse, startFault } from "../support/linked.ts";

/** How often a call reaches a real server that answers it with an error of HTTP: what may have written is sent once. */

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "rolecall-sent-"))));
afterAll(() => rmSync(folder, { recursive: true }));

let logs = 0;
async function started(choices: FaultTeamChoices = {}) {
  const log = path.join(folder, `${(logs += 1)}.log`);
  const made = faultTeam([http((await startFault({ log })).url)], choices);
  const count = (text: string): number => readFileSync(log, "utf8").split(text).length - 1;
  return { ...made, sent: () => count('"params":{"name":"status"'), sessions: () => count('"method":"initialize"') };
}

const FORGOTTEN = "Session not found";

describe("a write", () => {
  const cases: readonly (readonly [number, string, "fresh" | "older", number, number])[] = [
    [404, "", "fresh", 1, 1],
    [404, FORGOTTEN, "fresh", 1, 1],
    [404, "", "older", 2, 2],
    [400, FORGOTTEN, "fresh", 1, 1],
    [400, FORGOTTEN, "older", 1, 1],
    [400, "bad arguments", "older", 1, 1],
    [405, "", "older", 1, 1],
    [410, "", "older", 1, 1],
    [500, "", "older", 1, 1],
    [503, "", "older", 1, 1],
  ];

  test.each(cases)("answered with %i %j in a session that is %s is sent %i times", async (...given) => {
    const [status, body, age, sends, sessions] = given;
    const { call, failure, sent, sessions: opened } = await started();
    if (age === "older") await call("echo");
    const { code, retryable } = await failure("status", { status, body });
    expect([sent(), opened()]).toEqual([sends, sessions]);
    expect(retryable).toBe(false);
    expect(code).toBe(status === 404 || status === 400 ? "tool-failed" : "server-unavailable");
  });

  test("that meets a session of which nothing is known any more ends well, sent twice", async () => {
    const { call, sent, lines } = await started();
    await call("echo");
    expect((await call("status", { status: 404, times: 1 })).meta.retries).toBe(1);
    expect(sent()).toBe(2);
    expect(lines).toMatchObject([{ retries: 0 }, { retries: 1, status: "ok" }]);
  });

  test("after a 404 in a fresh session the next call has another, at once", async () => {
    const { call, failure, sessions } = await started();
    await failure("status", { status: 404 });
    await call("echo");
    expect(sessions()).toBe(2);
  });
});

describe("a redirect is never followed with a message", () => {
  const followed = [301, 302, 303, 307, 308];

  test.each(followed)("a call that is answered with %i to the server itself was sent once", async (status) => {
    for (const readOnly of [[], ["status"]]) {
      const { call, failure, sent } = await started({ readOnly });
      await call("echo");
      const error = await failure("status", { status, location: "/mcp/?key=1" });
      expect([sent(), error.code, error.retryable]).toEqual([1, "tool-failed", false]);
      expect(error.message).toContain(`it answered with a redirect (${status}); write the address it names`);
      expect(linkFailure(error)?.said).toMatch(/^it redirects to http:\/\/127\.0\.0\.1:\d+\/mcp\/$/);
    }
  });

  test("nor over SSE", async () => {
    const log = path.join(folder, "sse.log");
    const { failure } = open(serverData([sse((await startFault({ over: "sse", log })).url)]));
    expect(await failure("status", { status: 307, location: "#again" })).toMatchObject({ code: "tool-failed" });
    expect(readFileSync(log, "utf8").split('"params":{"name":"status"')).toHaveLength(2);
  });

  test.each([307, 308])("`initialize` is sent once too, and no other transport is tried: %i", async (status) => {
    const log = path.join(folder, `initialize-${status}.log`);
    const { url } = await startFault({ log, redirect: "/elsewhere", redirectStatus: status });
    const { failure, events } = open(serverData([http(url), http((await startFault({})).url)]));
    const error = await failure("echo");
    expect(error.code).toBe("server-unavailable");
    expect(error.message).toContain(`it answered with a redirect (${status}); write the address it names`);
    expect(readFileSync(log, "utf8")).toBe("POST /mcp\n");
    expect(events.map(({ type }) => type)).toEqual(["down"]);
  });
});

describe("a 421, which the platform's own client would send again", () => {
  const messages = (log: string, text: string): number => readFileSync(log, "utf8").split(text).length - 1;

  test.each(["http", "sse"] as const)(
    "a call is sent once, over %s, and read as the server was given it",
    async (over) => {
      const log = path.join(folder, `misdirected-${over}.log`);
      const { url } = await startFault({ over, log });
      const { call, failure } = open(serverData([over === "sse" ? sse(url) : http(url)]));
      expect((await call("seen", { text: "grüße" })).headers).toMatchObject({ "content-length": expect.any(String) });
      expect(await failure("status", { status: 421 })).toMatchObject({ code: "tool-failed", retryable: false });
      expect(messages(log, '"params":{"name":"status"')).toBe(1);
    },
  );

  test("`initialize` and notifications too", async () => {
    const log = path.join(folder, "misdirected-initialize.log");
    const { url } = await startFault({ log, initialize: 421 });
    await open(serverData([http(url)])).failure("echo");
    expect(readFileSync(log, "utf8")).toBe("POST /mcp\n");
    const later = path.join(folder, "misdirected-notification.log");
    const at = { method: "notifications/initialized", nth: 1, do: "421" };
    const noted = await startFault({ over: "sse", log: later, at });
    await open(serverData([sse(noted.url)])).failure("echo");
    expect(messages(later, '"method":"notifications/initialized"')).toBe(1);
  });
});

describe("a call answered 401 where there is a login", () => {
  const login = (tokens: string[]) => () => ({
    token: async () => tokens[0],
    mayGoTo: () => true,
    onUnauthorized: async () => void tokens.shift(),
  });

  test.each(["http", "sse"] as const)("is sent once, and the next call has a renewed token, over %s", async (over) => {
    const log = path.join(folder, `login-${over}.log`);
    const { url } = await startFault({ over, log });
    const tokens = ["stale", "fresh"];
    const { call, failure } = open(serverData([over === "sse" ? sse(url) : http(url)]), {}, ".", login(tokens));
    await call("echo");
    const error = await failure("status", { status: 401, times: 1 });
    expect(error).toMatchObject({ code: "needs-auth", retryable: false });
    expect(readFileSync(log, "utf8").split('"params":{"name":"status"')).toHaveLength(2);
    expect((await call("seen")).headers.authorization).toBe("Bearer fresh");
  });
});

test("a 407, of which the platform gives nothing but a failure, has a reason and is sent once", async () => {
  const { call, failure, sent } = await started();
  await call("echo");
  const error = await failure("status", { status: 407 });
  expect([sent(), error.code, error.retryable]).toEqual([1, "server-unavailable", false]);
  expect(error.message).toContain("a proxy on the way may ask for a login (407)");
});

test("a read is sent again after a 5xx, and not for ever", async () => {
  const { call, failure, sent } = await started({
    readOnly: ["status"],
    data: { breaker: { failures: 9, cooldownMs: 1 } },
  });
  await call("echo");
  await failure("status", { status: 500 });
  expect(sent()).toBe(3);
});

test("what is sent again takes its place in the rate", async () => {
  const sleep = (): Promise<void> => Promise.resolve();
  const { failure, sent, lines } = await started({
    readOnly: ["status"],
    data: { ratePerMinute: 10, breaker: { failures: 99, cooldownMs: 1 } },
    options: { clock: { now: () => 1_700_000_000_000, sleep } },
  });
  for (let i = 0; i < 9; i++) await failure("status", { status: 500 });
  expect(sent()).toBe(10);
  expect(lines.map(({ retries }) => retries)).toEqual([2, 2, 2, 0, 0, 0, 0, 0, 0]);
});
