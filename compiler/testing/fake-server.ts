import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import { loadChecks } from "../../runtime/session/schemas.ts";
import { answerOf, type Fake } from "./fake-answers.ts";
import { readPin, wrong, type FakePin } from "./fake-pin.ts";
import type { AnyTools, FakeHandlers, FakeOptions, FakeServer } from "./types.ts";

/** The door `rolecall/testing`: servers for the tests of apps. */

export type {
  AnyTools,
  FakeAnswer,
  FakeCall,
  FakeHandler,
  FakeHandlers,
  FakeOptions,
  FakeResult,
  FakeServer,
} from "./types.ts";

/**
 * A server that declares what the project's pin says, and answers what the handlers say, over streamable HTTP on this
 * machine. `team({ fakes: [await fakeServer("github", { ... })] })` reaches it in the real one's place.
 */
export async function fakeServer<Tools = AnyTools>(
  server: string,
  handlers: FakeHandlers<Tools>,
  { project }: FakeOptions = {},
): Promise<FakeServer> {
  const fake = await madeOf(server, readPin(server, project), handlers);
  const http = createServer((request, response) => {
    // Who breaks off in the middle breaks nothing here.
    serve(fake, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(0, "127.0.0.1", resolve);
  });
  // It ends with the process, and keeps none alive.
  http.unref();
  http.on("connection", (socket) => socket.unref());
  const close = (): Promise<void> => closed(http);
  const { port } = http.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}/mcp`,
    calls: fake.calls,
    close,
    [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]: close,
  } as FakeServer;
}

async function madeOf(server: string, pin: FakePin, handlers: object): Promise<Fake> {
  const known = new Map<string, (args: never) => unknown>();
  for (const [tool, handler] of Object.entries(handlers)) {
    if (!pin.tools.has(tool)) {
      const near = nearest(tool, pin.tools.keys());
      throw wrong(server, `its pin has no tool \`${tool}\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`);
    }
    if (typeof handler === "function") known.set(tool, handler as (args: never) => unknown);
  }
  const checks = await loadChecks();
  return {
    server,
    pin,
    handlers: known,
    calls: [],
    check: (tool, args) => checks(pin.tools.get(tool)?.["inputSchema"] ?? {}, false)(args),
  };
}

function closed(http: Server): Promise<void> {
  http.closeAllConnections();
  return new Promise((resolve) => void http.close(() => resolve()));
}

const MOST_BYTES = 32_000_000;

async function serve(fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page in a browser must not reach it by a name that leads here.
  if (!isAskedHere(request.headers.host)) return end(response, 403);
  if (request.method !== "POST") return end(response, request.method === "DELETE" ? 200 : 405);
  const message = await messageIn(request);
  if (message === undefined) return end(response, 400);
  const answer = isObject(message) ? await answerOf(fake, message) : undefined;
  if (answer === undefined) return end(response, 202);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
}

function isAskedHere(host: string | undefined): boolean {
  const address = `http://${host ?? ""}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}

async function messageIn(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) {
    text += piece as string;
    if (text.length > MOST_BYTES) return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status);
  response.end();
}
