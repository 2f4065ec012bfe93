import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { openDoor, type DoorWorld } from "../../compiler/io/serve/door.ts";
import { loadServerLibrary } from "../../compiler/io/serve/library.ts";
import { createRounds } from "../../compiler/io/serve/rounds.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import { RolecallError } from "../../runtime/index.ts";
import { fc } from "../support/generated.ts";

/** Calls that go past the protocol's library are answered to the letter as the library answers them, and called alike. */
const library = loadServerLibrary();
const rounds = createRounds(library, 60_000);

/** What its server does with a call: progress first, and an end. */
interface Behaviour {
  /** Waits until it is given up, and tells the reason. */
  readonly waits?: (reason: unknown) => void;
  readonly told: readonly object[];
  readonly end: { readonly raw: JsonValue } | { readonly thrown: Error };
  readonly outputSchema: JsonValue | undefined;
}

interface Said {
  readonly lines: readonly string[];
  readonly called: readonly unknown[];
  /** Called, and the library had no part in it. */
  readonly wentPast: boolean;
}

/** What one call is to meet, and what was seen of it. */
interface Meeting {
  behaviour: Behaviour | undefined;
  called: unknown[];
  /** Of the library. */
  asked: number;
}

function sessionOf(meeting: Meeting): object {
  return {
    async call(server: string, tool: string, args: unknown, { meta, client, progress, signal }: never) {
      const abort = signal as AbortSignal;
      meeting.called.push([server, tool, JSON.stringify(args), meta, client, abort.aborted]);
      const { told, end, waits } = meeting.behaviour!;
      if (waits !== undefined)
        await new Promise<void>((resolve) =>
          abort.addEventListener("abort", () => {
            waits(abort.reason);
            resolve();
          }),
        );
      for (const one of told) (progress as ((progress: object) => void) | undefined)?.(one);
      await Promise.resolve();
      if ("thrown" in end) throw end.thrown;
      return { meta: { raw: end.raw } };
    },
  };
}

function worldOf(meeting: Meeting): DoorWorld {
  class Counting extends library.Server {
    override setRequestHandler(
      ...[method, handler]: Parameters<InstanceType<typeof library.Server>["setRequestHandler"]>
    ) {
      super.setRequestHandler(method, (request, context) => {
        meeting.asked += method === "tools/call" ? 1 : 0;
        return handler(request, context);
      });
    }
  }
  const session = sessionOf(meeting);
  const toolNow = () => {
    const { outputSchema } = meeting.behaviour ?? {};
    const told = { description: "x", ...(outputSchema !== undefined && { outputSchema }) };
    return { name: "files__read", server: "files", tool: "read", told };
  };
  return {
    library: { ...library, Server: Counting },
    version: "1.2.3",
    role: "tester",
    instructions: "",
    offer: () => ({
      session,
      tools: new Map([["files__read", toolNow()]]),
      reads: [],
      waits: new Set(),
      inbox: "",
      setVariable: "",
    }),
    asks: { ask: () => Promise.reject(new Error("nobody asks here")) },
    rounds,
    called: () => {},
    named: () => {},
    said: () => {},
  } as unknown as DoorWorld;
}

interface OneDoor {
  /** Resolves when nothing more comes. */
  say(message: object, behaviour: Behaviour): Promise<Said>;
  close(): Promise<void>;
}

