import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { linkFailure } from "../../../runtime/connect/failure.ts";
import { team as lightTeam } from "../../../runtime/index.ts";
import type { ServerData, TransportData } from "../../../runtime/server-data.ts";
import { fakeRole, fakeServer } from "../../support/fake-link.ts";
import { errorOf, fault, http, open, serverData, sse, startFault, stdio } from "../../support/linked.ts";

/** Which transport is used, and what makes the runtime go on to the next. */

const spare = fault();

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function refusing(initialize: string | number): Promise<TransportData> {
  return http((await startFault({ initialize })).url);
}

describe("the next transport is tried", () => {
  /** Why it went on, when the spare one was then connected. */
  async function whyNot(first: TransportData, more: Partial<ServerData> = {}): Promise<string> {
    const { link, events } = open(serverData([first, spare], more));
    expect((await link.connect()).transport).toBe("stdio");
    const why = events[0]?.type === "fell-back" ? events[0].why : "it didn't";
    expect(events).toEqual([
      { type: "fell-back", server: "faulty", from: first.kind, why },
      { type: "connected", server: "faulty", transport: "stdio" },
    ]);
    return why;
  }

  test("when the connection is refused", async () => {
    expect(await whyNot(http(`http://127.0.0.1:${await closedPort()}/mcp`))).toBe("the connection was refused");
    expect(await whyNot(sse(`http://127.0.0.1:${await closedPort()}/sse`))).toBe("the connection was refused");
  });

  test("when the name doesn't resolve", async () =>
    expect(await whyNot(http("https://nobody.invalid/mcp"))).toBe("its name doesn't resolve"));

  test.each(["http", "stdio"])("when nothing answers in time over %s", async (over) => {
    const silent = over === "http" ? await refusing("hang") : fault({ initialize: "hang" });
    expect(await whyNot(silent, { timeoutMs: 1_000 })).toBe("no answer to `initialize` within 1000 ms");
  });

  test.each([404, 405, 410, 500, 503])("when the answer is %i", async (status) =>
    expect(await whyNot(await refusing(status))).toBe(`it answered ${status}`),
  );

  test("when a command isn't found or ends at once", async () => {
    expect(await whyNot(stdio(["no-such-command-anywhere"]))).toBe(
      "its command `no-such-command-anywhere` isn't found",
    );
    expect(await whyNot(fault({ die: true }))).toBe("it ended with exit code 4");
  });
});

describe("the next transport isn't tried", () => {
  test.each([
    [401, "needs-auth", "it asks for credentials (401); give it a token in a header of its connection"],
    [403, "auth-failed", "it refuses these credentials (403); give it a token in a header of its connection"],
    [451, "auth-failed", "it refuses for legal reasons (451); give it a token in a header of its connection"],
    [400, "server-unavailable", "it answered 400"],
    [429, "rate-limited", "its rate limit is reached (429)"],
  ])("after %i", async (status, code, why) => {
    const { failure, events, link } = open(serverData([await refusing(status), spare]));
    const error = await failure("echo");
    expect(error).toMatchObject({ code, server: "faulty" });
    expect(error.message).toMatch(/^faulty can't be (reached|used|called for now): over http, /);
    expect(error.message).toContain(why);
    expect(linkFailure(error)).toMatchObject({ httpStatus: status, unsent: true });
    expect(events.map((event) => event.type)).toEqual(["down"]);
    expect(link.state).toBe("down");
  });

  test("after a redirect to another origin, which gets no header", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "rolecall-elsewhere-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const log = path.join(folder, "log");
    const other = await startFault({ log });
    const first = await startFault({ redirect: other.url });
    const { failure, events } = open(serverData([http(first.url, { Authorization: ["Bearer written-here"] }), spare]));
    const error = await failure("echo");
    expect(error.message).toContain("it answered with a redirect (307); write the address it names");
    expect(linkFailure(error)?.said).toBe(`it redirects to ${other.url}`);
    expect(existsSync(log)).toBe(false);
    expect(events.map((event) => event.type)).toEqual(["down"]);
  });

  test("when an SSE server names an endpoint elsewhere", async () => {
    const server = await startFault({ over: "sse", endpoint: "http://127.0.0.1:1/message" });
    const { failure, events } = open(serverData([sse(server.url), spare]));
    expect(await failure("echo")).toMatchObject({ code: "server-unavailable" });
    expect(events.map((event) => event.type)).toEqual(["down"]);
  });
});

