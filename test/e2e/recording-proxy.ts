import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A proxy on loopback that remembers what went through, and whose connections can be cut while both sides live. */
export interface RecordingProxy {
  readonly port: number;
  /** Everything that came, in order: method, session and body. */
  readonly requests: readonly Recorded[];
  /** Of all connections so far: not a byte more came when this stays the same. */
  bytes(): number;
  calls(tool: string): number;
  /** Those of them that have been answered, or have begun to be. */
  answered(tool: string): number;
  /** From now on a server that goes leaves its own streams open, silent, as behind a proxy that holds connections. */
  holdStreams(): void;
  /** Breaks every connection; new ones are taken. */
  cut(): void;
  close(): Promise<void>;
}

interface Recorded {
  readonly method: string;
  readonly session: string | undefined;
  readonly body: string;
  answered: boolean;
}

export async function recordingProxy(target: number): Promise<RecordingProxy> {
  const requests: Recorded[] = [];
  const sockets = new Set<Socket>();
  let past = 0;
  const held = { streams: false };
  const server = createServer((request, response) => void pass(request, response, { target, held, requests }));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      past += socket.bytesRead;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const callsOf = (tool: string): Recorded[] =>
    requests.filter(({ body }) => body.includes(`"tools/call","params":{"name":"${tool}"`));
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    bytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, past),
    calls: (tool) => callsOf(tool).length,
    answered: (tool) => callsOf(tool).filter((one) => one.answered).length,
    holdStreams: () => void (held.streams = true),
    cut,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      return closed;
    },
  };
}

interface Way {
  readonly target: number;
  readonly held: { readonly streams: boolean };
  readonly requests: Recorded[];
}

async function pass(request: IncomingMessage, response: ServerResponse, { target, held, requests }: Way) {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { method = "", url = "", headers } = request;
  const recorded = { method, session: headers["mcp-session-id"]?.toString(), body, answered: false };
  requests.push(recorded);
  const onward = send({ host: "127.0.0.1", port: target, method, path: url, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers).flushHeaders();
    recorded.answered = true;
    answer.on("data", (chunk: Buffer) => response.write(chunk));
    answer.on("end", () => response.end());
    answer.on("error", () => (method === "GET" && held.streams) || response.destroy());
  });
  onward.on("error", () => (response.headersSent ? undefined : response.destroy()));
  response.on("close", () => onward.destroy());
  onward.end(body);
}
