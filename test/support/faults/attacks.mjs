/**
 * What a server may do to whoever is connected: each takes `send(message)`, `raw(text)`, `request(method)`, the id of the
 * call, and a size. What never answers leaves the caller to its time-out.
 */
const start = (id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"x":`;
const END = "}}}";

export const ATTACKS = {
  text: ({ raw, id, size }) => raw(`${start(id)}${JSON.stringify("x".repeat(size))}${END}`),
  /** Each costs the reader a hundred times what it costs the sender. */
  values: ({ raw, id, size }) => raw(`${start(id)}[${"[],".repeat(size)}1]${END}`),
  keys: ({ raw, id, size }) => raw(`${start(id)}{${objectOf(size)}}${END}`),
  /** As large, and soon read: each row is like the last one. */
  table: ({ raw, id, size }) =>
    raw(
      `${start(id)}[${Array(size)
        .fill(`{${objectOf(8)}}`)
        .join(",")}]${END}`,
    ),
  deep: ({ raw, id, size }) => raw(`${start(id)}${"[".repeat(size)}${"]".repeat(size)}${END}`),
  /** Quotes, brackets and commas in a text are no values. */
  brackets: ({ raw, id, size }) => raw(`${start(id)}${JSON.stringify('[{,"\\'.repeat(size))}${END}`),
  error: ({ send, id, size }) => send({ jsonrpc: "2.0", id, error: { code: -32603, message: "e".repeat(size) } }),
  /** A message without an end. */
  endless: ({ pour, id }) => pour(`${start(id)}"`, "x".repeat(64 * 1024)),
  /** Nothing of it is waited for. */
  junk: ({ pour, text }) => pour("", text.repeat(Math.max(1, (64 * 1024) / text.length))),
  pings: async ({ request, reply, size }) => {
    const answers = Array.from({ length: size }, () => request("ping"));
    await Promise.race([Promise.all(answers), pause(300)]);
    reply();
  },
  /** As many a second as may be. */
  storm: async ({ send, reply, size }) => {
    const until = Date.now() + size;
    while (Date.now() < until) {
      for (let i = 0; i < 10; i++) send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      await pause(4);
    }
    reply();
  },
  rows: ({ send, reply, size }) => {
    for (let progress = 1; progress <= size; progress++)
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress } });
    reply();
  },
  noise: async ({ line, reply, size }) => {
    const until = Date.now() + size;
    while (Date.now() < until) {
      for (let i = 0; i < 200; i++) line(`{"level":"debug","text":"${"n".repeat(200)}"}`);
      await pause(100);
    }
    reply();
  },
};

const objectOf = (size) => Array.from({ length: size }, (_, i) => `"k${i}":${i}`).join(",");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
