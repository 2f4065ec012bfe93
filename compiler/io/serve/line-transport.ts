import type { Message, ServerTransport } from "./library.ts";
import { drained, lineCutter, written, type Duplex } from "./lines.ts";

const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;
const MOST_UNREAD = 16 * 1024 * 1024;

/**
 * One message a line, in both directions. The library's own transport drops what it can't read, and a list of messages
 * with it: here its sender is told.
 */
export function lineTransport(
  { input, output }: Duplex,
  /** Hears each message before the library does, and may keep it. */
  isTaken: (message: Message) => boolean = () => false,
): ServerTransport {
  let isOver = false;
  const refuse = (code: number, message: string): void =>
    void written(output, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }));
  const hear = (text: string): void => {
    const message = readMessage(text);
    if (typeof message === "string") return refuse(PARSE_ERROR, message);
    if (Array.isArray(message)) return refuse(INVALID_REQUEST, "a list of messages isn't taken: send each by itself");
    if (!isMessage(message)) return refuse(INVALID_REQUEST, "this is no JSON-RPC message");
    if (!isTaken(message)) transport.onmessage?.(message);
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    input.off("data", cut);
    transport.onclose?.();
  };
  const take = lineCutter(hear, () => input.destroy(new Error("a message is too long")));
  const cut = (chunk: Buffer): void => {
    take(chunk);
    if (output.writableLength < MOST_UNREAD || output.destroyed) return;
    // Whoever doesn't read is asked no more: what he asked for would be kept for him.
    input.pause();
    void drained(output).then(() => input.resume());
  };
  const transport: ServerTransport = {
    async start() {
      input.on("data", cut);
      for (const event of ["end", "close", "error"]) input.on(event, end);
      output.on("error", end);
      // It was held while its first line was read.
      input.resume();
    },
    send: (message) => (isOver ? Promise.resolve() : written(output, JSON.stringify(message))),
    async close() {
      end();
    },
  };
  return transport;
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return "this line is no JSON";
  }
}

function isMessage(given: unknown): given is Message {
  if (typeof given !== "object" || given === null || !("jsonrpc" in given) || given.jsonrpc !== "2.0") return false;
  const { id, method } = given as Message;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") return false;
  return typeof method === "string" || id !== undefined;
}
