import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { RuntimeEvent } from "../../runtime/index.ts";
import { errorOf, type AnySession } from "../support/generated-team.ts";
import { harborProject, type Harbor } from "../support/harbor.ts";
import { soon, startFault } from "../support/linked.ts";

/** Everything that a server can do wrong, as a role of a generated team meets it. `steady` must never be harmed. */

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
});
afterEach(() => harbor.goHome());
afterAll(() => harbor.remove());

const child = (config: object): { CHILD: string } => ({ CHILD: JSON.stringify(config) });
const types = (events: readonly RuntimeEvent[]): string[] => events.map((event) => event.type);
const ADVICE = /Use the notes instead\./;

/** What the fault server tells of itself. */
async function seen(session: AnySession, server: string) {
  const { meta } = await session.$call(server, "seen", {});
  return (meta.raw as { structuredContent: { pid: number; methods: Record<string, number>; lists: number } })
    .structuredContent;
}

async function expectUnharmed(session: AnySession): Promise<void> {
  expect((await session.$call("steady", "echo", { still: "here" })).text).toBe('{"still":"here"}');
}

describe("a server that doesn't come up", () => {
  test("refuses the connection", async () => {
    const server = await startFault({});
    await server.kill();
    const { sailor } = harbor.sail({ WEB: server.url });
    expect(await errorOf(sailor.$call("web", "echo", {}))).toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining("the connection was refused"),
      advice: expect.stringMatching(/Use the notes instead\. The next try makes sense in \d s\.$/),
    });
    // While nobody tries, the same is told, with the time that is left, once.
    const { advice } = await errorOf(sailor.$call("web", "echo", {}));
    expect(advice).toMatch(
      /^web can't be reached: the connection was refused\. Use the notes instead\. The next try makes/,
    );
    await expectUnharmed(sailor);
  });

  test("hangs at `initialize`: cut off by its time-out", async () => {
    const server = await startFault({ initialize: "hang" });
    const { sailor } = harbor.sail({ BRISK: server.url });
    const started = Date.now();
    const error = await errorOf(sailor.$call("brisk", "echo", {}));
    expect(error).toMatchObject({ code: "server-unavailable", advice: expect.stringMatching(ADVICE) });
    expect(error.message).toContain("no answer to `initialize` within 600 ms");
    expect(Date.now() - started).toBeLessThan(3_000);
    await expectUnharmed(sailor);
  });

  test("dies at `initialize`, with its last words", async () => {
    const { sailor } = harbor.sail(child({ initialize: "die", lastWords: "the database is missing" }));
    const { message, advice, cause } = await errorOf(sailor.$call("child", "echo", {}));
    expect(message).toMatch(/exit code 3$/);
    expect(advice).not.toContain("database");
    expect(cause).toMatchObject({ said: "the database is missing" });
    await expectUnharmed(sailor);
  });

  test.each([
    [401, "needs-auth"],
    [403, "auth-failed"],
  ] as const)("asks for credentials: %i", async (status, code) => {
    const server = await startFault({ initialize: status });
    const { sailor } = harbor.sail({ WEB: server.url, TOKEN: "a-worn-out-token" });
    const error = await errorOf(sailor.$call("web", "echo", {}));
    expect(error).toMatchObject({ code, advice: expect.stringMatching(ADVICE) });
    expect(error.message).toContain("check TOKEN");
    // A login is a person's: no app has it.
    expect(`${error.message}${error.advice}`).not.toContain("login");
    expect(`${error.message}${error.advice}`).not.toContain("worn-out");
    await expectUnharmed(sailor);
  });

  test("answers what is no JSON", async () => {
    const server = await startFault({ initialize: "wrong" });
    const { sailor } = harbor.sail({ WEB: server.url });
    expect(await errorOf(sailor.$call("web", "echo", {}))).toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining("isn't one that can be read"),
    });
  });
});

