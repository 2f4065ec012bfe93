import { beforeEach, describe, expect, test } from "vitest";
import type { RecordLine } from "../../../runtime/api.ts";
import type { ToolResult } from "../../../runtime/contract.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import {
  ANSWER,
  failureOf,
  fakeClock,
  fakeRole,
  fakeServer,
  fakeTeam,
  lost,
  settled,
  type FakeServer,
} from "../../support/fake-link.ts";

/** What a server's `cache` spares, and what it never answers. */

const TOOLS = {
  read: { readOnly: true, outputSchema: { type: "object", required: ["n"] } },
  asked: { readOnly: true },
  conditioned: { readOnly: true, inputSchema: { type: "object", properties: { owner: { type: "string" } } } },
  unpinned: { readOnly: true, digest: null },
  put: { idempotent: true },
  write: {},
} as const;
const MINUTE = 60_000;

let server: FakeServer;
let clock: ReturnType<typeof fakeClock>;
let lines: RecordLine[];
beforeEach(() => {
  clock = fakeClock();
  lines = [];
});

function start(more: Partial<FakeServer["data"]> = {}) {
  server = fakeServer("wiki", TOOLS, { cacheMs: MINUTE, ...more });
  let n = 0;
  server.calling = async () => ({ content: [], structuredContent: { n: ++n } });
  const tools = {
    read: "allow",
    asked: "ask",
    conditioned: "allow",
    unpinned: "allow",
    put: "allow",
    write: "allow",
  } as const;
  const where = { conditioned: { owner: { enum: ["me"] } } };
  const roles = ["a", "b"].map((name) => fakeRole(name, [[server, { tools, where }]]));
  const options = { clock, ask: () => true, record: (line: RecordLine) => void lines.push(line) };
  const { as, team, events } = fakeTeam([server], roles, options);
  const sessions = { a: as("a"), b: as("b") };
  const call = (tool: string, args: object = {}, role: "a" | "b" = "a"): Promise<ToolResult<{ n: number }>> =>
    sessions[role].$call("wiki", tool, args) as Promise<ToolResult<{ n: number }>>;
  return { call, as, team, events };
}

describe("an equal call of a read-only tool", () => {
  test("is answered without the server, and says so", async () => {
    const { call } = start();
    const first = await call("read", { a: 1, b: [2] });
    const second = await call("read", { b: [2], a: 1 });
    expect(server.sent).toHaveLength(1);
    expect([first.meta.cached, second.meta.cached]).toEqual([false, true]);
    expect({ ...second, meta: undefined }).toEqual({ ...first, meta: undefined });
    expect(second.meta).toMatchObject({ transport: "stdio", retries: 0, raw: first.meta.raw });
    expect(
      lines.map(({ cached, status, transport, result_bytes }) => [cached, status, transport, result_bytes]),
    ).toEqual([
      [undefined, "ok", "stdio", 42],
      [true, "ok", "stdio", 42],
    ]);
    expect(JSON.stringify(lines[0])).not.toContain("cached");
  });

  test("for no longer than was said, from when it was asked for", async () => {
    const { call } = start();
    const calling = server.calling;
    server.calling = async (...args) => {
      clock.time += 10_000;
      return await calling(...args);
    };
    await call("read");
    clock.time += MINUTE - 10_001;
    expect((await call("read")).meta.cached).toBe(true);
    clock.time += 1;
    expect((await call("read")).meta.cached).toBe(false);
  });

  test("what a caller does to his result changes nobody else's", async () => {
    const { call } = start();
    const first = await call("read");
    first.structured.n = 99;
    expect((await call("read")).structured).toEqual({ n: 1 });
    (await call("read")).structured.n = 98;
    expect((await call("read")).structured).toEqual({ n: 1 });
  });

  test("isn't counted by the rate limit, and waits for no slot", async () => {
    const { call } = start({ ratePerMinute: 1, concurrency: 1 });
    await call("read");
    for (let i = 0; i < 5; i++) expect((await call("read")).meta.cached).toBe(true);
  });
});

