import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebHandler } from "../library.ts";

/** One request of a client that is known, carried to the protocol's library and back. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Read and looked at. */
  readonly body: unknown;
  readonly subject: string;
  /** It ends then, whatever it waits for: whoever opened it has no right to it any more. */
  readonly signal: AbortSignal;
}

/** What doesn't read for so long is gone. */
const UNREAD_MS = 60_000;
const PASSED = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"];

export async function carry(handler: WebHandler, exchange: Exchange): Promise<void> {
  const { request, response, body, subject, signal } = exchange;
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  response.once("close", giveUp);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    const answer = await handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        // Its token ends here.
        headers: headersOf(request),
        signal: given.signal,
      }),
      { authInfo: { token: "", clientId: subject, scopes: [] }, parsedBody: body },
    );
    await send(answer, response, given.signal);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return PASSED.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
}

async function send(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  // Whether the connection stays is the door's to say.
  for (const [name, value] of answer.headers) if (name !== "connection") response.setHeader(name, value);
  response.writeHead(answer.status);
  const reader = answer.body?.getReader();
  if (reader === undefined) return void response.end();
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    response.flushHeaders();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      if (!response.write(piece.value)) await drained(response);
  } catch {
    // It was given up: what comes of it is nobody's any more.
  } finally {
    signal.removeEventListener("abort", stop);
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), UNREAD_MS);
    response.on("drain", done);
    response.on("close", done);
  });
}
