import { describe, expect, test } from "vitest";
import { createMeter } from "../../runtime/connect/bounds.ts";
import type { TransportData } from "../../runtime/server-data.ts";
import { errorOf, fault, http, open, serverData, soon, sse, startFault, type Opened } from "../support/linked.ts";

/** A server sends more than anybody can read: that is told, the app goes on, and the neighbour is answered. */

const MB = 1024 * 1024;
const OVER = {
  stdio: async () => fault({}),
  "HTTP, as JSON": async () => http((await startFault({})).url),
  "HTTP, as events": async () => http((await startFault({ stream: true })).url),
  SSE: async () => sse((await startFault({ over: "sse" })).url),
} as const satisfies Record<string, () => Promise<TransportData>>;
const TRANSPORTS = Object.keys(OVER) as (keyof typeof OVER)[];

const TOO_MUCH = [
  ["text", 33 * MB, "it sent a message of more than 32 MB"],
  ["values", 2_000_000, "it sent a message of more than 250000 values"],
  ["keys", 60_000, "it sent a message of more than 50000 different keys"],
  ["deep", 100_000, "it sent a message that is nested deeper than 200"],
  ["deep", 300, "it sent a message that is nested deeper than 200"],
  ["endless", 0, "it sent a message of more than 32 MB"],
] as const;

describe.each(TRANSPORTS)("over %s", (transport) => {
  test.each(TOO_MUCH)("%s of %i is told as such, once, and the next call is fine", async (kind, size, why) => {
    const { call, failure } = open(serverData([await OVER[transport]()]));
    const neighbour = await watchNeighbour();
    await call("echo");
    const error = await failure("attack", { kind, size }, 20_000);
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(error.message).toContain(why);
    expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
    await neighbour.expectUnharmed();
  });

  test.each([
    ["text", 24 * MB],
    ["values", 200_000],
    ["keys", 45_000],
    ["table", 25_000],
    ["deep", 190],
    ["brackets", 2 * MB],
  ] as const)("%s of %i is no more than may be", async (kind, size) => {
    const { call } = open(serverData([await OVER[transport]()]));
    expect(await call("attack", { kind, size }, 20_000)).toHaveProperty("x");
  });

  test("an error that is a book is told as its first page", async () => {
    const { failure } = open(serverData([await OVER[transport]()]));
    const { message, advice } = await failure("attack", { kind: "error", size: 5 * MB });
    expect(message.length).toBeLessThan(2_100);
    expect(advice.length).toBeLessThan(2_100);
  });

  test("a storm of notices is compared at most four times a second", async () => {
    const { call, link } = open(serverData([await OVER[transport]()]));
    const neighbour = await watchNeighbour();
    const before = (await call("seen")).lists;
    const began = performance.now();
    await call("attack", { kind: "storm", size: 2_000 }, 20_000);
    await soon(() => link.settled, 20_000);
    const most = (performance.now() - began) / 250 + 2;
    expect((await call("seen")).lists - before).toBeLessThanOrEqual(most);
    await neighbour.expectUnharmed();
  });

  test("noise without end is read between the answers of others", async () => {
    const { call } = open(serverData([await OVER[transport]()]));
    const neighbour = await watchNeighbour();
    expect((await call("attack", { kind: "noise", size: 1_500 }, 20_000)).content[0].text).toBe("done");
    await neighbour.expectUnharmed();
  });
});

const JUNK = {
  stdio: ["\n", "x\n", "{x\n", " \n", '{"level":"debug"}\n', '{"jsonrpc":"2.0"}\n', "[1]\n"],
  "HTTP, as events": [
    "\n",
    "\r\n",
    "data: x\n\n",
    "data: {x\n\n",
    'data: {"jsonrpc":"2.0"}\n\n',
    ": x\n\n",
    "id: 1\n\n",
  ],
  SSE: ["\n", "data: x\n\n", "data: {x\n\n", ": x\n\n"],
} as const satisfies Partial<Record<keyof typeof OVER, readonly string[]>>;

test("a call that tells of twenty thousand rows as fast as it can is answered", async () => {
  const { call } = open(serverData([fault({})]));
  expect(await call("attack", { kind: "rows", size: 20_000 }, 20_000)).toHaveProperty("content");
});

const UNAWAITED = [
  { method: "notifications/anything" },
  { method: "notifications/tools/list_changed" },
  { method: "notifications/progress", params: { progressToken: "none", progress: 1 } },
  { method: "ping", id: 1 },
  { id: 1, result: {} },
  { id: "none", error: { code: 1, message: "x" } },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));

