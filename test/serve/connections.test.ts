import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openConnections, type Connections } from "../../compiler/io/serve/http/connections.ts";
import { sendRaw } from "../support/raw-http.ts";

/** Whoever has shown who it is holds no more than what is left over when somebody else comes. */
let door: Connections;
const sockets: Socket[] = [];
const held: (() => void)[] = [];
afterEach(async () => {
  for (const answer of held.splice(0)) answer();
  for (const socket of sockets.splice(0)) socket.destroy();
  await door.close(100);
});

async function open(): Promise<void> {
  door = await openConnections(
    { host: "127.0.0.1", port: 0 },
    (request, response) => {
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
