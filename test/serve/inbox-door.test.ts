import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openInboxDoor, type InboxDoor } from "../../compiler/io/serve/http/inbox-door.ts";

/** The page's door, whoever else of this machine comes to it. */
let door: InboxDoor;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await door.close();
});

test("whoever hasn't the key doesn't end the window of who has it, however often he comes", async () => {
  const shows = new Set<() => void>();
  door = await openInboxDoor({
    waits: () => ({ isServed: true, asks: [] }),
    whole: () => undefined,
    answer: () => Promise.resolve({ done: true }),
    watch(show) {
      shows.add(show);
      return () => void shows.delete(show);
    },
  });
  const { hostname, port, hash } = new URL(door.address);
  const asked = request({ hostname, port, path: "/asks", headers: { authorization: `Bearer ${hash.slice(1)}` } }).end();
  const [window] = (await once(asked, "response")) as [IncomingMessage];
  await once(window, "data");
  let isCut = false;
  window.once("close", () => (isCut = true)).on("error", () => {});
  for (let i = 0; i < 600; i++) {
    const socket = connect(Number(port), hostname).on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
  }
  expect([isCut, shows.size]).toEqual([false, 1]);
  for (const show of shows) show();
  await once(window, "data");
});