describe.each([
  ["stdio", (line: string) => `${line}\n`],
  ["HTTP, as events", (line: string) => `data: ${line}\n\n`],
] as const)("a message that nothing waits for, over %s", (transport, sent) => {
  // Over HTTP the answers to pings hold such a server up, of which sixteen are under way.
  const unawaited = UNAWAITED.filter((line) => transport === "stdio" || !line.includes('"ping"'));
  test.each(unawaited)("%s without end is told as such, once, and the next call is fine", async (line) => {
    const { call, failure } = open(serverData([await OVER[transport]()]));
    const neighbour = await watchNeighbour(500);
    await call("echo");
    const error = await failure("attack", { kind: "junk", text: sent(line) }, 20_000);
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(error.message).toContain("it sent what nothing waits for, more than 2500 times a second");
    expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
    await neighbour.expectUnharmed();
  });
});

const LARGE = {
  values: `{"x":[${"{},".repeat(100_000)}1]}`,
  keys: JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i]))),
};

describe.each([
  ["stdio", (line: string) => `${line}\n`],
  ["HTTP, as events", (line: string) => `data: ${line}\n\n`],
] as const)("large messages that nothing waits for, over %s", (transport, sent) => {
  test.each(["values", "keys"] as const)("of %s are broken off as many small ones are", async (kind) => {
    const { call, failure } = open(serverData([await OVER[transport]()]));
    await call("echo");
    const line = `{"jsonrpc":"2.0","method":"notifications/x","params":${LARGE[kind]}}`;
    const error = await failure("attack", { kind: "junk", text: sent(line) }, 30_000);
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(error.message).toContain("it sent what nothing waits for");
    expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
  });
});

test.each(TRANSPORTS)(
  "large answers, one after the other and all at once, are what was asked for: %s",
  async (transport) => {
    const { call } = open(serverData([await OVER[transport]()]));
    const asked = { kind: "values", size: 240_000 };
    for (let i = 0; i < 15; i++) expect(await call("attack", asked, 20_000)).toHaveProperty("x");
    const answers = await Promise.all(Array.from({ length: 15 }, () => call("attack", asked, 40_000)));
    expect(answers).toHaveLength(15);
  },
);

test.each(TRANSPORTS)("thousands of answers of 110 keys are no noise: %s", { timeout: 90_000 }, async (transport) => {
  const { call } = open(serverData([await OVER[transport]()]));
  const until = performance.now() + 15_000;
  let left = 6_000;
  const asking = async (): Promise<void> => {
    while (left-- > 0 && performance.now() < until)
      expect(await call("attack", { kind: "keys", size: 110 }, 60_000)).toHaveProperty("x");
  };
  await Promise.all(Array.from({ length: 32 }, asking));
});

// Empty lines are read the fastest: the flood is to be one on a busy machine too.
const SOON_TOO_MUCH = `data: ${UNAWAITED[0]}\n\n${"\n".repeat(10_000)}`;

test(
  "a stream that is cut and resumed without end is told as such, and resumed no more",
  { timeout: 90_000 },
  async () => {
    const { url } = await startFault({ primedWith: SOON_TOO_MUCH });
    const { call, failure } = open(serverData([http(url)]));
    const error = await failure("resume", { retry: 1 }, 50_000);
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(error.message).toContain("it sent what nothing waits for");
    const { gets } = await call("seen");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await call("seen")).gets).toBe(gets);
  },
);

describe.each(Object.keys(JUNK) as (keyof typeof JUNK)[])("what is no message, over %s", (transport) => {
  test.each(JUNK[transport])("%j without end is told as such, once, and the next call is fine", async (text) => {
    const { call, failure } = open(serverData([await OVER[transport]()]));
    const neighbour = await watchNeighbour(500);
    await call("echo");
    const error = await failure("attack", { kind: "junk", text }, 20_000);
    expect(error).toMatchObject({ code: "tool-failed", retryable: false });
    expect(error.message).toContain("it sent what nothing waits for, more than 2500 times a second");
    expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
    await neighbour.expectUnharmed();
  });
});

test("what is small on the wire and large behind it", async () => {
  const { url } = await startFault({ gzip: true });
  const { call, failure } = open(serverData([http(url)]));
  const neighbour = await watchNeighbour();
  expect((await failure("attack", { kind: "text", size: 200 * MB }, 20_000)).message).toContain("more than 32 MB");
  expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
  await neighbour.expectUnharmed();
});

test("of a server's own requests at most 16 are answered at once", async () => {
  const { url } = await startFault({ holdAnswers: true });
  const { call } = open(serverData([http(url)]));
  await call("echo");
  await call("attack", { kind: "pings", size: 500 });
  expect((await call("seen")).held).toBe(16);
});

test("and those of one that takes its answers are answered, all of them in turn", async () => {
  const { call } = open(serverData([fault({})]));
  for (let i = 0; i < 10; i++) await call("attack", { kind: "pings", size: 10 });
  expect((await call("ask-client", { method: "ping" })).answer).toMatchObject({ result: {} });
});