describe("never from the cache", () => {
  test.each([
    ["other arguments", "read", { x: 1 }, { x: 2 }],
    ["a tool that isn't read-only", "put", {}, {}],
    ["a tool that is asked", "asked", {}, {}],
    ["a tool without a pin", "unpinned", {}, {}],
  ])("%s", async (_, tool, one, two) => {
    const { call } = start();
    await call(tool, one);
    expect((await call(tool, two)).meta.cached).toBe(false);
    expect(server.sent).toHaveLength(2);
  });

  test("where the server has no `cache`", async () => {
    const { call } = start({ cacheMs: undefined } as never);
    await call("read");
    await call("read");
    expect(server.sent).toHaveLength(2);
  });

  test("another role's answer", async () => {
    const { call } = start();
    await call("read", {}, "a");
    expect((await call("read", {}, "b")).meta.cached).toBe(false);
    expect((await call("read", {}, "b")).meta.cached).toBe(true);
  });

  test("a failure, or a result that wasn't what was promised", async () => {
    const { call } = start();
    const good = server.calling;
    server.calling = async () => ({ isError: true, content: [{ type: "text", text: "busy" }] });
    await failureOf(call("read"));
    server.calling = async () => ANSWER;
    await failureOf(call("read"));
    server.calling = good;
    expect((await call("read")).meta.cached).toBe(false);
    expect(server.sent).toHaveLength(3);
  });

  test("before the checks: a condition, a changed tool and a server that is down refuse all the same", async () => {
    const { call } = start();
    await call("conditioned", { owner: "me" });
    expect((await failureOf(call("conditioned", { owner: "you" }))).code).toBe("argument-refused");
    server.changed = "it is gone";
    expect((await failureOf(call("conditioned", { owner: "me" }))).code).toBe("tool-changed");
    server.changed = undefined;
    server.up = false;
    server.connecting = () => Promise.reject(new Error("refused"));
    await failureOf(call("conditioned", { owner: "me" }));
    expect(server.sent).toHaveLength(1);
  });

  test("after the server's list was compared again", async () => {
    const { call } = start();
    await call("read");
    server.compared++;
    expect((await call("read")).meta.cached).toBe(false);
    expect((await call("read")).meta.cached).toBe(true);
  });

  test("after another kind of call", async () => {
    const { call } = start();
    await call("read");
    await call("put");
    expect((await call("read")).meta.cached).toBe(false);
  });

  test("what was read while another kind of call was under way", async () => {
    const { call } = start();
    const calling = server.calling;
    let end: () => void = () => {};
    server.calling = () => new Promise((resolve) => (end = () => resolve(ANSWER)));
    const putting = call("put");
    await settled();
    server.calling = calling;
    await call("read");
    end();
    await putting;
    expect((await call("read")).meta.cached).toBe(false);
  });

  test.each([
    ["let make", "put", true],
    ["let make and told the end of", "put", true],
    ["told the end of alone", "put", true],
    ["told the failure of alone", "put", true],
    ["told the end of alone", "read", false],
  ])("after a call that a host was %s: %s", async (how, tool, isOld) => {
    const { call, as } = start();
    const { $hooks } = as("b");
    const about = { toolName: `wiki-${tool}`, toolArgs: {} };
    await call("read");
    if (how.startsWith("let make")) await $hooks.onPreToolUse(about);
    if (how.includes("the end")) await $hooks.onPostToolUse({ ...about, toolResult: "ok" });
    if (how.includes("failure")) await $hooks.onPostToolUseFailure({ ...about, error: "no" });
    expect((await call("read")).meta.cached).toBe(!isOld);
  });

  test("what was read while a host may still be calling, for five minutes", async () => {
    const { call, as } = start({ cacheMs: 10 * MINUTE });
    await as("b").$hooks.onPreToolUse({ toolName: "wiki-put", toolArgs: {} });
    await call("read");
    expect((await call("read")).meta.cached).toBe(false);
    clock.time += 5 * MINUTE;
    await call("read");
    expect((await call("read")).meta.cached).toBe(true);
  });

  test("another session's, where each has its own connection", async () => {
    const { as } = start({ connection: "session" });
    const [one, two] = [as("a"), as("a")];
    await one.$call("wiki", "read");
    expect((await two.$call("wiki", "read")).meta.cached).toBe(false);
    expect(server.sent).toHaveLength(2);
  });

  test("another server's that shares the pin", async () => {
    const servers = ["dev", "prod"].map((name) => fakeServer(name, TOOLS, { cacheMs: MINUTE }));
    const role = fakeRole("a", [
      [servers[0]!, { tools: { asked: "allow" } }],
      [servers[1]!, { tools: { asked: "allow" } }],
    ]);
    const { as } = fakeTeam(servers, [role], { clock });
    const cached = async (name: string): Promise<boolean> => (await as("a").$call(name, "asked")).meta.cached;
    expect([await cached("dev"), await cached("prod")]).toEqual([false, false]);
    expect([await cached("dev"), await cached("prod")]).toEqual([true, true]);
  });
});

