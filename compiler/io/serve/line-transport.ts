import { createMeter, DEEPEST, isDeeper, TooMuch } from "../../../runtime/connect/bounds.ts";
import type { JsonValue } from "../../base/json.ts";
import { partsAtEnds } from "../../serve/line-parts.ts";
import { LONGEST_ID } from "../../serve/everyday.ts";
import { holdsTooMuch } from "../../serve/message-size.ts";
import type { Message, ServerTransport } from "./library.ts";
import { drained, lineCutter, writeLine, type Duplex } from "./lines.ts";

const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;
const INTERNAL_ERROR = -32603;
const MOST_UNREAD = 16 * 1024 * 1024;
/** As much as is read at once. */
const MUCH = 64 * 1024;

/**
 * One message a line, in both directions. The library's own transport drops what it can't read, and a list of messages
 * with it: here its sender is told. What is heard is nowhere deeper than whatever walks over it can bear.
 */
export function lineTransport(
  { input, output }: Duplex,
  /** Hears each message before the library does, and may keep it. */
  isTaken: (message: Message, bytes: number) => boolean = () => false,
): ServerTransport {
  let isOver = false;
  const say = (message: object): void => {
    if (!isOver && output.writable) writeLine(output, JSON.stringify(message));
  };
  const refuse: Refuse = (code, why, id = null) => say({ jsonrpc: "2.0", id, error: { code, message: why } });
  const hear = (text: string): void => {
    const message = readMessage(text, refuse);
    if (message === undefined) return;
    try {
      if (!isTaken(message, text.length)) transport.onmessage?.(message);
    } catch (problem) {
      // One line of one client's ends nobody else's work.
      refuse(INTERNAL_ERROR, "Internal error", message.id);
      transport.onerror?.(problem as Error);
    }
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
    const isUnread = output.writableLength >= MOST_UNREAD && !output.destroyed;
    if (!isUnread && chunk.length < MUCH) return;
    input.pause();
    // Whoever doesn't read is asked no more: what he asked for would be kept for him.
    if (isUnread) void drained(output).then(() => input.resume());
    // Others come by between two pieces of one that sends without end.
    else setImmediate(() => input.resume());
  };
  const transport: ServerTransport = {
    async start() {
      input.on("data", cut);
      for (const event of ["close", "error"]) input.on(event, end);
      // Who has said all may still hear: what is under way is answered.
      input.on("end", () => isHalfOpen(input) || end());
      output.on("error", end);
      // It was held while its first line was read.
      input.resume();
    },
    // Whoever waited here for his client to read would keep what that one sends meanwhile.
    async send(message) {
      say(message);
    },
    async close() {
      end();
    },
  };
  return transport;
}

function isHalfOpen(input: object): boolean {
  return "allowHalfOpen" in input && input.allowHalfOpen === true;
}

type Refuse = (code: number, why: string, id?: Message["id"] | null) => void;

/** As over HTTP: what a message wraps around arguments counts as well. */
const DEEPEST_MESSAGE = DEEPEST + 8;
const TOO_MUCH = "it holds too much, or too deep";

/** A megabyte of `[],` takes as long to read as 30 of text. */
function isReadable(line: Buffer, refuse: Refuse): boolean {
  try {
    createMeter().take(line);
    return true;
  } catch (problem) {
    if (!(problem instanceof TooMuch)) throw problem;
    const { id } = partsAtEnds(line) ?? {};
    refuse(INVALID_REQUEST, TOO_MUCH, id && (JSON.parse(id) as Message["id"]));
    return false;
  }
}

/** Undefined: its sender is told why not. */
function readMessage(text: string, refuse: Refuse): Message | undefined {
  if (text.length > MUCH && !isReadable(Buffer.from(text), refuse)) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(text) as unknown;
  } catch {
    return void refuse(PARSE_ERROR, "this line is no JSON");
  }
  if (Array.isArray(message))
    return void refuse(INVALID_REQUEST, "a list of messages isn't taken: send each by itself");
  if (!isMessage(message)) return void refuse(INVALID_REQUEST, "this is no JSON-RPC message");
  // No shorter one has so many brackets.
  if (text.length > DEEPEST_MESSAGE * 2 && isDeeper(message as JsonValue, DEEPEST_MESSAGE))
    return void refuse(INVALID_REQUEST, TOO_MUCH, message.id);
  if (holdsTooMuch(message, text.length)) return void refuse(INVALID_REQUEST, TOO_MUCH, message.id);
  return message;
}

function isMessage(given: unknown): given is Message {
  if (typeof given !== "object" || given === null || !("jsonrpc" in given) || given.jsonrpc !== "2.0") return false;
  const { id, method } = given as Message;
  if (typeof id === "string") return id.length <= LONGEST_ID;
  if (id !== undefined && typeof id !== "number") return false;
  return typeof method === "string" || id !== undefined;
}
