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
      if (way === "held") held.push(() => response.end("late"));
      else response.end("ok");
    },
    { most: 20, mostUnknown: 5 },
  );
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
