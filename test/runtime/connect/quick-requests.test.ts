// oxlint-disable unicorn/prefer-add-event-listener -- the library's transports are no event targets
import { describe, expect, test } from "vitest";
import { explain, isErrorAnswer } from "../../../runtime/connect/failure.ts";
import { loadLibrary, type Message, type RequestOptions, type Transport } from "../../../runtime/connect/library.ts";
import { quickRequests, type Ask } from "../../../runtime/connect/quick-requests.ts";
import { fc } from "../../support/generated.ts";

/** What goes past the client library ends as it would with it, and its server hears the same. */
const { Client } = await loadLibrary();

interface Side {
  readonly ask: Ask;
  readonly transport: Transport;
  /** What its server heard since the last look, ids as they were asked: the first is 0. */
  heard(): unknown[];
  /** As the server answers the last request. */
  answer(message: object, id: (asked: number) => unknown): void;
}

const AS_SENT = { "~standard": { version: 1, vendor: "t", validate: (value: unknown) => ({ value }) } };

async function openSide(isQuick: boolean): Promise<Side> {
  let sent: Message[] = [];
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    async send(message) {
      if (message.method === "initialize") {
        const serverInfo = { name: "t", version: "1" };
        const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
        setImmediate(() => transport.onmessage?.({ jsonrpc: "2.0", id: message.id, result }));
      } else sent.push(message);
    },
  };
  const client = new Client({ name: "t", version: "1" }, { capabilities: {}, jsonSchemaValidator: {} });
  await client.connect(transport, { timeout: 5_000 });
  sent = [];
  const slow: Ask = (method, params, options) => client.request({ method, params }, AS_SENT, options);
  let asked = 0;
  return {
    ask: isQuick ? quickRequests(transport, slow) : slow,
    transport,
    heard() {
      const known = sent.map((message) => JSON.stringify(message, (key, value: unknown) => idOf(key, value, asked)));
      sent = [];
      return known;
    },
    answer(message, id) {
      asked = Number(sent.findLast(({ method }) => method === "tools/call")!.id);
      transport.onmessage?.({ ...message, id: id(asked) } as Message);
    },
  };
}

const idOf = (key: string, value: unknown, asked: number): unknown =>
  (key === "id" || key === "requestId") && value === asked ? "asked" : value;

const settled = async (work: Promise<unknown>): Promise<unknown> => {
  let end: unknown = "waits";
  work.then(
    (value) => (end = { value }),
    (error: unknown) => (end = { failure: explain(error), isAnswer: isErrorAnswer(error) }),
  );
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  return end;
};

const PARAMS = { name: "read", arguments: { path: "a" } };
const json = fc.jsonValue({ maxDepth: 2 });
const result = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 3 }) },
  fc.record(
    {
      content: fc.constant([{ type: "text", text: "x" }]),
      _meta: fc.oneof(json, fc.constant({ progressToken: 1 })),
      resultType: fc.constantFrom("complete", "input_required", 5),
      requestState: fc.constant("s"),
    },
    { requiredKeys: ["content"] },
  ),
  json,
);
const error = fc.record(
  { code: fc.constantFrom(-32602, -32002, -32001, 5, "x"), message: fc.oneof(fc.string(), json), data: json },
  { requiredKeys: ["code", "message"] },
);
const answer = fc.record(
  { jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0"), result, error, more: fc.constant(1) },
  { requiredKeys: ["jsonrpc"] },
);
const ids: readonly ((asked: number) => unknown)[] = [
  (asked) => asked,
  (asked) => asked,
  String,
  (asked) => asked + 1,
  () => null,
];

describe("past the library and with it", () => {
  test("whatever is answered, under whatever id", async () => {
    const sides = [await openSide(false), await openSide(true)] as const;
    await fc.assert(
      fc.asyncProperty(answer, fc.constantFrom(...ids), async (message, id) => {
        const ends = sides.map(async (side) => {
          const stop = new AbortController();
          const asked = side.ask("tools/call", PARAMS, { timeout: 5_000, signal: stop.signal });
          side.answer(message, id);
          const end = await settled(asked);
          stop.abort("enough");
          return [end, await settled(asked)];
        });
        const [one, other] = await Promise.all(ends);
        expect(other).toEqual(one);
        for (const side of sides) side.heard();
      }),
      { numRuns: 1_000 },
    );
  });

  const ending = async (side: Side, options: RequestOptions, end: () => unknown): Promise<unknown> => {
    const asked = side.ask("tools/call", PARAMS, options);
    const before = await settled(asked);
    await end();
    const after = await settled(asked);
    side.transport.onmessage?.({ jsonrpc: "2.0", id: 1, result: {} });
    const ids = side.heard().map((line) => String(line).replace(/"(id|requestId)":\d+/g, '"$1":0'));
    return [before, after, ids];
  };

  test.each([
    ["the time is over", (): [RequestOptions, () => unknown] => [{ timeout: 20 }, () => sleep(60)]],
    ["it is given up", () => given(new AbortController(), "enough")],
    ["it is given up without a word", () => given(new AbortController())],
    ["its connection ends", (): [RequestOptions, undefined] => [{ timeout: 5_000 }, undefined]],
  ] as const)("%s", async (_, make) => {
    const ends = [false, true].map(async (isQuick) => {
      const side = await openSide(isQuick);
      const [options, end] = make();
      return ending(side, options, end ?? (() => side.transport.onclose?.()));
    });
    const [one, other] = await Promise.all(ends);
    expect(other).toEqual(one);
  });

  test("what is asked with an ear for progress, or too late, is the library's", async () => {
    for (const isQuick of [false, true]) {
      const side = await openSide(isQuick);
      const told: object[] = [];
      const asked = side.ask("tools/call", PARAMS, { timeout: 5_000, onprogress: (one) => told.push(one) });
      const { params } = JSON.parse(String(side.heard()[0])) as { params: { _meta: { progressToken: number } } };
      const { progressToken } = params._meta;
      side.transport.onmessage?.({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress: 1 },
      });
      expect(await settled(asked)).toBe("waits");
      side.transport.onmessage?.({ jsonrpc: "2.0", id: progressToken, result: { a: 1 } });
      expect([await settled(asked), told]).toEqual([{ value: { a: 1 } }, [{ progress: 1 }]]);
      const late = side.ask("tools/call", PARAMS, { timeout: 5_000, signal: AbortSignal.abort("enough") });
      expect(await settled(late)).toMatchObject({ failure: { code: "timeout" } });
    }
  });
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const given = (stop: AbortController, reason?: string): [RequestOptions, () => void] => [
  { timeout: 5_000, signal: stop.signal },
  () => stop.abort(reason),
];

/** From 24 on Node writes whatever depth it reads, so that the library passes by such an answer as by any that is none. */
const isPassedBy = Number.parseInt(process.versions.node, 10) >= 24;

test.skipIf(isPassedBy)("a small answer that is nested too deep is told as that, whoever reads it", async () => {
  const deep = JSON.parse(`${"[".repeat(30_000)}${"]".repeat(30_000)}`) as unknown;
  for (const result of [deep, { _meta: deep, content: [] }]) {
    const side = await openSide(true);
    const asked = side.ask("tools/call", PARAMS, { timeout: 5_000 });
    side.answer({ jsonrpc: "2.0", result }, (id) => id);
    const why = "it sent a message that is nested deeper than 200";
    expect(await settled(asked)).toMatchObject({ failure: { code: "tool-failed", why, lost: false } });
  }
});
