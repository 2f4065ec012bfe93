import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Call, Ending } from "./types.ts";

/** A line of a record, or undefined for one that is none: half of one, other JSON, no JSON. */
export function readCall(line: string): Call | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const server = textOf(value, "server");
  const tool = textOf(value, "tool");
  const status = textOf(value, "status");
  if (server === undefined || tool === undefined || status === undefined) return undefined;
  const ask = own(value, "ask");
  return {
    at: textOf(value, "ts") ?? "",
    role: textOf(value, "role") ?? "",
    caller: textOf(value, "caller"),
    server,
    tool,
    args: own(value, "args") ?? null,
    ending: status === "ok" ? "ok" : endingOf(value),
    ms: numberOf(value, "duration_ms"),
    retries: numberOf(value, "retries") ?? 0,
    ask: ask === "yes" || ask === "no" || ask === "none" ? ask : undefined,
    by: textOf(value, "by"),
    plan: textOf(value, "plan"),
    resultBytes: numberOf(value, "result_bytes") ?? 0,
    error: textOf(value, "error") ?? "",
    code: textOf(value, "code") ?? "",
  };
}

const BY_CODE: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ["tool-denied", "refused"],
  ["tool-unknown", "refused"],
  ["argument-refused", "refused"],
  ["tool-changed", "refused"],
  ["ask-refused", "refused"],
  ["rate-limited", "rate-limited"],
  ["server-unavailable", "unavailable"],
  ["timeout", "unavailable"],
  ["needs-auth", "unavailable"],
  ["auth-failed", "unavailable"],
  ["missing-variable", "unavailable"],
  ["tool-failed", "failed"],
  ["cancelled", "stopped"],
]);

/**
 * By its code: a text may quote what a model wrote. Where a line has none (other programs write such records too) the rest
 * of it has to tell, of its text no more than how it begins.
 */
function endingOf(line: JsonObject): Ending {
  const error = textOf(line, "error") ?? "";
  const known = BY_CODE.get(textOf(line, "code") ?? "");
  if ((known === undefined || known === "unavailable") && saysStopped(line, error)) return "stopped";
  if (known !== undefined) return known;
  if (own(line, "decision") === "deny" || ["no", "none"].includes(own(line, "ask") as string)) return "refused";
  if (own(line, "http_status") === 429 || /^rate limit\b/i.test(error)) return "rate-limited";
  return own(line, "result_bytes") === 0 ? "unavailable" : "failed";
}

/** The runtime's mark, and whole sentences of its, which have codes of other endings. */
function saysStopped(line: JsonObject, error: string): boolean {
  if (own(line, "hurried") === true) return true;
  const server = `server \`${textOf(line, "server")}\`: `;
  const sentence = error.startsWith(server) ? error.slice(server.length) : error;
  return sentence === "the caller cancelled the call" || sentence === "the session is closed";
}

function textOf(line: JsonObject, key: string): string | undefined {
  const value: JsonValue | undefined = own(line, key);
  return typeof value === "string" ? value : undefined;
}

function numberOf(line: JsonObject, key: string): number | undefined {
  const value: JsonValue | undefined = own(line, key);
  return typeof value === "number" && value >= 0 ? value : undefined;
}
