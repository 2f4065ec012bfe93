import { afterEach, expect, test, vi } from "vitest";
import { watchFetch } from "../../../runtime/connect/http-fetch.ts";
import { createNoise } from "../../../runtime/connect/noise.ts";

/** What the library reads whole is bounded as one message, also where it says that it is a stream. */

afterEach(() => void vi.unstubAllGlobals());

const EVENT = new TextEncoder().encode(`: ${"x".repeat(1024 * 1024)}\n\n`);
const REQUEST = JSON.stringify({ method: "tools/call", params: {}, jsonrpc: "2.0", id: 1 });

test.each([
  ["an answer of events", 200, true, "fine"],
  ["a 202 of events", 202, true, "it sent a message of more than 32 MB"],
  ["an answer to the event source", 200, false, "it sent a message of more than 32 MB"],
])("%s", async (_, status, answersStream, expected) => {
  let left = 40;
  const pull = (out: ReadableStreamDefaultController<Uint8Array>): void =>
    left-- > 0 ? out.enqueue(EVENT) : out.close();
  const headers = { "content-type": "text/event-stream" };
  vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ pull }), { status, headers }));
  const noise = { ...createNoise(), heard: () => {} };
  const watching = { tap: undefined, credentials: undefined, noise, signalFor: undefined, answersStream };
  const { fetch } = watchFetch(() => {}, watching);
  const response = await fetch("http://127.0.0.1/", { method: "POST", body: REQUEST });
  const said = await response.text().then(
    () => "fine",
    ({ message }: Error) => message,
  );
  expect(said).toBe(expected);
});
