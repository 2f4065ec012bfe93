import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** What whoever passes lines on must know of one: the id as JSON text, and the method. */
export interface LineParts {
  readonly id: string | undefined;
  readonly method: string | undefined;
}

/** As programs write a message: its id is found at one of the two ends, and the rest needn't be read. */
const AHEAD = /^\{"jsonrpc":"2\.0","id":(\d{1,15}|"[\w.-]{1,60}"),"(?:method":"([\w/.-]{1,60})"|result":|error":)/;
const METHOD_AHEAD = /^\{(?:"jsonrpc":"2\.0",)?"(?:method":"([\w/.-]{1,60})"|result":|error":)/;
const BEHIND = /(?:,"jsonrpc":"2\.0")?,"id":(\d{1,15}|"[\w.-]{1,60}")\}\s*$/;
const MOST_AHEAD = 160;
const MOST_BEHIND = 100;

export function partsOf(line: Buffer): LineParts {
  return partsAtEnds(line) ?? wholeParts(line.toString("utf8"));
}

/** Undefined: the ends don't tell. */
export function partsAtEnds(line: Buffer): LineParts | undefined {
  const head = line.toString("latin1", 0, MOST_AHEAD);
  const ahead = AHEAD.exec(head);
  if (ahead !== null) return { id: ahead[1], method: ahead[2] };
  const method = METHOD_AHEAD.exec(head);
  const behind = method && BEHIND.exec(line.toString("latin1", Math.max(0, line.length - MOST_BEHIND)));
  return behind ? { id: behind[1], method: method[1] } : undefined;
}

/** What is no message is the other side's to refuse. */
function wholeParts(line: string): LineParts {
  try {
    const message = JSON.parse(line) as JsonValue;
    if (isObject(message)) {
      const [id, method] = [own(message as JsonObject, "id"), own(message as JsonObject, "method")];
      return {
        id: id === undefined ? undefined : JSON.stringify(id),
        method: typeof method === "string" ? method : undefined,
      };
    }
  } catch {
    // Not ours to answer.
  }
  return { id: undefined, method: undefined };
}