test("for a child that doesn't read no more than a megabyte is held", async () => {
  const opened = open(serverData([fault({})]));
  const { pid } = await opened.call("seen");
  process.kill(pid, "SIGSTOP");
  const text = "x".repeat(200_000);
  const calls = Array.from({ length: 60 }, () => errorOf(opened.call("echo", { text }, 700)));
  const errors = await Promise.all(calls);
  process.kill(pid, "SIGCONT");
  const refused = errors.filter(({ message }) => message.includes("it doesn't read what it was sent before"));
  expect(refused.length).toBeGreaterThan(45);
  expect(refused.every(({ retryable }) => retryable)).toBe(true);
  // It reads what was held for it, and takes more.
  let reads = false;
  for (let tries = 0; tries < 100 && !reads; tries++)
    reads = await opened.call("echo").then(
      () => true,
      () => new Promise<false>((resolve) => setTimeout(resolve, 50, false)),
    );
  expect(reads).toBe(true);
});

describe("lists", () => {
  const connected = async (config: object): Promise<unknown> => {
    const { link } = open(serverData([fault(config)]));
    return await link.connect().then(
      () => "connected",
      ({ message }: Error) => message,
    );
  };

  test("an empty cursor is the end", async () => expect(await connected({ lastCursor: "" })).toBe("connected"));

  test.each([
    ["many tools", { moreTools: 12_000, pageSize: 1_000 }],
    ["many of one name", { moreTools: 12_000, pageSize: 100_000, sameName: "echo" }],
  ])("%s are too many", async (_, config) => {
    expect(await connected(config)).toBe("faulty can't be reached: it lists more than 10000 tools");
  });

  test("those of one name are compared in a moment", async () => {
    const { link } = open(serverData([fault({ moreTools: 9_900, pageSize: 100_000, sameName: "echo" })]));
    await link.connect();
    expect(link.changed("echo")).toBe("the server lists two tools of this name");
  });
});

describe("the meter", () => {
  const judged = (text: string, cut: number): string => {
    const bytes = new TextEncoder().encode(text);
    const meter = createMeter();
    try {
      for (let from = 0; from < bytes.length; from += cut) meter.take(bytes.subarray(from, from + cut));
      return "fine";
    } catch (problem) {
      return (problem as Error).message;
    }
  };

  test.each([
    ["[]", 250_001, "fine"],
    ["[]", 250_002, "more than 250000 values"],
    ["1", 250_001, "fine"],
    ["1", 250_002, "more than 250000 values"],
    ['{ "a" : [ ] }', 125_000, "fine"],
    ['{ "a" : [ ] }', 125_001, "more than 250000 values"],
  ])("counts what is in lists and objects: %s, %i times", (one, times, verdict) => {
    expect(judged(Array.from({ length: times }, () => one).join(","), 64 * 1024)).toContain(verdict);
  });

  test.each([1, 2, 7, 64])("reads texts across pieces of %i bytes", (cut) => {
    const open = "[".repeat(300);
    expect(judged(JSON.stringify({ a: open, [open]: `"\\${open}"`, b: ["\\", open] }), cut)).toBe("fine");
    expect(judged(`{"a\\"": ${open}`, cut)).toContain("deeper");
    // A quote before a message doesn't hide what stands in it.
    for (const end of ["\n", "\r", "\\\r"]) expect(judged(`id: "${end}data: ${open}`, cut)).toContain("deeper");
    expect(judged(`${"]".repeat(400)}${open}`, cut)).toContain("deeper");
  });
});

interface Neighbour {
  expectUnharmed(): Promise<void>;
}

/**
 * Calls another server all the while. What the app stands still is told in time of its own, since a busy machine gives
 * it none for long.
 */
async function watchNeighbour(timeoutMs: number = 2_000): Promise<Neighbour> {
  const other: Opened = open(serverData([fault({})], { server: "neighbour" }));
  await other.call("echo");
  const outcomes: boolean[] = [];
  const asked = { over: false };
  let still = 0;
  let last = { wall: performance.now(), cpu: process.cpuUsage() };
  const tick = setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu);
    still = Math.max(still, Math.min(performance.now() - last.wall, (user + system) / 1_000));
    last = { wall: performance.now(), cpu: process.cpuUsage() };
  }, 10);
  const asking = (async () => {
    while (!asked.over) {
      outcomes.push(
        await other.call("echo", {}, timeoutMs).then(
          () => true,
          () => false,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async expectUnharmed() {
      asked.over = true;
      await asking;
      clearInterval(tick);
      expect(outcomes.filter(Boolean).length / outcomes.length).toBeGreaterThanOrEqual(0.95);
      expect(still).toBeLessThan(1_000);
    },
  };
}
