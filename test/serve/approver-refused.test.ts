import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { hearAnswers } from "../../compiler/io/serve/approver.ts";
import type { Gateway } from "../../compiler/io/serve/gateway.ts";
import type { Inbox } from "../../compiler/io/serve/inbox.ts";

test("a program that may not answer is told why, and no more, before the connection ends", async () => {
  const gateway = { served: { settings: { approvers: ["terminal"] } } } as unknown as Gateway;
  const inbox = {} as Inbox;
  const server = createServer((socket) =>
    hearAnswers(socket, { inbox, gateway, said: () => {} }, { as: "program", stays: true }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  socket.on("data", (text) => (heard += text.toString()));
  await once(socket, "close");
  server.close();
  expect(JSON.parse(heard)).toEqual({
    done: false,
    refused: true,
    why: "`serve: { approvers }` doesn't name `program`, in what is served now",
  });
});
