/**
 * How a fault server answers one message wrongly, whichever it is. `peer` as in tools.mjs, with `half(text)` (begins
 * to answer and breaks off) and, over HTTP, `status(code)`.
 */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const result = (id, more = {}) => ({ jsonrpc: "2.0", id, result: more });
const head = (id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

const ANSWERS = {
  hang: () => {},
  late: async (_, __, usual) => {
    await pause(3_000);
    await usual();
  },
  die: () => process.kill(process.pid, "SIGKILL"),
  exit: () => process.exit(0),
  words: () => process.stderr.write("the disk is full\n", () => process.exit(3)),
  cut: (_, peer) => peer.cut(),
  half: ({ id }, peer) => peer.half(`${head(id)}{"content":[`),
  wrong: (_, peer) => peer.raw("this is no JSON"),
  "no message": (_, peer) => peer.raw('{"hello":"there"}'),
  error: ({ id }, peer) => peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "the database is away" } }),
  "strange error": ({ id }, peer) => peer.raw(`{"jsonrpc":"2.0","id":${id},"error":"no"}`),
  empty: ({ id }, peer) => peer.send(result(id)),
  null: ({ id }, peer) => peer.raw(`${head(id)}null}`),
  text: ({ id }, peer) => peer.raw(`${head(id)}"fine"}`),
  list: ({ id }, peer) => peer.raw(`${head(id)}[1,2]}`),
  "other id": (_, peer) => peer.send(result(4711, { content: [] })),
  twice: async ({ id }, peer, usual) => {
    await usual();
    peer.line?.(JSON.stringify(result(id, { content: [] })));
  },
  noise: async (_, peer, usual) => {
    for (let i = 0; i < 500; i++) peer.line?.(`noise ${"n".repeat(200)}`);
    await usual();
  },
  deep: ({ id }, peer) => peer.raw(`${head(id)}{"content":[],"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`),
  values: ({ id }, peer) => peer.raw(`${head(id)}{"content":[],"values":[${"[],".repeat(300_000)}1]}}`),
  "other version": async ({ id, method }, peer, usual) =>
    method === "initialize"
      ? peer.send(
          result(id, { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "x", version: "1" } }),
        )
      : await usual(),
};

const STATUS = /^\d{3}$/;

/** What it does by itself, a moment after the first call was answered. */
const IDLE = {
  die: () => process.kill(process.pid, "SIGKILL"),
  exit: () => process.exit(0),
  cut: (own) => own.cut(),
  storm: async ({ send }) => {
    for (let i = 0; i < 300; i++) {
      for (let j = 0; j < 10; j++) send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      if (i % 30 === 0) await pause(5);
    }
  },
  noise: ({ line }) => {
    for (let i = 0; i < 5_000; i++) line(`noise ${"n".repeat(200)}`);
  },
  wrong: ({ raw }) => raw("{ this is no JSON"),
  strangers: ({ send }) => {
    for (let i = 0; i < 500; i++) send(result(9_000 + i, { content: [] }));
  },
  requests: ({ send }) => {
    for (let i = 0; i < 500; i++) send({ jsonrpc: "2.0", id: `idle-${i}`, method: "ping" });
  },
  "unknown requests": ({ send }) => {
    for (let i = 0; i < 100; i++)
      send({ jsonrpc: "2.0", id: `idle-${i}`, method: "sampling/createMessage", params: {} });
  },
  "unknown notices": ({ send }) => {
    for (let i = 0; i < 500; i++) send({ jsonrpc: "2.0", method: "notifications/whatever", params: { i } });
  },
};

export function answerDue(message, faults) {
  const what = due(message, faults);
  if (what === undefined) return undefined;
  return STATUS.test(what) ? (_, peer) => peer.status(Number(what)) : ANSWERS[what];
}

/** For a transport that answers the request before the message. */
export function statusDue(message, faults) {
  const { at } = faults.config;
  const { method } = message;
  if (at === undefined || !STATUS.test(at.do) || method !== at.method) return undefined;
  const count = (faults.methods[method] ?? 0) + 1;
  if (count !== at.nth) return undefined;
  faults.methods[method] = count;
  return Number(at.do);
}

function due({ method }, { config: { at }, methods }) {
  return at !== undefined && at.method === method && methods[method] === at.nth ? at.do : undefined;
}

export function idleAfter(faults) {
  const { idle } = faults.config;
  if (idle === undefined || faults.isIdle) return;
  faults.isIdle = true;
  setTimeout(() => IDLE[idle](faults.own), 80);
}
