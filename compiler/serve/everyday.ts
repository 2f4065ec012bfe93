import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/**
 * Calls and results of the everyday shape, of which it is known what the protocol's library makes of them. Whatever is of
 * another one is the library's: undefined, at every doubt.
 */
export interface EverydayCall {
  readonly id: number | string;
  readonly name: string;
  readonly args: JsonObject | undefined;
  /** Without the envelope. */
  readonly meta: JsonObject | undefined;
  /** Under which progress is told. */
  readonly token: JsonValue | undefined;
}

/** What each request of a client of the newer protocol repeats, by key as JSON text: the library has judged it once. */
export type Envelope = ReadonlyMap<string, string>;

export function envelopeOf(told: { readonly [key: string]: unknown } | undefined): Envelope {
  return new Map(Object.entries(told ?? {}).map(([key, value]) => [key, JSON.stringify(value)]));
}

export function everydayCall(
  message: { readonly [key: string]: unknown },
  envelope: Envelope,
): EverydayCall | undefined {
  const { id, params } = message;
  if (message["method"] !== "tools/call" || !isObject(params)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  for (const key in message) if (!OF_A_MESSAGE.has(key)) return undefined;
  for (const key in params) if (!OF_A_CALL.has(key)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== "string") return undefined;
  if (args !== undefined && (!isObject(args) || Object.hasOwn(args, "__proto__"))) return undefined;
  if (meta === undefined)
    return envelope.size === 0 ? { id: id as number | string, name, args, meta, token: meta } : undefined;
  if (!isObject(meta) || !holds(meta, envelope)) return undefined;
  const token = own(meta, "progressToken");
  if (token !== undefined && !isToken(token)) return undefined;
  return { id: id as number | string, name, args, meta, token };
}

/** Of an id, and of what progress is told under: they are kept and said again, however often. */
export const LONGEST_ID = 1_000;

export function isToken(token: unknown): boolean {
  return typeof token === "string" ? token.length <= LONGEST_ID : Number.isSafeInteger(token);
}

const OF_A_MESSAGE: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const OF_A_CALL: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
/** Keys of the protocol's own: each has a meaning. */
const RESERVED = "io.modelcontextprotocol/";

function holds(meta: JsonObject, envelope: Envelope): boolean {
  let found = 0;
  for (const key in meta) {
    if (key === "__proto__") return false;
    if (!key.startsWith(RESERVED)) continue;
    if (envelope.get(key) !== JSON.stringify(meta[key])) return false;
    found++;
  }
  return found === envelope.size;
}

/** The whole message that answers with this result: the library's, to the letter. */
export function everydayAnswer(
  id: number | string,
  result: JsonObject,
  { isNewer, serverInfo }: { readonly isNewer: boolean; readonly serverInfo: JsonObject },
): string | undefined {
  const { content, structuredContent, isError } = result;
  for (const key in result) if (!OF_A_RESULT.has(key)) return undefined;
  if (!Array.isArray(content)) return undefined;
  if (isError !== undefined && isError !== true) return undefined;
  if (
    structuredContent !== undefined &&
    (!isObject(structuredContent) || Object.hasOwn(structuredContent, "__proto__"))
  )
    return undefined;
  const blocks: JsonObject[] = [];
  for (const block of content as readonly JsonValue[]) {
    if (!isPlainText(block)) return undefined;
    blocks.push({ type: "text", text: block["text"]! });
  }
  // What is undefined isn't written, and costs less than to be left out of the object.
  const told = {
    content: blocks,
    structuredContent,
    isError,
    resultType: isNewer ? "complete" : undefined,
    _meta: isNewer ? { [`${RESERVED}serverInfo`]: serverInfo } : undefined,
  };
  return JSON.stringify({ result: told, jsonrpc: "2.0", id });
}

const OF_A_RESULT: ReadonlySet<string> = new Set(["content", "structuredContent", "isError"]);

export function isPlainText(block: JsonValue): block is JsonObject {
  if (!isObject(block) || block["type"] !== "text" || typeof block["text"] !== "string") return false;
  let keys = 0;
  for (const _ in block) keys++;
  return keys === 2;
}
