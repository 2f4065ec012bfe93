import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { carry } from "../../compiler/io/serve/http/exchange.ts";

/** An answer without an end, in pieces of 64 KB; how many of them were asked for. */
function endless(): {
  readonly fetch: (asked: Request) => Promise<Response>;
  made(): number;
  given(): boolean;
  seen(): Request | undefined;
} {
  let made = 0;
  let isGiven = false;
  let seen: Request | undefined;
  return {
    async fetch(asked) {
      seen = asked;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(stream) {
            made++;
            stream.enqueue(new Uint8Array(65_536));
          },
          cancel: () => void (isGiven = true),
        }),
      );
    },
    made: () => made,
    given: () => isGiven,
    seen: () => seen,
  };
}

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 10_000; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

test("who doesn't read is sent no more than waits for him, and who goes is forgotten; his token stays here", async () => {
  const answer = endless();
  const handler = { fetch: answer.fetch, notify: { toolsChanged: () => {} }, close: async () => {} };
  const server = createServer((asked, response) => {
    const signal = new AbortController().signal;
    void carry(handler, { request: asked, response, body: {}, subject: "kit", signal });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const headers = {
    authorization: "Bearer of-its-own",
    cookie: "a=b",
    "content-type": "application/json",
    "x-any": "1",
  };
  const sent = request({ port, host: "127.0.0.1", method: "POST", headers });
  const came = new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
  sent.end("{}");
  const unread = await came;
  await until(() => answer.made() > 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const waiting = answer.made();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(answer.made()).toBe(waiting);
  expect(waiting).toBeLessThan(200);
  expect([...answer.seen()!.headers.keys()]).toEqual(["content-type"]);
  unread.destroy();
  await until(answer.given);
  server.close();
  server.closeAllConnections();
});
