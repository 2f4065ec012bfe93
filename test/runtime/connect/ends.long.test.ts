import { afterEach, describe, expect, test, vi } from "vitest";
import { createReopening } from "../../../runtime/connect/streams.ts";
import { fault, http, open, serverData, sse, startFault, type Opened } from "../../support/linked.ts";

/** A call over HTTP lives as long as its time, and what it asked for ends with it. */

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function over(kind: "http" | "sse", config: object = {}): Promise<Opened> {
  const { url } = await startFault(kind === "sse" ? { over: "sse", ...config } : config);
  return open(serverData([kind === "sse" ? sse(url) : http(url)]));
}

const SERVERS = [
  ["HTTP, as JSON", "http", {}, {}],
  ["HTTP, as events", "http", { stream: true }, {}],
  ["SSE", "sse", {}, { post: true }],
] as const;

describe.each(SERVERS)("over %s", (_, kind, config, args) => {
  test("a call that is late has its request ended: the server sees its socket close", async () => {
    const { call, failure } = await over(kind, config);
    await call("echo");
    for (let i = 0; i < 3; i++) expect((await failure("hang", args, 100)).code).toBe("timeout");
    await pause(100);
    expect((await call("seen")).closed).toBe(3);
  });

  test("and so has one that its caller gives up", async () => {
    const { call, link } = await over(kind, config);
    await call("echo");
    const given = new AbortController();
    const late = link.call("hang", args, { timeoutMs: 5_000, signal: given.signal }).catch(({ code }) => code);
    await pause(100);
    given.abort();
    expect(await late).toBe("cancelled");
    await pause(100);
    expect((await call("seen")).closed).toBe(1);
  });

  test("those that were answered leave their socket for the next", async () => {
    const { call } = await over(kind, config);
    for (let i = 0; i < 5; i++) await call("slow", { ms: 5 });
    expect((await call("seen")).closed).toBe(0);
  });
});

describe("a stream that is cut", () => {
  const resumed = async (retry: number | undefined): Promise<[number, number]> => {
    const { call, failure } = await over("http");
    const before = (await call("seen")).gets;
    expect((await failure("resume", retry === undefined ? {} : { retry }, 1_000)).code).toBe("timeout");
    const { gets } = await call("seen");
    await pause(300);
    return [gets - before, (await call("seen")).gets - gets];
  };

  test("is resumed at most 40 times a second, and not after its call", async () => {
    const warned: Error[] = [];
    const warn = (warning: Error): void => void warned.push(warning);
    process.on("warning", warn);
    const counts = await Promise.all([0, 1, undefined, 1e12].map(resumed));
    process.off("warning", warn);
    for (const [during] of counts.slice(0, 3)) expect(during).toBeGreaterThan(2);
    for (const [during, after] of counts) {
      expect(during).toBeLessThanOrEqual(42);
      expect(after).toBe(0);
    }
    expect(warned).toEqual([]);
  });

  test("isn't opened more and more often where it is the server's own", async () => {
    const told = await Promise.all(
      [":\n\n", "retry: 0\n\n", "id: 7\nretry: 0\ndata:\n\n"].map(async (ownCut) => {
        const { call, link } = await over("http", { ownCut });
        await call("echo");
        await pause(2_000);
        const { gets, lists } = await call("seen");
        return [gets <= 5, lists <= 7, link.settled];
      }),
    );
    expect(told).toEqual(told.map(() => [true, true, true]));
  });

  test("five times in a row, and then never; one that was good for long begins the count anew", () => {
    const waitFor = createReopening();
    let now = 0;
    const cut = (livedMs: number): number | undefined => {
      const wait = waitFor((now += livedMs));
      now += wait ?? 0;
      return wait;
    };
    expect([cut(0), cut(10), cut(29_000), cut(30_000), cut(1)]).toEqual([0, 100, 300, 0, 100]);
    expect([cut(1), cut(1), cut(1), cut(1), cut(1)]).toEqual([300, 900, 2_700, 8_100, undefined]);
  });
});

describe("limits of the process's own HTTP client", () => {
  const PLACE = Symbol.for("undici.globalDispatcher.1");
  const places = globalThis as unknown as Record<symbol, object>;
  new Headers();
  const usual = places[PLACE]!;
  afterEach(() => void (places[PLACE] = usual));

  test("don't end a call: only its own time does", async () => {
    const Client = usual.constructor as new (options: object) => {
      dispatch(options: object, handler: object): boolean;
    };
    const chosen = new Client({ headersTimeout: 300, bodyTimeout: 300 });
    const asked = vi.spyOn(chosen, "dispatch");
    places[PLACE] = chosen;
    const slow = SERVERS.map(async ([, kind, config]) => {
      const { call, failure } = await over(kind, config);
      const ended = await Promise.all([call("slow", { ms: 2_500 }), failure("hang", {}, 2_000)]);
      return [ended[0].content[0].text, ended[1].code];
    });
    // It does end others: the limit is real.
    const { url } = await startFault({});
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "x" } });
    const headers = { "content-type": "application/json" };
    const session = (await fetch(url, { method: "POST", body, headers })).headers.get("mcp-session-id")!;
    const hang = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "hang" } });
    const bare = fetch(url, { method: "POST", body: hang, headers: { ...headers, "mcp-session-id": session } });
    await expect(bare).rejects.toThrow("fetch failed");
    expect(await Promise.all(slow)).toEqual(SERVERS.map(() => ["slow", "timeout"]));
    // What an app has chosen for its requests, a proxy say, is asked for ours.
    expect(asked.mock.calls.filter(([options]) => "headersTimeout" in options).length).toBeGreaterThan(9);
  });
});

test("a child has nothing to end", async () => {
  const { call, failure } = open(serverData([fault({})]));
  expect((await failure("hang", {}, 50)).code).toBe("timeout");
  await call("echo");
});