/** One door, met by a client of one era. */
async function openFor(isNewer: boolean): Promise<OneDoor> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const meeting: Meeting = { behaviour: undefined, called: [], asked: 0 };
  const door = openDoor(worldOf(meeting), { input, output });
  const settle = async (): Promise<void> => {
    for (let quiet = 0, length = -1; quiet < 4; quiet++) {
      if (text.length !== length) [quiet, length] = [0, text.length];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  if (isNewer) send({ id: "first", method: "tools/list", params: { _meta: ENVELOPE } });
  else {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
    send({ id: "first", method: "initialize", params });
    await settle();
    send({ method: "notifications/initialized" });
    send({ id: "second", method: "tools/list" });
  }
  await settle();
  return {
    async say(message, behaviour) {
      text = "";
      Object.assign(meeting, { behaviour, called: [], asked: 0 });
      send(message);
      await settle();
      const { called, asked } = meeting;
      return { lines: text.split("\n").slice(0, -1), called, wentPast: called.length > 0 && asked === 0 };
    },
    async close() {
      input.end();
      await door.close();
    },
  };
}

const PREFIX = "io.modelcontextprotocol/";
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientInfo`]: { name: "a", version: "1" },
  [`${PREFIX}clientCapabilities`]: {},
};

/** Own keys, `__proto__` too, as JSON brings them. */
const json = (text: string): JsonValue => JSON.parse(text) as JsonValue;
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "\ud800", "\u2028", '"\\\n\u0000', "é😀"),
);
const anyValue = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const plain = fc.oneof(
  text.map((one) => ({ type: "text", text: one })),
  text.map((one) => ({ text: one, type: "text" })),
);
const block = fc.oneof(
  { weight: 6, arbitrary: plain },
  fc.constantFrom<JsonValue>(
    { text: "the other way round", type: "text" },
    { type: "text", text: "x", annotations: { priority: 1 } },
    { type: "text", text: "x", _meta: { "modelcontextprotocol.io/a": 1, own: 2 } },
    { type: "text", text: "x", more: true },
    { type: "text", text: 7 },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource_link", uri: "docs://a", name: "a" },
    { type: "hologram", data: 1 },
    "no block",
    null,
    json('{"type":"text","text":"x","__proto__":{"a":1}}'),
  ),
);
const structured = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.dictionary(fc.string({ maxLength: 3 }), anyValue, { maxKeys: 3 }),
  anyValue,
  fc.constant(json('{"__proto__":{"a":1},"b":2}')),
);
const result = fc
  .record(
    {
      content: fc.oneof({ weight: 6, arbitrary: fc.array(block, { maxLength: 3 }) }, anyValue),
      structuredContent: structured,
      isError: fc.constantFrom<JsonValue>(true, false, "true", null),
      _meta: fc.constantFrom<JsonValue>(
        { a: 1 },
        { "io.modelcontextprotocol/serverInfo": { name: "forged", version: "1" } },
        5,
      ),
      resultType: fc.constantFrom("complete", "input_required"),
      requestState: fc.constant("forged"),
      more: fc.constant(1),
    },
    { requiredKeys: [] },
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as JsonValue);
const refusal = (code: "tool-failed" | "argument-refused" | "timeout", cause?: JsonValue): Error =>
  new RolecallError(code, "m", { role: "tester", server: "files", tool: "read", advice: "Do this.", cause } as never);
const everydayResult = fc.record(
  {
    content: fc.array(plain, { maxLength: 2 }),
    structuredContent: fc.dictionary(fc.string({ maxLength: 3 }), anyValue, { maxKeys: 3 }),
    isError: fc.boolean(),
  },
  { requiredKeys: ["content"] },
);
const end = fc.oneof(
  { weight: 4, arbitrary: fc.record({ raw: result }) },
  { weight: 12, arbitrary: fc.record({ raw: everydayResult }) },
  fc.record({
    thrown: fc.oneof(
      fc.constantFrom(refusal("argument-refused"), refusal("timeout"), new Error("of ours")),
      result.map((one) => refusal("tool-failed", one)),
    ),
  }),
) as fc.Arbitrary<Behaviour["end"]>;
const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  told: fc.array(fc.record({ progress: fc.integer(), message: text }, { requiredKeys: ["progress"] }), {
    maxLength: 2,
  }),
  end,
  outputSchema: fc.constantFrom<JsonValue | undefined>(
    undefined,
    { type: "object" },
    { type: "array" },
    { anyOf: [{ type: "object" }] },
  ),
});
const args = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 8, arbitrary: fc.dictionary(fc.string({ maxLength: 4 }), anyValue, { maxKeys: 3 }) },
  fc.constant(json('{"__proto__":{"a":1},"b":2}')),
  anyValue,
);
const meta = fc.record(
  {
    progressToken: fc.oneof(fc.integer(), fc.integer(), fc.string({ maxLength: 4 }), fc.constantFrom(1.5, null, {})),
    traceparent: fc.constantFrom<JsonValue>("00-1-2-01", 7),
    other: anyValue,
    [`${PREFIX}related-task`]: fc.constantFrom<JsonValue>({ taskId: "t" }, 5),
    [`${PREFIX}unheard`]: fc.constant(1),
  },
  { requiredKeys: [] },
);
const everydayMeta = fc.record(
  { progressToken: fc.integer(), "claudecode/toolUseId": fc.string() },
  { requiredKeys: [] },
);
const call = fc.record({
  id: fc.oneof(fc.integer(), fc.integer(), fc.string({ maxLength: 5 }), fc.constantFrom(1.5, 2 ** 60)),
  name: fc.oneof(
    { weight: 9, arbitrary: fc.constant("files__read") },
    fc.constantFrom<JsonValue>("none", "__proto__", 5),
  ),
  args,
  meta: fc.oneof(fc.constant(undefined), everydayMeta, meta),
  envelope: fc.oneof(
    { weight: 8, arbitrary: fc.constant(ENVELOPE) },
    fc.constantFrom(
      {},
      { ...ENVELOPE, [`${PREFIX}clientInfo`]: { name: "b", version: "2" } },
      { ...ENVELOPE, [`${PREFIX}protocolVersion`]: "2026-07-29" },
    ),
  ),
});

test.each([
  ["an older", false],
  ["the newer", true],
] as const)("of %s revision, whatever is called and whatever comes of it", async (_, isNewer) => {
  const [past, through] = [await openFor(isNewer), await openFor(isNewer)];
  let wentPast = 0;
  await fc.assert(
    fc.asyncProperty(call, behaviour, async ({ id, name, args: given, meta: own, envelope }, how) => {
      const _meta = isNewer ? { ...own, ...envelope } : own;
      const params = { name, ...(given !== undefined && { arguments: given }), ...(_meta !== undefined && { _meta }) };
      const message = { id, method: "tools/call", params };
      const [one, other] = await Promise.all([
        past.say(message, how),
        // No client writes this; the library takes no notice of it, and nothing goes past.
        through.say({ ...message, params: { ...params, unheard: 1 } }, how),
      ]);
      expect(one).toEqual({ ...other, wentPast: one.wentPast });
      expect(other.wentPast).toBe(false);
      if (one.wentPast) wentPast++;
    }),
    { numRuns: 1_500 },
  );
  expect(wentPast).toBeGreaterThan(150);
  await Promise.all([past.close(), through.close()]);
});

test.each([
  ["an older", false],
  ["the newer", true],
] as const)("of %s revision, a call that is given up has no answer, and one that isn't goes on", async (_, isNewer) => {
  for (const more of [{}, { unheard: 1 }]) {
    const door = await openFor(isNewer);
    const reasons: unknown[] = [];
    const waiting: Behaviour = {
      told: [],
      end: { raw: { content: [] } },
      outputSchema: undefined,
      waits: (reason) => reasons.push(reason),
    };
    const params = { name: "files__read", ...(isNewer && { _meta: ENVELOPE }), ...more };
    const called = [await door.say({ id: 7, method: "tools/call", params }, waiting)];
    for (const cancelled of [{ requestId: 8, reason: "another" }, { requestId: "7" }, {}, { requestId: 7, reason: 5 }])
      called.push(await door.say({ method: "notifications/cancelled", params: cancelled }, waiting));
    expect(reasons).toEqual([]);
    called.push(
      await door.say({ method: "notifications/cancelled", params: { requestId: 7, reason: "enough" } }, waiting),
    );
    expect(reasons).toEqual(["enough"]);
    expect(called.flatMap(({ lines }) => lines)).toEqual([]);
    // The id is free again, and who leaves gives up what is under way.
    const answered = await door.say({ id: 7, method: "tools/call", params }, { ...waiting, waits: undefined } as never);
    expect(answered.lines).toHaveLength(1);
    await door.say({ id: 9, method: "tools/call", params }, waiting);
    await door.close();
    expect(reasons).toHaveLength(2);
  }
});