test("one address may speak the old way: HTTP answers 404, SSE is next", async () => {
  const server = await startFault({ over: "sse" });
  const { link, events } = open(serverData([http(server.url.replace("/sse", "/none")), sse(server.url)]));
  expect((await link.connect()).transport).toBe("sse");
  expect(events[0]).toMatchObject({ type: "fell-back", from: "http" });
});

test("what worked is tried first the next time", async () => {
  const { call, failure, link, events } = open(serverData([http(`http://127.0.0.1:${await closedPort()}/mcp`), spare]));
  await call("echo");
  await failure("die");
  await call("echo");
  expect(link.state).toBe("up");
  expect(events.map((event) => event.type)).toEqual(["fell-back", "connected", "down", "connected", "up"]);
});

describe("what worked last, and works no more, is tried first no longer", () => {
  /** The first one was away for a moment; the second one is in use. */
  async function onSecond() {
    const port = await closedPort();
    const second = await startFault({});
    const opened = open(serverData([http(`http://127.0.0.1:${port}/mcp`, { "X-First": ["1"] }), http(second.url)]));
    await opened.call("echo");
    await startFault({ port });
    const callsUntilFirst = async (): Promise<number> => {
      for (let calls = 1; calls < 8; calls++) {
        opened.skip(60_000);
        const answer = await opened.call("seen").catch(() => undefined);
        if (answer?.headers["x-first"] === "1") return calls;
      }
      return Infinity;
    };
    return { ...opened, second, callsUntilFirst };
  }

  test("since it asks for credentials", async () => {
    const { failure, callsUntilFirst } = await onSecond();
    expect((await failure("status", { status: 401 })).code).toBe("needs-auth");
    expect(await callsUntilFirst()).toBe(1);
  });

  test.each([403, 308, 400])("since it has answered three calls with %d", async (status) => {
    const { failure, callsUntilFirst } = await onSecond();
    for (let i = 0; i < 3; i++) await failure("status", { status });
    expect(await callsUntilFirst()).toBe(1);
  });

  test.each([401, 403, 400])("since it is there again and answers %d", async (initialize) => {
    const { second, callsUntilFirst } = await onSecond();
    await second.kill();
    await startFault({ port: second.port, initialize });
    // Three at most find the old connection refused, and one that no new one is to be had.
    expect(await callsUntilFirst()).toBeLessThan(6);
  });

  test("but not since one tool is refused, or fails", async () => {
    const { call, failure } = await onSecond();
    for (let i = 0; i < 4; i++) await failure("error");
    for (const status of [403, 403, 200, 403, 403])
      await (status === 200 ? call("echo") : failure("status", { status }));
    const { headers, methods } = await call("seen");
    expect([headers["x-first"], methods["initialize"]]).toEqual([undefined, 1]);
  });
});

test("headers belong to their entry alone", async () => {
  const first = await startFault({ initialize: 503 });
  const second = await startFault({});
  const entries = [
    http(first.url, { Authorization: ["Bearer first"], "X-First": ["1"] }),
    http(second.url, { "X-Second": ["2"] }),
  ];
  const { headers } = await open(serverData(entries)).call("seen");
  expect(headers).toMatchObject({ "x-second": "2" });
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("x-first");
});

