import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attendInboxes, type Inboxes } from "../../compiler/io/serve/inboxes.ts";

/** Sockets that say what processes say: which of them takes an answer is a matter of builds that one of them can't judge. */
let folder: string;
let inboxes: Inboxes | undefined;
const servers: Server[] = [];
const REFUSED = '{"done":false,"refused":true,"why":"not by a program"}';

beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "rolecall-inboxes-"))));
afterEach(async () => {
  inboxes?.leave();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function serving(name: string, come: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    come(socket.resume());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path.join(folder, name), resolve));
  return server;
}

const refusing = (socket: Socket): void => void socket.end(`${REFUSED}\n`);
const taking = (socket: Socket): void => void socket.write('{"waiting":0}\n');

function heard(): string[] {
  const lines: string[] = [];
  const place = { folder, lock: "", log: "" };
  inboxes = attendInboxes(place, "program", { heard: (line) => void lines.push(line), lost: () => {} });
  return lines;
}

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !holds();) {
    expect(Date.now()).toBeLessThan(end);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
/** It looks anew every 300 ms. */
const severalLooks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

test.each([
  ["inbox", "left.1"],
  ["left.1", "inbox"],
])("where one process takes an answer, the refusal of another is none: %s refuses", async (one, other) => {
  await serving(one, refusing);
  await serving(other, taking);
  const lines = heard();
  await until(() => lines.length > 0);
  await severalLooks();
  expect(lines).toEqual(['{"waiting":0}']);
});

test("where all refuse it is told, and where the last that took answers has gone", async () => {
  await serving("inbox", refusing);
  const alone = heard();
  await until(() => alone.includes(REFUSED));
  inboxes!.leave();
  let last: Socket | undefined;
  await serving("left.1", (socket) => {
    last = socket;
    taking(socket);
  });
  const lines = heard();
  await until(() => lines.length > 0);
  await severalLooks();
  expect(lines).toEqual(['{"waiting":0}']);
  servers.pop()!.close();
  last!.destroy();
  await until(() => lines.includes(REFUSED));
});
