import { isObject, own, valuesLeft, type JsonObject, type JsonValue } from "../base/json.ts";
import { isPlainText } from "./everyday.ts";

/** What a client gets of a result: all of what the protocol knows, as it came, and nothing that speaks for us. */

/** Characters of its JSON text. */
const LARGEST = 8 * 1024 * 1024;

/** An answer of ours in place of a result: a model can act on what it says. */
export function toldInstead(words: string): JsonObject {
  return { content: [text(words)], isError: true };
}

/** `isContent`: whether the protocol knows the block as it is. Else the whole call would fail, after it was carried out. */
export function passedResult(raw: JsonObject, isContent: (block: JsonObject) => boolean): JsonObject {
  const size = isSmall(raw) ? 0 : JSON.stringify(raw).length;
  if (size > LARGEST)
    return toldInstead(
      `The call was carried out. Its result has ${(size / 1024 / 1024).toFixed(1)} MB, and more than ${LARGEST / 1024 / 1024} MB aren't passed on: ask for less of it.`,
    );
  const { structuredContent, isError, _meta: meta } = raw;
  const content = Array.isArray(raw["content"]) ? (raw["content"] as readonly JsonValue[]) : [];
  const passed: { [key: string]: JsonValue } = { content: passedBlocks(content, isContent) };
  if (structuredContent !== undefined) passed["structuredContent"] = structuredContent;
  if (isError === true) passed["isError"] = isError;
  if (isObject(meta)) passed["_meta"] = unreserved(meta);
  return passed;
}

/**
 * To find that a block isn't content takes the library up to 50 us, and as much for each value in its lists, in the thread that
 * answers all clients: it isn't asked any more of what has as many of them as are left of so many.
 */
const MOST_UNKNOWN = 5_000;

function passedBlocks(blocks: readonly JsonValue[], isContent: (block: JsonObject) => boolean): JsonObject[] {
  const passed: JsonObject[] = [];
  let left = MOST_UNKNOWN;
  let unread = 0;
  for (const block of blocks) {
    if (isPlainText(block)) passed.push(block);
    else {
      const rest = listedLeft(block, left);
      if (rest < 0) unread++;
      else if (isObject(block) && isContent(withoutMetas(block))) passed.push(passedBlock(block));
      else {
        left = rest;
        passed.push(text(unknownWords(block)));
      }
    }
  }
  if (unread > 0) passed.push(text(unreadWords(unread)));
  return passed;
}

/** A block by itself, and what stands where content has lists. */
function listedLeft(block: JsonValue, left: number): number {
  if (!isObject(block)) return left - 1;
  return ["annotations", "icons"].reduce((rest, key) => valuesLeft(own(block, key) ?? null, rest), left);
}

/** What a server says beside its content may be anything. */
function withoutMetas(block: JsonObject): JsonObject {
  const resource = own(block, "resource");
  return isObject(resource) ? { ...withoutMeta(block), resource: withoutMeta(resource) } : withoutMeta(block);
}

function withoutMeta(holder: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = holder;
  return isObject(meta) ? rest : holder;
}

/** What was read, without what would speak for us; or why it can't be passed on. */
export function passedContents(contents: readonly JsonObject[]): JsonObject | { readonly tooLarge: string } {
  const size = JSON.stringify(contents).length;
  if (size > LARGEST)
    return {
      tooLarge: `What was read has ${(size / 1024 / 1024).toFixed(1)} MB, and more than ${LARGEST / 1024 / 1024} MB aren't passed on.`,
    };
  return { contents: contents.flatMap(passedContent) };
}

function passedContent({ uri, mimeType, text, blob, _meta: meta }: JsonObject): JsonObject[] {
  const held = typeof text === "string" ? { text } : typeof blob === "string" ? { blob } : undefined;
  if (typeof uri !== "string" || held === undefined) return [];
  const about = {
    ...(typeof mimeType === "string" && { mimeType }),
    ...(isObject(meta) && { _meta: unreserved(meta) }),
  };
  return [{ uri, ...about, ...held }];
}

/** Plainly: so few characters of text are no more than that in JSON, whatever they are. */
function isSmall(raw: JsonObject): boolean {
  const { content } = raw;
  if (!Array.isArray(content)) return false;
  for (const key in raw) if (key !== "content" && key !== "isError") return false;
  let size = 0;
  for (const block of content as readonly JsonValue[]) {
    if (!isPlainText(block)) return false;
    size += 40 + (block["text"] as string).length * LONGEST_ESCAPE;
  }
  return size < LARGEST;
}

const LONGEST_ESCAPE = "\\u0000".length;

function passedBlock(block: JsonObject): JsonObject {
  const meta = own(block, "_meta");
  return isObject(meta) ? { ...block, _meta: unreserved(meta) } : block;
}

function unknownWords(block: JsonValue): string {
  const type = isObject(block) ? own(block, "type") : undefined;
  const named = typeof type === "string" ? ` \`${type.slice(0, 50)}\`` : "";
  return `(Content of the kind${named} isn't known here, and is left out.)`;
}

function unreadWords(count: number): string {
  return `(Too much of the content isn't known here. Left out unread: ${count} ${count === 1 ? "block" : "blocks"}.)`;
}

function text(words: string): JsonObject {
  return { type: "text", text: words };
}

/** Keys that MCP keeps for itself: one of a server's would be taken for ours. */
function unreserved(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key)));
}

function isReserved(key: string): boolean {
  const end = key.lastIndexOf("/");
  if (end === -1) return TRACE.includes(key) || key === "progressToken";
  return key
    .slice(0, end)
    .toLowerCase()
    .split(/[./]/)
    .some((label) => label === "mcp" || label === "modelcontextprotocol");
}

const TRACE: readonly string[] = ["traceparent", "tracestate", "baggage"];

/** Of what a client sends along, what goes to the server. */
export function traceOf(meta: unknown): { readonly [key: string]: string } | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const found = Object.entries(meta).filter(
    (entry): entry is [string, string] => TRACE.includes(entry[0]) && typeof entry[1] === "string",
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