test("a server that can't be reached at all says what was tried", async () => {
  const port = await closedPort();
  const { failure } = open(serverData([http(`http://127.0.0.1:${port}/mcp`), fault({ die: true })]));
  const { message, code, retryable } = await failure("echo");
  expect({ code, retryable }).toEqual({ code: "server-unavailable", retryable: false });
  expect(message).toMatch(/over http, the connection was refused; over stdio, .*exit code 4/s);
});

describe("while a server is away", () => {
  test("calls fail at once until the next try, which comes later each time", async () => {
    const { failure, link, events, skip } = open(serverData([http(`http://127.0.0.1:${await closedPort()}/mcp`)]));
    const first = await failure("echo");
    expect(first).toMatchObject({ code: "server-unavailable", retryable: true });
    expect(linkFailure(first)).toMatchObject({ unsent: true, waiting: false });
    const refused = await failure("echo");
    expect(linkFailure(refused)).toMatchObject({ waiting: true });
    expect(refused.message).toBe("faulty can't be reached: the connection was refused");
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect(link.state).toBe("down");
    for (let i = 0; i < 8; i++) {
      skip(60_000);
      expect(linkFailure(await failure("echo"))).toMatchObject({ waiting: false });
    }
    const waits = events.map((event) => (event.type === "down" ? event.retryInMs : NaN));
    expect(waits).toHaveLength(9);
    for (const [i, wait] of waits.entries()) {
      const whole = Math.min(30_000, 500 * 2 ** i);
      expect(wait).toBeGreaterThanOrEqual(whole / 2);
      expect(wait).toBeLessThanOrEqual(whole);
    }
  });

  test("an agent is told the seconds once", async () => {
    const connect = [http(`http://127.0.0.1:${await closedPort()}/mcp`)];
    const away = fakeServer("away", { read: { readOnly: true } }, { connect, whenDown: "Use files" });
    const role = fakeRole("reader", [[away, { tools: { read: "allow" } }]]);
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    await using started = lightTeam({ clock });
    const session = started.as(role);
    await errorOf(session.$call("away", "read", {}));
    const { message, advice } = await errorOf(session.$call("away", "read", {}));
    expect(message).toBe("away can't be reached: the connection was refused");
    expect(advice).toBe(`${message}. Use files. The next try makes sense in 1 s.`);
  });

  test("it is used again once it is back", async () => {
    const port = await closedPort();
    const { call, failure, link, events, skip } = open(serverData([http(`http://127.0.0.1:${port}/mcp`)]));
    await failure("echo");
    await startFault({ port });
    skip(1_000);
    await call("echo");
    expect(link.state).toBe("up");
    expect(events.map((event) => event.type)).toEqual(["down", "connected", "up"]);
  });

  test("a request for time is kept", async () => {
    const server = await startFault({});
    const { call, failure, link, skip } = open(serverData([http(server.url)]));
    const error = await failure("status", { status: 429, retryAfter: "7" });
    expect(error).toMatchObject({ code: "rate-limited", retryAfterMs: 7_000, retryable: true });
    expect(linkFailure(error)).toMatchObject({ httpStatus: 429, unsent: true });
    expect(link.state).toBe("up");
    expect(link.waitMs).toBeGreaterThan(6_000);
    const refused = await failure("echo");
    expect(refused).toMatchObject({ code: "rate-limited", retryable: true });
    expect(refused.retryAfterMs).toBeGreaterThan(5_000);
    expect(linkFailure(refused)).toMatchObject({ unsent: true, waiting: true });
    skip(7_000);
    expect((await call("seen")).methods["tools/call"]).toBe(1);
  });

  test.each(["86400", new Date(Date.now() + 86_400_000).toUTCString()])("but no day: %s", async (retryAfter) => {
    const { failure, link } = open(serverData([http((await startFault({})).url)]));
    expect((await failure("status", { status: 429, retryAfter })).retryAfterMs).toBe(300_000);
    expect(link.waitMs).toBeGreaterThan(290_000);
    expect(link.waitMs).toBeLessThanOrEqual(300_000);
    const down = open(serverData([http((await startFault({})).url)]));
    expect((await down.failure("status", { status: 503, retryAfter })).retryAfterMs).toBe(300_000);
  });
});

