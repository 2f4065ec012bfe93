import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { answeringTo } from "../../compiler/io/serve/answering.ts";
import { hearAnswers } from "../../compiler/io/serve/approver.ts";
import type { Gateway } from "../../compiler/io/serve/gateway.ts";
import { openInbox, type Inbox } from "../../compiler/io/serve/inbox.ts";
import type { ApproverKind } from "../../compiler/io/serve/orders.ts";
import type { BuildItem } from "../../compiler/serve/inbox-lines.ts";

/** Who may not answer, or may not any more, hears why and what to do. */

let server: Server | undefined;
afterEach(() => void server?.close());

/** A gateway stands for a whole project at work; of it nothing is asked here but who may answer. */
function gatewayOf(approvers: readonly string[]) {
  const hearing = new Set<() => void>();
  const settings = { approvers };
  return {
    gateway: {
      served: { settings },
      whenChanged: (hear: () => void) => (hearing.add(hear), () => void hearing.delete(hear)),
    } as unknown as Gateway,
    now(others: readonly string[]) {
      settings.approvers = others;
      for (const hear of hearing) hear();
    },
    hearing,
  };
}

async function attending(gateway: Gateway, inbox: Inbox, as: ApproverKind) {
  const come: Socket[] = [];
  server = createServer((socket) => {
    come.push(socket);
    const answering = answeringTo(inbox, undefined);
    void hearAnswers(
      socket,
      { inbox, answering, gateway, whenMoved: () => () => {}, said: () => {} },
      { as, stays: true },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  socket.on("data", (text) => (heard += text.toString()));
  const over = once(socket, "close");
  return {
    socket,
    over,
    lines: () =>
      heard
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
  };
}

const build = (approvers: readonly string[]): BuildItem =>
  ({ kind: "build", id: "b", hash: "h", approvers }) as unknown as BuildItem;

test.each<[string, readonly string[], readonly string[], ApproverKind, string]>([
  [
    "a program that nothing names",
    ["terminal"],
    [],
    "program",
    "name it under `serve: { approvers }` in rolecall.yaml and run `rolecall build`; that waits for a yes in `rolecall asks`, or for `rolecall serve --accept`",
  ],
  [
    "a program that a build names which waits",
    ["terminal"],
    ["program"],
    "program",
    "a build names it and waits for a yes in `rolecall asks`, or for `rolecall serve --accept`",
  ],
  [
    "a terminal where a page alone answers",
    ["page"],
    [],
    "terminal",
    "name it under `serve: { approvers }` in rolecall.yaml and run `rolecall build`; that waits for a yes in `rolecall asks --page`, or for `rolecall serve --accept`",
  ],
  [
    "a terminal where programs alone answer",
    ["program"],
    [],
    "terminal",
    "name it under `serve: { approvers }` in rolecall.yaml and run `rolecall build`; that waits for a yes of your program, or for `rolecall serve --accept`",
  ],
])("%s is told why, what to do, and no more, before the connection ends", async (_, now, waiting, as, next) => {
  const inbox = openInbox({ holdMs: 1, now: Date.now });
  if (waiting.length > 0) inbox.propose({ item: build(waiting), decided: () => {} });
  const { over, lines } = await attending(gatewayOf(now).gateway, inbox, as);
  await over;
  const why = `\`serve: { approvers }\` doesn't name \`${as}\`, in what is served now`;
  expect(lines()).toEqual([{ done: false, refused: true, why, next }]);
  expect(inbox.approvers).toBe(0);
});

test("who may not answer any more is dismissed, and what comes after isn't an answer", async () => {
  const inbox = openInbox({ holdMs: 1, now: Date.now });
  let isDecided = false;
  inbox.propose({ item: build([]), decided: () => (isDecided = true) });
  const { gateway, now, hearing } = gatewayOf(["program"]);
  const { socket, over, lines } = await attending(gateway, inbox, "program");
  while (lines().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  now(["program", "terminal"]);
  expect(inbox.approvers).toBe(1);
  now(["terminal"]);
  socket.write('{"id":"b","hash":"h","yes":true,"by":"x"}\n');
  await over;
  expect(lines().slice(2)).toMatchObject([{ done: false, refused: true }]);
  expect([inbox.approvers, hearing.size, isDecided]).toEqual([0, 0, false]);
});
