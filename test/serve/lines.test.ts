import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { lineTransport } from "../../compiler/io/serve/line-transport.ts";
import { drained, linePasser, writeLine } from "../../compiler/io/serve/lines.ts";
import { partsOf } from "../../compiler/serve/line-parts.ts";
import { fc } from "../support/generated.ts";

/** Lines pass as they came, in whatever pieces, and what must be known of one is found without reading all of it. */

const anyKey = fc.oneof(
  fc.constantFrom("id", "method", "result", "error", "params", "jsonrpc"),
  fc.string({ maxLength: 3 }),
);
const id = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 6 }),
  fc.constantFrom(1.5, 1e21, -0, null, true, [1], { id: 2 }, '"', "a-b.c", "é", "\\"),
);
const message = fc
  .record({
    id: fc.option(id, { nil: undefined }),
    method: fc.option(fc.oneof(fc.constantFrom("tools/call", "initialize", "a b", 'a"b'), fc.integer()), {
      nil: undefined,
    }),
    inner: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom({ jsonrpc: "2.0", id: 5 }, '","jsonrpc":"2.0","id":5}', { id: 5 }),
    ),
    where: fc.constantFrom("params", "result", "error"),
    order: fc.shuffledSubarray(["jsonrpc", "id", "method", "inner"], { minLength: 4 }),
    more: fc.option(fc.tuple(anyKey, fc.jsonValue({ maxDepth: 1 })), { nil: undefined }),
  })
  .map(({ order, where, more, ...parts }) => {
    const all = { jsonrpc: "2.0", ...parts } as Record<string, unknown>;
    const entries = order.map((key) => [key === "inner" ? where : key, all[key]] as const);
    return Object.fromEntries(more === undefined ? entries : [...entries, more]);
  })
  // What asks and answers at once is no message.
  .filter((one) => one["method"] === undefined || !("result" in one || "error" in one));

test("of every message that a program writes, id and method are those of the whole", () => {
  fc.assert(
    fc.property(fc.oneof(message, fc.jsonValue()), fc.constantFrom("", " ", "\r"), (value, end) => {
      const text = JSON.stringify(value);
      const whole = JSON.parse(text) as { id?: unknown; method?: unknown } | null;
      const isMessage = typeof whole === "object" && whole !== null && !Array.isArray(whole);
      const own = (key: "id" | "method"): unknown => (isMessage && Object.hasOwn(whole, key) ? whole[key] : undefined);
      const method = own("method");
      expect(partsOf(Buffer.from(text + end))).toEqual({
        id: JSON.stringify(own("id")),
        method: typeof method === "string" ? method : undefined,
      });
    }),
    { numRuns: 5_000 },
  );
});

test("whatever pieces lines come in, those that pass come out whole and in order, and the others don't", () => {
  const line = fc.string({ unit: "binary", maxLength: 6 }).map((text) => text.replaceAll("\n", ""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const passed: Buffer[] = [];
      const seen: string[] = [];
      const take = linePasser(
        (one) => seen.push(one.toString("utf8")) > 0 && one.length % 3 !== 0,
        (whole) => passed.push(whole),
        () => expect.unreachable(),
      );
      let from = 0;
      for (const to of [...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]) {
        take(bytes.subarray(from, to));
        from = to;
      }
      const all = lines.map((text) => Buffer.from(text));
      expect(seen).toEqual(all.map((one) => one.toString("utf8")));
      const through = all.filter((one) => one.length % 3 !== 0);
      expect(Buffer.concat(passed)).toEqual(Buffer.concat(through.flatMap((one) => [one, Buffer.from("\n")])));
    }),
    { numRuns: 200 },
  );
});

test("a line is too long at more than 32 MB, whether its end has come or not, and no sooner", () => {
  for (const [last, ...expected] of [[""], ["\n", "passed"], ["y", "too long"], ["y\n", "too long"]] as const) {
    const told: string[] = [];
    const take = linePasser(
      () => true,
      () => told.push("passed"),
      () => told.push("too long"),
    );
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let i = 0; i < 32; i++) take(chunk);
    expect(told).toEqual([]);
    take(Buffer.from(last));
    expect(told).toEqual(expected);
  }
});

