import { describe, expect, test } from "vitest";
import { linkFailure } from "../../../runtime/connect/failure.ts";
import { errorOf, fault, http, open, serverData, startFault } from "../../support/linked.ts";

/** What every transport has in common: one call, its failures, and what a server may not ask. */

describe.each(["stdio", "http", "streamed http", "sse"])("over %s", (over) => {
  async function opened(config: object = {}) {
    if (over === "stdio") return open(serverData([fault(config)]));
    const server = await startFault({ over: over === "sse" ? "sse" : "http", stream: over !== "http", ...config });
    return open(serverData([over === "sse" ? { kind: "sse", url: [server.url], headers: [] } : http(server.url)]));
  }

  test("a call connects, and its result comes as sent", async () => {
    const { link, events } = await opened();
    expect(link.state).toBe("idle");
    const { raw, info, httpStatus } = await link.call("echo", { a: [1, { b: null }] }, { timeoutMs: 5_000 });
    expect(raw).toMatchObject({ structuredContent: { args: { a: [1, { b: null }] } } });
    const kind = over === "streamed http" ? "http" : over;
    expect(info).toMatchObject({ transport: kind, protocolVersion: "2025-11-25" });
    expect(info.sessionId === undefined).toBe(kind !== "http");
    expect(httpStatus).toBe(kind === "http" ? 200 : undefined);
    expect(link.state).toBe("up");
    expect(events).toEqual([{ type: "connected", server: "faulty", transport: kind }]);
  });

  test("all calls share one connection, those that come together too", async () => {
    const { call } = await opened();
    await Promise.all([1, 2, 3].map((n) => call("echo", { n })));
    expect((await call("seen")).methods).toMatchObject({ initialize: 1, "tools/list": 1 });
  });

  test("a result with isError is a result; an error answer is an error", async () => {
    const { call, failure, link } = await opened();
    expect(await call("fail")).toMatchObject({ isError: true });
    expect(await failure("error")).toMatchObject({ code: "tool-failed", retryable: false, tool: "error" });
    expect((await failure("error")).message).toBe("faulty.error failed: the database is away");
    expect(link.state).toBe("up");
  });

  test("a call that isn't answered ends after its time, and the connection lives", async () => {
    const { call, failure, link } = await opened();
    await call("echo");
    const error = await failure("hang", {}, 100);
    expect(error).toMatchObject({ code: "timeout", retryable: false });
    expect(error.message).toBe("faulty.hang gave no answer within 100 ms");
    await call("echo");
    expect(link.state).toBe("up");
    expect((await call("seen")).methods).toMatchObject({ initialize: 1, "notifications/cancelled": 1 });
  });

  test("a call is cancelled by its signal, also while it waits for the connection", async () => {
    const { link, call } = await opened();
    const waits = link.call("echo", {}, { timeoutMs: 5_000, signal: AbortSignal.abort() });
    expect(linkFailure(await errorOf(waits))).toMatchObject({ unsent: true });
    await call("echo");
    const stop = new AbortController();
    const runs = errorOf(link.call("hang", {}, { timeoutMs: 5_000, signal: stop.signal }));
    setTimeout(() => stop.abort(), 50);
    expect(await runs).toMatchObject({ code: "cancelled", message: "faulty.hang was cancelled" });
    const late = link.call("hang", {}, { timeoutMs: 5_000, signal: AbortSignal.timeout(50) });
    expect(await errorOf(late)).toMatchObject({ code: "timeout" });
  });

  test("one that is closed while it connects tells of no failure", async () => {
    const { link } = open(serverData([fault({ initialize: "hang" })]));
    const connecting = errorOf(link.connect());
    setTimeout(() => void link.close(), 100);
    const error = await connecting;
    expect([error.message, linkFailure(error)?.waiting]).toEqual(["faulty is closed", true]);
  });

  test("an answer that is no message fails the call alone", async () => {
    const { call, failure, link } = await opened();
    const error = await failure("wrong", {}, 300);
    expect(["timeout", "tool-failed", "server-unavailable"]).toContain(error.code);
    await call("echo");
    expect(link.state).toBe("up");
  });

  test("a result of 12 MB comes whole", async () => {
    const { call } = await opened();
    expect((await call("huge", { size: 12_000_000 }, 25_000)).content[0].text).toHaveLength(12_000_000);
  });

  test("the server is offered nothing, and what it asks is refused", async () => {
    const { call } = await opened();
    expect((await call("seen")).offered.capabilities).toEqual({});
    for (const method of ["sampling/createMessage", "roots/list", "elicitation/create"])
      expect((await call("ask-client", { method })).answer).toMatchObject({ result: null, error: { code: -32601 } });
    expect((await call("ask-client", { method: "ping" })).answer).toEqual({ result: {}, error: null });
  });

  test("a connection that breaks during a call gives an error at once", async () => {
    const { call, failure, link, events } = await opened();
    await call("echo");
    const started = Date.now();
    const error = await failure("cut", {}, 20_000);
    expect(Date.now() - started).toBeLessThan(3_000);
    expect(error).toMatchObject({ code: "server-unavailable", retryable: false });
    expect(linkFailure(error)).toMatchObject({ unsent: false, waiting: false });
    await call("echo");
    expect(link.state).toBe("up");
    expect(events.filter((event) => event.type === "connected").length).toBeGreaterThan(0);
  });

  test("a server that dies during a call gives an error at once", async () => {
    const { call, failure, link, events } = await opened();
    await call("echo");
    const started = Date.now();
    const [died, beside] = await Promise.all([failure("die", {}, 20_000), failure("hang", {}, 20_000)]);
    expect(Date.now() - started).toBeLessThan(3_000);
    expect([died.code, beside.code]).toEqual(["server-unavailable", "server-unavailable"]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(link.state).toBe("down");
    expect(events.filter((event) => event.type === "down")).toHaveLength(1);
  });
});
