import type { IncomingMessage } from "node:http";
import { createMeter, TooMuch } from "../../../../runtime/connect/bounds.ts";

/** What a request holds, as far as it may be read. */
export type ReadBody =
  | { readonly value: unknown }
  | { readonly status: 400 | 413; readonly code: number; readonly why: string };

const LARGEST = 4 * 1024 * 1024;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Undefined: its sender is gone. Nothing is kept of what is too large. */
export async function readBody(request: IncomingMessage): Promise<ReadBody | undefined> {
  if (Number(request.headers["content-length"]) > LARGEST) return TOO_LARGE;
  const chunks: Buffer[] = [];
  const meter = createMeter();
  let size = 0;
  try {
    // Left in the middle, its socket would go before the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST) return TOO_LARGE;
      meter.take(chunk);
      chunks.push(chunk);
    }
  } catch (problem) {
    return problem instanceof TooMuch ? refused(INVALID_REQUEST, "it holds too much, or too deep") : undefined;
  }
  return parsed(Buffer.concat(chunks).toString("utf8"));
}

function parsed(text: string): ReadBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(PARSE_ERROR, "this is no JSON");
  }
  if (Array.isArray(value)) return refused(INVALID_REQUEST, "a list of messages isn't taken: send each by itself");
  if (typeof value !== "object" || value === null) return refused(INVALID_REQUEST, "this is no JSON-RPC message");
  return { value };
}

function refused(code: number, why: string): ReadBody {
  return { status: 400, code, why };
}

const TOO_LARGE: ReadBody = {
  status: 413,
  code: INVALID_REQUEST,
  why: `a message has at most ${LARGEST / 1024 / 1024} MB`,
};
