import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { CaseOf } from "../diagnostics/report.ts";

/** What a file in place of a manifest is: most are an answer of a server that was kept with what was around it. */
export type ShapeFault = CaseOf<"manifest/shape"> & { readonly path?: readonly string[] };

export function explainShape(value: JsonValue): ShapeFault {
  if (Array.isArray(value)) return list(value as readonly JsonValue[]);
  if (!isObject(value)) return { case: "no-object" };
  const result = own(value, "result");
  if (isObject(result) && Array.isArray(own(result, "tools"))) return { case: "in-result", path: ["result"] };
  if (isObject(own(value, "error"))) return { case: "error-answer", path: ["error"] };
  if (own(value, "method") !== undefined) return { case: "request", path: ["method"] };
  return withoutList(value);
}

function withoutList(value: JsonObject): ShapeFault {
  const tools = own(value, "tools");
  if (isObject(tools)) return { case: "map", path: ["tools"] };
  if (own(value, "prompts") !== undefined || own(value, "resources") !== undefined) return { case: "other-answer" };
  return { case: "no-tools" };
}

function list(items: readonly JsonValue[]): ShapeFault {
  const isTools = items.length > 0 && items.every((item) => isObject(item) && typeof own(item, "name") === "string");
  return { case: isTools ? "tools-alone" : "list" };
}

/** For a text that doesn't parse. */
export function textAdvice(text: string, at: number | undefined): string | undefined {
  const rest = at === undefined ? "" : text.slice(at, at + 2);
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return "remove the comment: JSON allows none";
  if (/^(?:event|data|id):/m.test(text.slice(0, 200)))
    return "this is a stream of events as it was sent: keep what `result` holds, or capture the server";
  const isSecond = at !== undefined && text.slice(0, at).trim() !== "" && /^\s*[[{]/.test(text.slice(at));
  return isSecond && /\}\s*$/.test(text.slice(0, at))
    ? "keep the answer to `tools/list` alone, or capture the server"
    : undefined;
}
