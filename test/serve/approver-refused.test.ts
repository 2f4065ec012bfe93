import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Answering } from "../../compiler/io/serve/answering.ts";
import { hearAnswers } from "../../compiler/io/serve/approver.ts";
import type { Gateway } from "../../compiler/io/serve/gateway.ts";

test("a program that may not answer is told why, and no more, before the connection ends", async () => {
  const gateway = { served: { settings: { approvers: ["terminal"] } } } as unknown as Gateway;
  const answering = {} as Answering;
  const server = createServer((socket) =>
    hearAnswers(socket, { answering, gateway, said: () => {} }, { as: "program", stays: true }),
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
