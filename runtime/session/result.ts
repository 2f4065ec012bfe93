import type { ContentBlock, JsonValue, ToolResult } from "../contract.ts";
import { isList } from "../json-values.ts";
import type { LinkResult } from "../link.ts";
import type { Entry } from "./types.ts";

/** What a server answered, as the caller gets it; or why it can't be given to him. */
export type Read = Omit<ToolResult<unknown>, "meta"> | { readonly wrong: string };

export function readResult(entry: Entry, { raw }: LinkResult): Read {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return { wrong: "the answer is no result" };
  const result = raw as { readonly [key: string]: JsonValue };
  const content = blocksOf(result["content"]);
  const text = textOf(content);
  if (result["isError"] === true) return { wrong: text === "" ? "the server gave no reason" : text };
  const sent = result["structuredContent"];
  if (entry.checkResult === undefined) return { structured: sent, text, content };
  // A promise that the project wrote may be kept by text: only the server's own is about `structuredContent`.
  const candidates = entry.tool.resultFromProject === true ? [sent, parsed(text)] : [sent];
  let objection: string | undefined = "it holds no structured result";
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    objection = entry.checkResult(candidate);
    if (objection === undefined) return { structured: candidate, text, content };
  }
  return { wrong: `its result isn't what was promised: ${objection}` };
}

function blocksOf(content: JsonValue | undefined): readonly ContentBlock[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).filter(
    (block): block is ContentBlock & JsonValue => typeof block === "object" && block !== null && !Array.isArray(block),
  );
}

function textOf(content: readonly ContentBlock[]): string {
  const [only] = content;
  if (content.length === 1 && only!.type === "text" && typeof only!["text"] === "string") return only!["text"];
  return content
    .flatMap((block) => (block.type === "text" && typeof block["text"] === "string" ? [block["text"]] : []))
    .join("\n");
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** As JSON in UTF-8, of what was read from JSON. No text is made of the whole. */
export function bytesInJson(value: JsonValue): number {
  if (typeof value === "string")
    return AS_IT_IS.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  // Each member has a comma behind it, but the last.
  let bytes = 1;
  if (isList(value)) for (let i = 0; i < value.length; i++) bytes += bytesInJson(value[i]!) + 1;
  else for (const key of Object.keys(value)) bytes += bytesInJson(key) + bytesInJson(value[key]!) + 2;
  return Math.max(2, bytes);
}

const AS_IT_IS = /^[ !#-[\]-~]*$/;