describe("credentials", () => {
  test("a 401 during a session ends it; the next one sends what the variable holds by then", async () => {
    const server = await startFault({});
    const env = { TOKEN: "first-token" };
    const header: TransportData = http(server.url, {
      Authorization: ["Bearer ", { name: "TOKEN", form: "plain", word: [] }],
    });
    const { call, failure } = open(serverData([header]), env);
    const error = await failure("status", { status: 401 });
    expect(error).toMatchObject({ code: "needs-auth", tool: "status" });
    expect(error.message).toBe("faulty can't be used: it asks for credentials (401); check TOKEN");
    env.TOKEN = "second-token";
    expect((await call("seen")).headers.authorization).toBe("Bearer second-token");
  });

  test("a 403 refuses one call and leaves the session", async () => {
    const server = await startFault({});
    const { call, failure } = open(serverData([http(server.url)]));
    expect(await failure("status", { status: 403 })).toMatchObject({ code: "auth-failed" });
    expect((await call("seen")).methods.initialize).toBe(1);
  });

  test("over SSE too", async () => {
    const server = await startFault({ over: "sse" });
    const { failure } = open(serverData([sse(server.url)]));
    expect(await failure("status", { status: 401 })).toMatchObject({ code: "needs-auth" });
    const gated = await startFault({ over: "sse", initialize: 401 });
    expect(await open(serverData([sse(gated.url), spare])).failure("echo")).toMatchObject({ code: "needs-auth" });
  });
});

describe("credentials that somebody signed in with", () => {
  const source = (tokens: string[]) => {
    const asked: string[] = [];
    const credentials = (origin: string) => {
      asked.push(origin);
      return {
        token: async () => tokens[0],
        mayGoTo: () => true,
        onUnauthorized: async () => void tokens.shift(),
      };
    };
    return { asked, credentials };
  };

  test.each(["http", "sse"] as const)("are asked for by address and renewed after a 401, over %s", async (over) => {
    const server = await startFault({ over, token: "fresh-token" });
    const { asked, credentials } = source(["stale-token", "fresh-token"]);
    const { call } = open(serverData([over === "sse" ? sse(server.url) : http(server.url)]), {}, ".", credentials);
    const { headers } = await call("seen");
    expect(headers.authorization).toBe("Bearer fresh-token");
    expect(asked).toEqual([new URL(server.url).href]);
  });

  test.each(["http", "sse"] as const)(
    "that are refused again are needs-auth, and lead nowhere else, over %s",
    async (over) => {
      const server = await startFault({ over, token: "fresh-token" });
      const { credentials } = source(["stale-token", "staler-token"]);
      const entry = over === "sse" ? sse(server.url) : http(server.url);
      const error = await open(serverData([entry, spare]), {}, ".", credentials).failure("echo");
      expect(error).toMatchObject({ code: "needs-auth" });
      expect(linkFailure(error)).toMatchObject({ httpStatus: 401 });
    },
  );

  test("don't replace what the project writes", async () => {
    const server = await startFault({ token: "written-token" });
    const { asked, credentials } = source(["other-token"]);
    const entry = http(server.url, { authorization: ["Bearer written-token"] });
    await open(serverData([entry]), {}, ".", credentials).call("echo");
    expect(asked).toEqual([]);
  });
});

test("a link that was closed stays closed, also in the middle of connecting", async () => {
  const { link, failure } = open(serverData([fault({ initialize: "hang" })]));
  const connecting = errorOf(link.connect());
  await new Promise((resolve) => setTimeout(resolve, 100));
  await link.close();
  expect((await connecting).message).toBe("faulty is closed");
  expect((await failure("echo")).message).toBe("faulty is closed");
});
