import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { openDoor, type DoorWorld, type OpenDoor } from "../../compiler/io/serve/door.ts";
import { loadServerLibrary } from "../../compiler/io/serve/library.ts";
import { createRounds } from "../../compiler/io/serve/rounds.ts";

/** One client on a socket has so much under way, and is told when it is more; a cancel is heard whatever waits. */
const library = loadServerLibrary();
const rounds = createRounds(library, 60_000);
const PREFIX = "io.modelcontextprotocol/";
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientInfo`]: { name: "a", version: "1" },
  [`${PREFIX}clientCapabilities`]: {},
};
const MB = 1024 * 1024;

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: (progress: object) => void;
}

let door: OpenDoor;
let input: PassThrough;
let answers: Answer[];
/** Each call that the server has, by what it was called with. */
let held: Map<unknown, () => void>;
afterEach(() => door.close());

async function open(): Promise<void> {
  [answers, held, input] = [[], new Map(), new PassThrough({ highWaterMark: 256 * MB })];
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split("\n");
    text = lines.pop()!;
    answers.push(...lines.map((line) => JSON.parse(line) as Answer));
  });
  const asked = (key: unknown, { signal, progress }: Asking, raw: object): Promise<object> =>
    new Promise((resolve, reject) => {
      held.set(key, () => resolve(raw));
      progress?.({ progress: 1 });
      signal.addEventListener("abort", () => {
        held.delete(key);
        reject(new Error("given up"));
      });
    });
  const session = {
    call: async (_: string, __: string, args: { readonly key: unknown }, how: never) => ({
      meta: { raw: await asked(args.key, how, { content: [] }) },
    }),
    mayRead: () => true,
    read: (_: string, uri: string, how: never) => asked(uri, how, { contents: [] }),
  };
  const tool = { name: "read", server: "files", tool: "read", told: {} };
  const world = {
    library,
    version: "1.2.3",
    role: "tester",
    instructions: "",
    offer: () => ({
      session,
      tools: new Map([["read", tool]]),
      reads: ["files"],
      waits: new Set(),
      inbox: "",
      setVariable: "",
    }),
    asks: {},
    rounds,
    called: () => {},
    named: () => {},
    said: () => {},
  };
  door = openDoor(world as unknown as DoorWorld, { input, output });
  say({ id: "first", method: "tools/list", params: { _meta: ENVELOPE } });
  await settled();
  answers = [];
}

const say = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
};
const call = (id: number, more: object = {}, args: object = {}): void =>
  say({
    id,
    method: "tools/call",
    params: { name: "read", arguments: { key: id, ...args }, _meta: ENVELOPE, ...more },
  });
const read = (id: number): void =>
  say({ id, method: "resources/read", params: { uri: `docs://${id}`, _meta: ENVELOPE } });
const WORDS =
  "Nothing was done: 256 requests of this client, or 64 MB of them, wait for their answers. Send it again when some of these have come.";
const REFUSED = { isError: true, content: [{ type: "text", text: WORDS }] };

/** No client writes this; such a call doesn't go past the library. */
const ODD = { unheard: 1 };

test.each([
  ["past the library", {}],
  ["through it", ODD],
])("256 calls %s, then one more is told so, until another is answered or given up", async (_, more) => {
  await open();
  for (let id = 0; id < 256; id++) call(id, more);
  await settled();
  expect([held.size, answers]).toEqual([256, []]);
  call(256, more);
  read(257);
  await settled();
  expect(held.size).toBe(256);
  expect(answers).toMatchObject([
    { id: 256, result: REFUSED },
    { id: 257, error: { message: WORDS } },
  ]);
  say({ method: "notifications/cancelled", params: { requestId: 3 } });
  held.get(4)!();
  await settled();
  held.delete(4);
  expect(held.size).toBe(254);
  call(300, more);
  read(301);
  await settled();
  call(302, more);
  await settled();
  expect([...held.keys()].slice(-2)).toEqual([300, "docs://301"]);
  expect(answers.slice(2)).toMatchObject([
    { id: 4, result: { content: [] } },
    { id: 302, result: REFUSED },
  ]);
  // What is answered at once waits for nobody.
  say({ id: 303, method: "ping", params: { _meta: ENVELOPE } });
  say({ id: 304, method: "tools/list", params: { _meta: ENVELOPE } });
  await settled();
  expect(answers.slice(4)).toMatchObject([{ id: 303 }, { id: 304, result: { tools: [{}] } }]);
});

test.each([
  ["past the library", {}],
  ["through it", ODD],
])("64 MB of calls %s, then a large one is told so and a small one isn't", async (_, more) => {
  await open();
  const large = { text: "x".repeat(31 * MB) };
  for (const id of [0, 1, 2]) call(id, more, large);
  call(4, more);
  await settled();
  expect([...held.keys()]).toEqual([0, 1, 4]);
  expect(answers).toMatchObject([{ id: 2, result: REFUSED }]);
  held.get(0)!();
  await settled();
  call(5, more, large);
  await settled();
  expect([...held.keys()]).toEqual([0, 1, 4, 5]);
});

test.each([
  ["past the library", {}],
  ["through it", ODD],
])("of a call %s, progress is told under a token of at most 1,000 characters", async (_, more) => {
  await open();
  for (const [id, length] of [
    [0, 1_000],
    [1, 1_001],
  ] as const)
    call(id, { ...more, _meta: { ...ENVELOPE, progressToken: "t".repeat(length) } });
  await settled();
  expect(held.size).toBe(2);
  expect(answers).toMatchObject([{ method: "notifications/progress", params: { progress: 1 } }]);
});
