import path from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import type { JsonObject } from "../base/json.ts";
import { eventReader, lineReader, type Limit, type TextReader } from "../capture/event-texts.ts";
import type { Connection } from "../capture/types.ts";

/**
 * A connection that hands over every message as the text that came in. The client library starts, authorises, sends and
 * closes; what arrives is read beside it, since its own reader drops and reorders keys and refuses what it doesn't know.
 */
export interface Wire {
  /** Rejects when nothing could be started. */
  readonly opened: Promise<void>;
  send(message: JsonObject): Promise<void>;
  /** For the header that HTTP wants on every request after `initialize`. */
  agree(protocolVersion: string): void;
  /** Ends the process or the session, opened or not. Never rejects. */
  close(): Promise<void>;
  /** What the world said last: an HTTP status, an error of the network, the standard error of a process. */
  readonly signs: Signs;
}

export interface Signs {
  httpStatus: number | undefined;
  networkError: unknown;
  stderr: string;
}

export interface Listener {
  text(message: string): void;
  /** Nothing more will come. */
  ended(): void;
  tooLarge(): void;
}

/** Longer messages end the connection: no manifest of that size could be read again. */
const MOST_CHARACTERS = 50_000_000;
const STDERR_KEPT = 4_000;
const FAREWELL_MS = 1_000;

export function openWire(connection: Connection, dir: string, listener: Listener): Wire {
  const signs: Signs = { httpStatus: undefined, networkError: undefined, stderr: "" };
  const limit = { characters: MOST_CHARACTERS, exceeded: () => listener.tooLarge() };
  const taps = new Set<Promise<void>>();
  let transport: Transport | undefined;
  const open = async () => {
    transport =
      connection.kind === "stdio"
        ? await processTransport(connection, dir, signs)
        : await httpTransport(connection, tappedFetch(connection.kind, signs, taps, listener, limit));
    Object.assign(transport, { onerror: () => {}, onclose: () => listener.ended() });
    await transport.start();
    if (connection.kind === "stdio") tapProcess(transport, lineReader(listener.text, limit));
  };
  return {
    signs,
    opened: open(),
    send: async (message) => {
      try {
        await transport?.send(message as never);
      } catch (problem) {
        // The library may dislike what it read; whoever waits for the text still gets it.
        await within(FAREWELL_MS, Promise.allSettled(taps));
        throw problem;
      }
    },
    agree: (version) => transport?.setProtocolVersion?.(version),
    close: async () => {
      if (transport && "terminateSession" in transport)
        await within(FAREWELL_MS, (transport as StreamableHTTPClientTransport).terminateSession());
      await transport?.close().catch(() => {});
    },
  };
}

async function processTransport(
  { command, args, env, cwd }: Extract<Connection, { kind: "stdio" }>,
  dir: string,
  signs: Signs,
): Promise<Transport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    cwd: path.resolve(dir, cwd ?? "."),
    stderr: "pipe",
    maxBufferSize: MOST_CHARACTERS * 4,
  });
  transport.stderr?.on("data", (chunk: Buffer) => (signs.stderr = (signs.stderr + String(chunk)).slice(-STDERR_KEPT)));
  return transport;
}

async function httpTransport(
  { kind, url, headers }: Extract<Connection, { kind: "http" | "sse" }>,
  fetch: Fetch,
): Promise<Transport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const options = { fetch, requestInit: { headers: { ...headers } } };
  return kind === "sse"
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
}

/** The library keeps the process to itself. Nothing is lost before this: a server says nothing until it is asked. */
function tapProcess(transport: Transport, reader: TextReader): void {
  const { _process: child } = transport as unknown as { _process?: { stdout: Readable } };
  const decoder = new StringDecoder("utf8");
  child?.stdout.on("data", (chunk: Buffer) => reader.push(decoder.write(chunk)));
  child?.stdout.on("end", () => reader.end());
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The same `fetch`; the body of every good answer is read a second time, as text. */
function tappedFetch(
  kind: "http" | "sse",
  signs: Signs,
  taps: Set<Promise<void>>,
  listener: Listener,
  limit: Limit,
): Fetch {
  return async (url, init) => {
    // Over streamable HTTP, GET only opens a stream that many servers don't have: that says nothing of the server.
    const counts = kind === "sse" || init?.method === "POST";
    try {
      const response = await fetch(url, init);
      if (counts) signs.httpStatus = response.status;
      if (response.ok && response.body) {
        const tap = readCopy(response.clone(), listener, limit);
        taps.add(tap);
        void tap.finally(() => taps.delete(tap));
      }
      return response;
    } catch (problem) {
      if (counts) signs.networkError = problem;
      throw problem;
    }
  };
}

async function readCopy(response: Response, listener: Listener, limit: Limit): Promise<void> {
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const whole: string[] = [];
  const reader: TextReader = isStream
    ? eventReader(listener.text, limit)
    : { push: (chunk) => void whole.push(chunk), end: () => listener.text(whole.join("")) };
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (!isStream && size > limit.characters) return limit.exceeded();
      reader.push(decoder.decode(chunk, { stream: true }));
    }
    reader.end();
  } catch {
    // The connection was closed, by us or by the server: whoever still waits for an answer learns it elsewhere.
  }
}

/** Waits for what may take long, but no longer than this, whatever becomes of it. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work.catch(() => {}), new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
