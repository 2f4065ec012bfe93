import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { trouble } from "../../login/types.ts";
import { createHolders } from "./holders.ts";

/** Connections to the HTTP door, bounded in number and time. */
export interface Connections {
  /** Where it listens, as a client would write it. */
  readonly address: string;
  /** Its sender has shown who it is: it gives way only where there are too many, and not while it is answered. */
  known(socket: Socket, holder: string): void;
  /** No new ones; those that are there go when their requests are answered, at the latest after the time. */
  close(withinMs: number): Promise<void>;
}

/** Of whoever hasn't shown yet who it is: the one that waits longest gives way to who comes. */
const MOST_UNKNOWN = 512;
/** Of all together: then one that waits gives way, of whoever holds the most. */
const MOST = 4_096;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const LOOKED_AT_MS = 1_000;
/** Longer than proxies keep theirs, so that none sends into one that is being closed. */
const IDLE_MS = 75_000;
const HEADER_BYTES = 16 * 1024;

export interface Listening {
  readonly host: string;
  readonly port: number;
}

export async function openConnections(
  { host, port }: Listening,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { most, mostUnknown } = { most: MOST, mostUnknown: MOST_UNKNOWN },
): Promise<Connections> {
  const unknown = new Set<Socket>();
  const holders = createHolders();
  const isTaken = oneAtATime(holders);
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (isTaken(request, response)) answer(request, response);
  };
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: LOOKED_AT_MS,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: HEADER_BYTES,
      // What the platform answers by itself it answers as often as it is sent: all of it is taken here.
      requireHostHeader: false,
    },
    take,
  );
  server.on("checkExpectation", take);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (!isTaken(request, response)) return;
    response.writeContinue();
    answer(request, response);
  });
  // Their size is bounded. One beyond a number would be left out without a word, and it could be `Origin`.
  server.maxHeadersCount = 0;
  server.on("connection", (socket) => {
    unknown.add(socket);
    socket.once("close", () => {
      unknown.delete(socket);
      holders.gone(socket);
    });
    const [oldest] = unknown;
    if (unknown.size > mostUnknown) oldest?.destroy();
    else if (unknown.size + holders.size > most) (holders.longestIdle() ?? socket).destroy();
  });
  await listen(server, host, port);
  const bound = server.address();
  const written = host.includes(":") ? `[${host}]` : host;
  return {
    address: `http://${written}:${typeof bound === "object" && bound !== null ? bound.port : port}`,
    known(socket, holder) {
      if (unknown.delete(socket) || holders.has(socket)) holders.hold(socket, holder);
    },
    close: (withinMs) => closed(server, withinMs),
  };
}

/** False: one before it isn't answered yet. */
type IsTaken = (request: IncomingMessage, response: ServerResponse) => boolean;

function oneAtATime(holders: ReturnType<typeof createHolders>): IsTaken {
  /** Who sent more than is looked at: its answer is the last one. */
  const ending = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    const end = (): void => {
      hearNoMore(socket);
      ending.add(socket);
    };
    if (!holders.answering(socket)) {
      end();
      return false;
    }
    let isHalfOver = false;
    const over = (): void => {
      if (!isHalfOver) return void (isHalfOver = true);
      holders.answered(socket);
      if (ending.has(socket)) socket.destroySoon();
    };
    response.once("close", () => {
      // It was answered unread, and the rest of it may be without an end.
      if (!request.complete) end();
      over();
    });
    // Also one that is answered at once: what stands behind it in the piece that is being read was sent before its answer.
    setImmediate(over);
    return true;
  };
}

/**
 * One request of a connection at a time, and no more of it than is read. A piece of 64 KB holds 1,500 requests or 10,000 pieces
 * of a body, which the platform's parser hands over each before anybody else comes by, whether the socket is paused or gone; it
 * reads no further behind what it takes for an upgrade. Another parser would hand them over, to be left out one by one.
 */
function hearNoMore(socket: Socket): void {
  const { parser } = socket as { readonly parser?: Parser | null };
  if (parser) {
    parser.onIncoming = (request) => {
      // One that asks for it would be taken for one, and errors of its socket would be nobody's: they end the process.
      request.upgrade = false;
      return UPGRADE;
    };
    const onBody = parser[ON_BODY];
    parser[ON_BODY] = undefined;
    // Parsers are used again, and nothing else than what is set here is set anew.
    socket.once("close", () => (parser[ON_BODY] ??= onBody));
  }
  // Not before the platform has resumed it for what comes next.
  process.nextTick(() => socket.pause());
}

const UPGRADE = 2;
const ON_BODY = 3;

interface Parser {
  onIncoming?(request: { upgrade: boolean }): number;
  [ON_BODY]?: unknown;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(trouble(`\`${host}:${port}\` can't be listened on (${code})`, WHY[code ?? ""] ?? "name another address")),
    );
    server.listen(port, host, resolve);
  });
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program has it: end that one, or name another port",
  EACCES: "ports below 1024 are the system's: name another port",
};

function closed(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(hurry);
      resolve();
    });
    server.closeIdleConnections();
  });
}
