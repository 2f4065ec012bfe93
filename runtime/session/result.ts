import type { ContentBlock, JsonValue, ToolResult } from "../contract.ts";
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