describe("of 1,000 answers", () => {
  test("the one that was used longest ago goes first", async () => {
    const { call } = start();
    for (let i = 0; i < 1_000; i++) await call("read", { i });
    expect((await call("read", { i: 0 })).meta.cached).toBe(true);
    await call("read", { i: 1_000 });
    expect((await call("read", { i: 0 })).meta.cached).toBe(true);
    expect((await call("read", { i: 2 })).meta.cached).toBe(true);
    expect((await call("read", { i: 1 })).meta.cached).toBe(false);
  });

  test("those that take much room go earlier", async () => {
    const { call } = start();
    const text = "x".repeat(6 * 1024 * 1024);
    server.calling = async () => ({ content: [{ type: "text", text }], structuredContent: { n: 1 } });
    for (const i of [1, 1, 1, 2, 3]) await call("read", { i });
    expect((await call("read", { i: 3 })).meta.cached).toBe(true);
    expect((await call("read", { i: 1 })).meta.cached).toBe(false);
  });
});

describe("what one server answers pushes out no answer of another's", () => {
  const servers = (names: readonly string[]) => {
    const made = names.map((name) => fakeServer(name, { read: { readOnly: true } }, { cacheMs: MINUTE }));
    const role = fakeRole(
      "r",
      made.map((one) => [one, { tools: { read: "allow" } }] as const),
    );
    const session = fakeTeam(made, [role], { clock }).as("r");
    const isKept = async (name: string, i = 0): Promise<boolean> =>
      (await session.$call(name, "read", { i })).meta.cached;
    return { made, isKept };
  };
  const answerOf = (characters: number) => ({ content: [{ type: "text", text: "x".repeat(characters) }] });

  test.each([
    ["a thousand of them", 1_000, 10],
    ["large ones", 4, 15_000_000],
    ["one that is too large to be kept", 1, 17_000_000],
  ])("%s", async (_, count, characters) => {
    const { made, isKept } = servers(["alpha", "beta"]);
    await isKept("alpha");
    made[1]!.calling = async () => answerOf(characters);
    for (let i = 0; i < count; i++) await isKept("beta", i);
    expect(await isKept("alpha")).toBe(true);
  });

  test("and of many full ones the fullest gives way", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `s${i}`);
    const { made, isKept } = servers(["alpha", ...names]);
    await isKept("alpha");
    for (const [i, one] of made.slice(1).entries()) {
      one.calling = async () => answerOf(15_000_000 - i);
      await isKept(one.data.server);
    }
    const kept = [];
    for (const name of ["alpha", ...names.toReversed()]) kept.push(await isKept(name));
    // The one that was the fullest comes last, and isn't there.
    expect(kept).toEqual([true, ...names.slice(1).map(() => true), false]);
    // Who is full makes room of his own.
    await isKept("s8", 1);
    expect([await isKept("s1"), await isKept("s8", 0)]).toEqual([true, false]);
  });
});

describe("after a write that nobody knows the end of", () => {
  const MINUTES = 5;
  test.each([
    ["timeout", true],
    ["cancelled", true],
    ["server-unavailable", true],
    ["tool-failed", false],
  ] as const)("that ended as %s", async (code, isOpen) => {
    const { call } = start();
    const { calling } = server;
    server.calling = () => Promise.reject(new RolecallError(code, "no", { server: "wiki" }));
    await failureOf(call("write"));
    server.calling = calling;
    await call("read");
    // It may be done only now.
    expect((await call("read")).meta.cached).toBe(!isOpen);
    clock.time += MINUTES * MINUTE - 1;
    await call("read");
    expect((await call("read")).meta.cached).toBe(!isOpen);
    clock.time += 1;
    await call("read");
    expect((await call("read")).meta.cached).toBe(true);
  });

  test("that certainly wasn't sent, nothing is open", async () => {
    const { call } = start({ breaker: { failures: 1, cooldownMs: 1 } });
    const { calling } = server;
    server.calling = () => Promise.reject(lost(server, true));
    await failureOf(call("write"));
    clock.time += 1;
    server.calling = calling;
    await call("read");
    expect((await call("read")).meta.cached).toBe(true);
  });

  test("an answer that was asked for before it isn't kept either", async () => {
    const { call } = start();
    let answer: (value: never) => void = () => {};
    server.calling = () => new Promise((resolve) => (answer = resolve));
    const reading = call("read");
    await settled();
    server.calling = () => Promise.reject(new RolecallError("timeout", "late", { server: "wiki" }));
    await failureOf(call("write"));
    answer({ content: [], structuredContent: { n: 0 } } as never);
    await reading;
    server.calling = async () => ({ content: [], structuredContent: { n: 1 } });
    expect((await call("read")).structured).toEqual({ n: 1 });
  });
});
