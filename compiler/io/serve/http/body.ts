import type { IncomingMessage } from "node:http";
import { createMeter, TooMuch } from "../../../../runtime/connect/bounds.ts";

/** What a request holds, as far as it may be read. */
export type ReadBody = { readonly value: unknown } | BodyRefused;

export interface BodyRefused {
  readonly status: 400 | 413 | 429;
  readonly code: number;
  readonly why: string;
}

const LARGEST = 4 * 1024 * 1024;
/** So much more is heard out and forgotten: whoever still sends doesn't hear why it is refused. */
const HEARD_OUT = 32 * 1024 * 1024;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export interface BodyReading {
  /** May so many bytes more be kept, beside those of others? */
  holds?(bytes: number): boolean;
  parse?(text: string): unknown;
}

/** Undefined: its sender is gone. */
export async function readBody(
  request: IncomingMessage,
  { holds = () => true, parse = JSON.parse }: BodyReading = {},
): Promise<ReadBody | undefined> {
  const chunks: Buffer[] = [];
  const meter = createMeter();
  let size = 0;
  let refusal: BodyRefused | undefined;
  try {
    // Left in the middle, its socket would go before the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > HEARD_OUT) break;
      refusal ??= size > LARGEST ? TOO_LARGE : holds(chunk.length) ? excessIn(meter, chunk) : TOO_MANY;
      if (refusal === undefined) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return undefined;
  }
  return refusal ?? parsed(Buffer.concat(chunks).toString("utf8"), parse);
}

function excessIn(meter: ReturnType<typeof createMeter>, chunk: Buffer): BodyRefused | undefined {
  try {
    meter.take(chunk);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof TooMuch)) throw problem;
    return refused(INVALID_REQUEST, "it holds too much, or too deep");
  }
}

function parsed(text: string, parse: (text: string) => unknown): ReadBody {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return refused(PARSE_ERROR, "this is no JSON");
  }
  if (Array.isArray(value)) return refused(INVALID_REQUEST, "a list of messages isn't taken: send each by itself");
  if (typeof value !== "object" || value === null) return refused(INVALID_REQUEST, "this is no JSON-RPC message");
  return { value };
}

function refused(code: number, why: string): BodyRefused {
  return { status: 400, code, why };
}

const TOO_LARGE: BodyRefused = {
  status: 413,
  code: INVALID_REQUEST,
  why: `a message has at most ${LARGEST / 1024 / 1024} MB`,
};

const TOO_MANY: BodyRefused = {
  status: 429,
  code: INVALID_REQUEST,
  why: "too many large messages of this role are under way: send it again",
};