describe("a server that fails in a call", () => {
  test.each(["child", "web", "stream"])("%s hangs: a time-out, and the next call is answered", async (name) => {
    const { env } = await all();
    const { sailor } = harbor.sail(env);
    await sailor.$require(name);
    const error = await errorOf(sailor.$call(name, "hang", {}, { timeoutMs: 150 }));
    expect(error).toMatchObject({ code: "timeout", role: "sailor", server: name, tool: "hang", retryable: false });
    await sailor.$call(name, "echo", {});
  });

  test.each(["child", "web", "stream"])("%s dies: an error and no hang, and the neighbour lives", async (name) => {
    const { env } = await all();
    const { sailor } = harbor.sail(env);
    await sailor.$call(name, "echo", {});
    const started = Date.now();
    const [error] = await Promise.all([
      errorOf(sailor.$call(name, "die", {}, { timeoutMs: 20_000 })),
      expectUnharmed(sailor),
    ]);
    expect(error).toMatchObject({ code: "server-unavailable", retryable: false });
    expect(error.advice).toMatch(ADVICE);
    expect(Date.now() - started).toBeLessThan(3_000);
    await vi.waitFor(() =>
      expect(sailor.$health()[name]).toMatchObject({
        state: "down",
        lastFailure: expect.stringMatching(/^(?:its?|the) /),
      }),
    );
  });

  test("dies with its last words: people are told them, in the error's cause and the event, and no model", async () => {
    const { sailor, events } = harbor.sail({ ...child({}) });
    await sailor.$call("child", "echo", {});
    const error = await errorOf(sailor.$call("child", "die", { words: "the disk is full" }));
    expect(error.message).toBe("child can't be reached: it ended with exit code 7");
    expect(error.cause).toMatchObject({ said: "the disk is full" });
    expect(`${error.message}${error.advice}`).not.toContain("disk");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "down", why: "it ended with exit code 7, and said: the disk is full" }),
    );
  });

  test.each(["child", "web", "stream"])(
    "%s breaks the connection and lives on: an error, then a new one",
    async (name) => {
      const { env } = await all();
      const { sailor } = harbor.sail(env);
      await sailor.$call(name, "echo", {});
      expect(await errorOf(sailor.$call(name, "cut", {}, { timeoutMs: 20_000 }))).toMatchObject({
        code: "server-unavailable",
      });
      expect((await sailor.$call(name, "echo", { again: 1 })).text).toBe('{"again":1}');
    },
  );

  test("restarts: the next call is a new process's, and both are told", async () => {
    const { sailor, events } = harbor.sail(child({}));
    const before = await seen(sailor, "child");
    process.kill(before.pid, "SIGKILL");
    await soon(() => sailor.$health()["child"]!.state === "down");
    expect((await seen(sailor, "child")).pid).not.toBe(before.pid);
    expect(types(events)).toEqual(["connected", "down", "connected", "up"]);
  });

  test("is slow: waited for, and others don't wait with it", async () => {
    const { sailor } = harbor.sail(child({}));
    await Promise.all([sailor.$call("child", "echo", {}), expectUnharmed(sailor)]);
    let answered = false;
    const slow = sailor.$call("child", "slow", { ms: 700 }).then(() => (answered = true));
    await sailor.$call("child", "echo", {});
    await expectUnharmed(sailor);
    expect(answered).toBe(false);
    await slow;
  });

  test("answers with a text of 12 MB", async () => {
    const { sailor } = harbor.sail(child({}));
    expect((await sailor.$call("child", "huge", { size: 12e6 })).text).toHaveLength(12e6);
  });

  test.each(["child", "web"])("%s answers what is no JSON: that call fails, the next doesn't", async (name) => {
    const { env } = await all();
    const { sailor } = harbor.sail(env);
    const error = await errorOf(sailor.$call(name, "wrong", {}, { timeoutMs: 500 }));
    expect(error.code).toMatch(name === "child" ? "timeout" : "server-unavailable");
    await sailor.$call(name, "echo", {});
  });

  test("prints noise before and between its answers", async () => {
    const { sailor } = harbor.sail(child({ noise: true, chatter: "x".repeat(100_000) }));
    expect((await sailor.$call("child", "noise", {})).text).toBe("noise");
  });

  test("says itself that it failed", async () => {
    const { sailor } = harbor.sail(child({}));
    expect(await errorOf(sailor.$call("child", "fail", {}))).toMatchObject({ code: "tool-failed" });
    expect(await errorOf(sailor.$call("child", "error", {}))).toMatchObject({
      code: "tool-failed",
      message: expect.stringContaining("the database is away"),
    });
    expect(sailor.$health()["child"]).toMatchObject({ state: "up", lastFailure: undefined });
  });
});

describe("an HTTP server that refuses one call", () => {
  test.each([
    [401, "needs-auth"],
    [403, "auth-failed"],
    [451, "auth-failed"],
  ])("%i: %s, with advice, and it counts for no breaker", async (status, code) => {
    const server = await startFault({});
    const { sailor } = harbor.sail({ WEB: server.url });
    for (let i = 0; i < 4; i++) {
      const error = await errorOf(sailor.$call("web", "status", { status }));
      expect(error).toMatchObject({ code, advice: expect.stringMatching(ADVICE) });
    }
    expect((await sailor.$call("web", "echo", {})).text).toBe("{}");
  });

  test("429: waited for as long as it asks, then answered", async () => {
    const server = await startFault({});
    const { sailor, events } = harbor.sail({ WEB: server.url });
    const started = Date.now();
    const { meta } = await sailor.$call("web", "status", { status: 429, retryAfter: "1", times: 1 });
    expect(meta.retries).toBe(1);
    expect(Date.now() - started).toBeGreaterThan(900);
    expect(events).toContainEqual({ type: "rate-limited", server: "web", attempt: 1, waitMs: 1_000 });
  });

  test("429 that asks for more time than the call has: an error with that time", async () => {
    const server = await startFault({});
    const { sailor } = harbor.sail({ WEB: server.url });
    const error = await errorOf(sailor.$call("web", "status", { status: 429, retryAfter: "90" }, { timeoutMs: 500 }));
    expect(error).toMatchObject({ code: "rate-limited", retryAfterMs: 90_000, retryable: true });
    expect(error.advice).toContain("90 s");
  });

  test("a call that only reads is made again; one that may have written isn't", async () => {
    const log = harbor.newLog();
    const server = await startFault({ log: log.file });
    const { sailor } = harbor.sail({ WEB: server.url });
    expect((await sailor.$call("web", "status", { status: 500, times: 1 })).meta.retries).toBe(1);
    expect(log.calls("status")).toBe(2);
    expect(await errorOf(sailor.$call("web", "cut", {}))).toMatchObject({ retryable: false });
    expect(log.calls("cut")).toBe(1);
  });
});

