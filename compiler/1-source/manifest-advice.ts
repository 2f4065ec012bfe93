import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** What a file in place of a manifest is: most are an answer of a server that was kept with what was around it. */
export interface ShapeFault {
  readonly problem: string;
  readonly path?: readonly string[];
  readonly help?: string;
}

export function explainShape(value: JsonValue): ShapeFault {
  if (Array.isArray(value)) return list(value as readonly JsonValue[]);
  if (!isObject(value)) return { problem: "it is not an object" };
  const result = own(value, "result");
  if (isObject(result) && Array.isArray(own(result, "tools")))
    return {
      problem: "its list `tools` stands within `result`, as in the answer that a server sent",
      path: ["result"],
      help: 'take `result` out: keep what it holds, which begins with `{ "tools": [`',
    };
  if (isObject(own(value, "error")))
    return { problem: "it is an error that the server answered", path: ["error"], help: CAPTURE };
  if (own(value, "method") !== undefined)
    return { problem: "it is a request, not its answer", path: ["method"], help: CAPTURE };
  return withoutList(value);
}

const CAPTURE = "capture the server: rolecall capture NAME";

function withoutList(value: JsonObject): ShapeFault {
  const tools = own(value, "tools");
  if (isObject(tools))
    return {
      problem: "its `tools` is a map",
      path: ["tools"],
      help: "write a list, each tool with its `name`, as `tools/list` answers; or capture the server",
    };
  if (own(value, "prompts") !== undefined || own(value, "resources") !== undefined)
    return { problem: "it is the answer to another question: it has no list `tools`", help: CAPTURE };
  return { problem: "it has no list `tools`" };
}

function list(items: readonly JsonValue[]): ShapeFault {
  const isTools = items.length > 0 && items.every((item) => isObject(item) && typeof own(item, "name") === "string");
  const problem = "it is a list, not an object";
  return isTools
    ? { problem: "it is the list `tools` alone", help: 'put it under `tools`: `{ "tools": [...] }`' }
    : { problem };
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
