import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openConnections, type Connections } from "../../compiler/io/serve/http/connections.ts";
import { sendRaw } from "../support/raw-http.ts";

/** Whoever has shown who it is holds no more than what is left over when somebody else comes. */
let door: Connections;
const sockets: Socket[] = [];
const held: (() => void)[] = [];
let asked: string[] = [];
afterEach(async () => {
  for (const answer of held.splice(0)) answer();
  for (const socket of sockets.splice(0)) socket.destroy();
  await door.close(100);
});

async function open(): Promise<void> {
  asked = [];
  door = await openConnections(
    { host: "127.0.0.1", port: 0 },
    (request, response) => {
      asked.push(request.url!);
      const [, holder = "", way] = request.url!.split("/");
      if (holder !== "healthz") door.known(request.socket, holder);
      if (holder === "body") void readAll(request).then((size) => response.end(`${size}`));
      else if (way === "held") held.push(() => response.end("late"));
      else response.end("ok");
    },
    { most: 20, mostUnknown: 5 },
  );
}

async function readAll(request: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of request) size += chunk.length;
  return size;
}

async function keep(path: string): Promise<Socket> {
  const { hostname, port } = new URL(door.address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  const before = held.length;
  socket.write(`GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  if (path.endsWith("/held")) while (held.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  else await once(socket, "data");
  socket.resume();
  return socket;
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;
const asks = async (path: string): Promise<string> =>
  (await sendRaw(door.address, { method: "GET", path: `/${path}`, headers: {}, body: "" })).text;

test("one holder's idle connections keep nobody out, a probe neither, and its own go before another's", async () => {
  await open();
  const other = await keep("other");
  const greedy: Socket[] = [];
  for (let i = 0; i < 40; i++) greedy.push(await keep("greedy"));
  expect(await asks("healthz")).toBe("ok");
  expect(await asks("third")).toBe("ok");
  expect(isOpen(other)).toBe(true);
  expect(greedy.filter(isOpen).length).toBeLessThan(20);
  expect(isOpen(greedy.at(-1)!)).toBe(true);
});

test("what is being answered is never ended for who comes, and waits as soon as it is answered", async () => {
  await open();
  const busy: Socket[] = [];
  for (let i = 0; i < 12; i++) busy.push(await keep("greedy/held"));
  for (let i = 0; i < 30; i++) await keep("other");
  expect(busy.every(isOpen)).toBe(true);
  for (const answer of held.splice(0)) answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (let i = 0; i < 30; i++) await keep(`other${i}`);
  expect(busy.filter(isOpen).length).toBeLessThan(9);
});

test("where all are being answered, who comes is sent away, and then not", async () => {
  await open();
  for (let i = 0; i < 20; i++) await keep("greedy/held");
  await expect(asks("other")).rejects.toThrow(/ECONNRESET|hang up/);
  for (const answer of held.splice(0)) answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await asks("other")).toBe("ok");
});

const get = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** All that comes back until the connection is closed, and how many requests the platform made of what was sent. */
async function pipelined(bytes: string, whenSent = (): void => {}): Promise<{ text: string; dispatched: number }> {
  let dispatched = 0;
  const count = (): void => void dispatched++;
  subscribe("http.server.request.start", count);
  const { hostname, port } = new URL(door.address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => {});
  socket.write(bytes);
  await new Promise((resolve) => setTimeout(resolve, 100));
  whenSent();
  if (!socket.destroyed) await once(socket, "close");
  unsubscribe("http.server.request.start", count);
  return { text, dispatched };
}

test("of a thousand requests that one connection sends at once the first is answered, and no other is looked at", async () => {
  await open();
  for (const first of ["healthz", "known"]) {
    asked = [];
    const { text, dispatched } = await pipelined(get(first) + get("healthz").repeat(1_000));
    expect(asked).toEqual([`/${first}`]);
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(1);
    expect(dispatched).toBeLessThan(4);
  }
  const body = "POST /late/held HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";
  asked = [];
  const late = await pipelined(body.repeat(50), () => held.splice(0).forEach((answer) => answer()));
  expect(asked).toEqual(["/late/held"]);
  expect(late.text).toMatch(/^HTTP\/1.1 200[^]*late/);
  expect(late.dispatched).toBeLessThan(4);
});

const host = "Host: localhost\r\n";
const upgrade = `GET /healthz HTTP/1.1\r\n${host}Connection: upgrade\r\nUpgrade: x\r\n\r\n`;

test.each([
  ["an expectation that nobody knows", `GET /healthz HTTP/1.1\r\n${host}Expect: x\r\n\r\n`, ["200"]],
  ["one that its body is wanted", `GET /healthz HTTP/1.1\r\n${host}Expect: 100-continue\r\n\r\n`, ["100", "200"]],
  ["no host", "GET /healthz HTTP/1.1\r\n\r\n", ["200"]],
  [
    "a body, whose first byte is there when it is answered",
    `POST /a HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\na`,
    ["200"],
  ],
  ["a tunnel, after another", `${get("healthz").repeat(2)}CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, ["200"]],
  ["an upgrade, after another", get("healthz").repeat(2) + upgrade, ["200"]],
])("of a thousand with %s the first is answered, and the connection ends", async (_, bytes, answers) => {
  await open();
  const { text, dispatched } = await pipelined(bytes.repeat(1_000));
  expect([...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(answers);
  expect(asked).toHaveLength(1);
  expect(dispatched).toBeLessThan(4);
});

test("who asks for an upgrade behind a request that is answered, and goes, ends nothing but his connection", async () => {
  await open();
  const { hostname, port } = new URL(door.address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  sockets.push(socket);
  socket.write(get("known/held").repeat(2) + upgrade);
  while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  held.splice(0).forEach((answer) => answer());
  expect(await asks("healthz")).toBe("ok");
});

test.each([
  ["a body without an end", "Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"],
  ["trailers without an end", "Transfer-Encoding: chunked\r\n\r\n0\r\n", "a: b\r\n"],
  ["a long body", "Content-Length: 999999999\r\n\r\n", "aaaa"],
])(
  "%s that is answered unread ends with the answer, and the next connection's body is whole",
  async (_, head, more) => {
    await open();
    for (let i = 0; i < 3; i++) {
      const { text } = await pipelined(`POST /healthz HTTP/1.1\r\n${host}${head}${more.repeat(10_000)}`);
      expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(1);
      const body = "b".repeat(100_000);
      expect((await sendRaw(door.address, { method: "POST", path: "/body", headers: {}, body })).text).toBe("100000");
    }
  },
);

test("one request after the other on one connection, as many as it likes", async () => {
  await open();
  const socket = await keep("known");
  for (let i = 0; i < 50; i++) {
    socket.write(get("known"));
    await once(socket, "data");
  }
  expect(asked).toHaveLength(51);
  expect(isOpen(socket)).toBe(true);
});
