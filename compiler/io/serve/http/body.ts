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
const TOO_MUCH = "it holds too much, or too deep";

export interface BodyReading {
  /** May so many bytes more be kept, beside those of others? */
  holds?(bytes: number): boolean;
  parse?(text: string): unknown;
  /** What is held against more than JSON. */
  isTooMuch?(message: object, length: number): boolean;
}

/** Undefined: its sender is gone. */
export async function readBody(
  request: IncomingMessage,
  { holds = () => true, parse = JSON.parse, isTooMuch = () => false }: BodyReading = {},
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
  return refusal ?? parsed(Buffer.concat(chunks).toString("utf8"), { parse, isTooMuch });
}

function excessIn(meter: ReturnType<typeof createMeter>, chunk: Buffer): BodyRefused | undefined {
  try {
    meter.take(chunk);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof TooMuch)) throw problem;
    return refused(INVALID_REQUEST, TOO_MUCH);
  }
}

function parsed(text: string, { parse, isTooMuch }: Required<Omit<BodyReading, "holds">>): ReadBody {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return refused(PARSE_ERROR, "this is no JSON");
  }
  if (Array.isArray(value)) return refused(INVALID_REQUEST, "a list of messages isn't taken: send each by itself");
  if (typeof value !== "object" || value === null) return refused(INVALID_REQUEST, "this is no JSON-RPC message");
  return isTooMuch(value, text.length) ? refused(INVALID_REQUEST, TOO_MUCH) : { value };
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