test("what is written within a turn is one piece, and who must wait is told when there is room", async () => {
  const pieces: string[] = [];
  let done = (): void => {};
  const slow = new Writable({
    highWaterMark: 16,
    write: (chunk: Buffer, _, written) => {
      pieces.push(chunk.toString());
      done = written;
    },
  });
  expect([writeLine(slow, "a"), writeLine(slow, "b")]).toEqual([true, true]);
  await Promise.resolve();
  await new Promise((resolve) => process.nextTick(resolve));
  expect(pieces).toEqual(["a\nb\n"]);
  expect(writeLine(slow, "c".repeat(20))).toBe(false);
  let hasRoom = false;
  void drained(slow).then(() => (hasRoom = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([hasRoom, pieces.length]).toEqual([false, 1]);
  done();
  await new Promise((resolve) => setImmediate(resolve));
  done();
  await new Promise((resolve) => setImmediate(resolve));
  expect([hasRoom, pieces.at(-1)]).toEqual([true, `${"c".repeat(20)}\n`]);
  // One that is gone makes nobody wait for ever.
  const gone = new PassThrough({ highWaterMark: 1 });
  writeLine(gone, "x");
  const waiting = drained(gone);
  gone.destroy();
  await waiting;
});

test("whoever doesn't read is asked no more than fits into 16 MB, and goes on where he stopped", async () => {
  const input = new PassThrough();
  let isStuck = true;
  const held: (() => void)[] = [];
  const output = new Writable({
    write: (_chunk, _encoding, written) => void (isStuck ? held.push(written) : written()),
  });
  let heard = 0;
  const transport = lineTransport({ input, output });
  const answer = { jsonrpc: "2.0", id: 1, result: { text: "x".repeat(1024 * 1024) } };
  const onmessage = (): void => {
    heard++;
    void transport.send(answer);
  };
  Object.assign(transport, { onmessage });
  await transport.start();
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 40; i++) {
    input.write('{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n');
    await turn();
  }
  expect(heard).toBeGreaterThanOrEqual(16);
  expect(heard).toBeLessThan(20);
  isStuck = false;
  for (const written of held.splice(0)) written();
  for (let turns = 0; turns < 200; turns++) await turn();
  expect(heard).toBe(40);
});

interface Heard {
  readonly methods: unknown[];
  readonly said: unknown[];
  readonly errors: string[];
}

/** What is heard of these lines, and what their sender is told. */
async function heardOf(lines: readonly string[], hear: (message: object) => void = () => {}): Promise<Heard> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: Heard = { methods: [], said: [], errors: [] };
  const transport = lineTransport({ input, output });
  const onmessage = (message: { readonly method?: unknown }): void => {
    heard.methods.push(message.method);
    hear(message);
  };
  Object.assign(transport, { onmessage, onerror: ({ message }: Error) => heard.errors.push(message) });
  await transport.start();
  input.end(lines.map((line) => `${line}\n`).join(""));
  await new Promise((resolve) => input.once("close", resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const text = ((output.read() as Buffer | null) ?? "").toString();
  heard.said.push(...text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown])));
  return heard;
}

const requestWith = (member: string): string => `{"jsonrpc":"2.0","id":7,"method":"m",${member}}`;
const callWith = (params: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a",${params}}}`;
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const TOO_MUCH = { code: -32600, message: "it holds too much, or too deep" };

test("a line that is nested deeper than 208 is refused, wherever it is, and the next one is heard", async () => {
  for (const levels of [208, 4_500, 30_000, 1_000_000]) {
    const deep = ['"params":{"_meta":{"a":', '"params":{"arguments":', '"result":', '"error":{"data":', '"x":'].map(
      (key) => requestWith(`${key}${nested(levels)}${"}".repeat(key.split("{").length - 1)}`),
    );
    const { methods, said, errors } = await heardOf([
      ...deep,
      `{"jsonrpc":"2.0","id":${nested(levels)}}`,
      "{}",
      requestWith('"x":1'),
    ]);
    expect(methods).toEqual(["m"]);
    expect(said.slice(0, 5)).toEqual(deep.map(() => ({ jsonrpc: "2.0", id: 7, error: TOO_MUCH })));
    expect(said).toHaveLength(7);
    expect(errors).toEqual([]);
  }
  const { methods, said } = await heardOf([requestWith(`"x":${nested(207)}`), requestWith(`"x":"${nested(5_000)}"`)]);
  expect([methods, said]).toEqual([["m", "m"], []]);
});

test("a line of more values than a server may send is refused before it is read", async () => {
  const many = (count: number): string => callWith(`"arguments":{"a":[${"1,".repeat(count)}1]}`);
  const { methods, said } = await heardOf([many(200_000), many(300_000), requestWith('"x":1')]);
  expect([methods, said]).toEqual([["tools/call", "m"], [{ jsonrpc: "2.0", id: 7, error: TOO_MUCH }]]);
});

test("a line of more than 5,000 values is refused where they aren't what a call is made with", async () => {
  const many = `[${"1,".repeat(5_000)}1]`;
  const refused = [
    requestWith(`"params":{"arguments":{"a":${many}}}`),
    callWith(`"arguments":${many}`),
    callWith(`"arguments":{},"_meta":{"a":${many}}`),
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${many}}`,
    requestWith(`"x":${many}`),
  ];
  const { methods, said } = await heardOf([...refused, callWith(`"arguments":{"a":${many}}`)]);
  expect([methods, said]).toEqual([["tools/call"], refused.map(() => ({ jsonrpc: "2.0", id: 7, error: TOO_MUCH }))]);
});

test("an id of more than 1,000 characters is nobody's", async () => {
  const named = (length: number): string => `{"jsonrpc":"2.0","id":"${"a".repeat(length)}","method":"m"}`;
  const { methods, said } = await heardOf([named(1_000), named(1_001)]);
  expect(methods).toHaveLength(1);
  expect(said).toEqual([{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "this is no JSON-RPC message" } }]);
});

test("what fails while a line is heard is answered and told, and the next line is heard", async () => {
  let isFirst = true;
  const { methods, said, errors } = await heardOf([requestWith('"x":1'), requestWith('"x":2')], () => {
    if (!isFirst) return;
    isFirst = false;
    throw new RangeError("as if it were too deep");
  });
  expect(methods).toEqual(["m", "m"]);
  expect(said).toEqual([{ jsonrpc: "2.0", id: 7, error: { code: -32603, message: "Internal error" } }]);
  expect(errors).toEqual(["as if it were too deep"]);
});

test("nobody waits for a client to read: what it sends meanwhile would be kept", async () => {
  const output = new Writable({ write: () => {} });
  const transport = lineTransport({ input: new PassThrough(), output });
  await transport.start();
  let sent = 0;
  for (; sent < 100; sent++) await transport.send({ jsonrpc: "2.0", id: sent, result: "x".repeat(10_000) });
  expect(sent).toBe(100);
});