describe("a session that is stale", () => {
  test.each([404, 400])("answered with %i: renewed, and a call that only reads is made once", async (status) => {
    const log = harbor.newLog();
    const server = await startFault({ log: log.file });
    const { sailor, events } = harbor.sail({ WEB: server.url });
    await sailor.$call("web", "forget", { status });
    const { text, meta } = await sailor.$call("web", "echo", { after: status });
    expect([text, meta.retries]).toEqual([`{"after":${status}}`, 1]);
    expect((await seen(sailor, "web")).methods).toMatchObject({ initialize: 2 });
    expect(types(events)).toEqual(["connected", "down", "connected", "up"]);
    // The first was sent to a session that was gone.
    expect(log.calls("echo")).toBe(2);
  });

  test("answered with 400: one that may write fails, sent once, and the next one has another session", async () => {
    const log = harbor.newLog();
    const server = await startFault({ log: log.file });
    const { sailor } = harbor.sail({ WEB: server.url });
    await sailor.$call("web", "forget", { status: 400 });
    const error = await errorOf(sailor.$call("web", "slow", { ms: 1 }));
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(log.calls("slow")).toBe(1);
    expect((await seen(sailor, "web")).methods).toMatchObject({ initialize: 2 });
  });

  test("its process was replaced by another at the same address", async () => {
    const server = await startFault({ noStream: true });
    const { sailor } = harbor.sail({ WEB: server.url });
    await sailor.$call("web", "echo", {});
    await server.kill();
    await startFault({ port: server.port, noStream: true });
    expect((await sailor.$call("web", "echo", { met: "anew" })).text).toBe('{"met":"anew"}');
  });
});

describe("what a server lists", () => {
  test("comes in pages: all of it is compared, and the last tool is callable", async () => {
    const { sailor } = harbor.sail(child({ pageSize: 3 }));
    expect((await seen(sailor, "child")).lists).toBeGreaterThan(4);
    await sailor.$call("child", "reload", {});
  });

  test("changes a description and says so: refused, with no byte of the call sent", async () => {
    const log = harbor.newLog();
    const { sailor, events } = harbor.sail(child({ log: log.file }));
    await sailor.$call("child", "change", { describe: "echo" });
    const error = await errorOf(sailor.$call("child", "echo", { secret: "cargo" }));
    expect(error).toMatchObject({ code: "tool-changed", retryable: false });
    expect(error.advice).toContain("rolecall capture");
    expect(types(events)).toContain("changed");
    expect(log.text()).not.toContain("cargo");
    await sailor.$call("child", "slow", { ms: 1 });
  });

  test("is another from the start than what was captured: that tool is refused, the others aren't", async () => {
    const log = harbor.newLog();
    const { sailor } = harbor.sail(child({ describe: "echo", log: log.file }));
    expect(await errorOf(sailor.$call("child", "echo", {}))).toMatchObject({ code: "tool-changed" });
    await sailor.$call("child", "slow", { ms: 1 });
    expect(log.calls("echo")).toBe(0);
  });

  test("has a new tool: nothing to any role", async () => {
    const log = harbor.newLog();
    const { sailor } = harbor.sail(child({ log: log.file }));
    await sailor.$call("child", "change", { add: "shell" });
    expect(await errorOf(sailor.$call("child", "shell", {}))).toMatchObject({ code: "tool-unknown" });
    expect((await sailor.$tools()).map((tool) => tool.name)).not.toContain("shell");
    expect(log.calls("shell")).toBe(0);
  });

  test("has lost a tool: refused, the others live", async () => {
    const { sailor } = harbor.sail(child({}));
    await sailor.$call("child", "change", { remove: "echo" });
    expect(await errorOf(sailor.$call("child", "echo", {}))).toMatchObject({ code: "tool-changed" });
    await sailor.$call("child", "slow", { ms: 1 });
  });
});

/** One fault server over each transport. */
async function all() {
  const [web, stream] = await Promise.all([startFault({ stream: true }), startFault({ over: "sse" })]);
  return { env: { CHILD: "{}", WEB: web.url, STREAM: stream.url } };
}
