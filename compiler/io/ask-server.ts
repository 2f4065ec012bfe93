import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { unsoundJson } from "../base/sound-json.ts";
import type { Expansion } from "../capture/expand.ts";
import { failureOf, goesOn, protocolFailure, timeoutFailure, unsoundFailure } from "../capture/failures.ts";
import { maskOf } from "../capture/mask.ts";
import type { Asked, Failure, ServerAnswer, Try } from "../capture/types.ts";
import { openWire, type Listener, type Signs, type Wire } from "./raw-wire.ts";

export interface AskOptions {
  /** The project's folder: where processes start. */
  readonly dir: string;
  /** For one transport, from its start to its last page. */
  readonly timeoutMs: number;
  readonly clientVersion: string;
}

/**
 * Asks a live server for all that a manifest holds, over its transports in their order: the next one only where the
 * language says so. Everything that was started is ended before this resolves; it never rejects.
 */
export async function askServer(ways: readonly (Expansion | Failure)[], options: AskOptions): Promise<Asked> {
  const tried: Try[] = [];
  for (const [i, way] of ways.entries()) {
    if (!("connection" in way)) return { failure: way, tried };
    const result = await askOver(way, options);
    if ("initialize" in result) return { answer: result, tried, worked: i };
    tried.push({ transport: way.connection.kind, failure: result.failure });
    if (!result.goOn || i === ways.length - 1) return { failure: result.failure, tried: tried.slice(0, -1) };
  }
  return {
    failure: { kind: "unreachable", says: "it has no connection", next: "write `connect` for it" },
    tried,
  };
}

interface Failed {
  readonly failure: Failure;
  /** Whether the next transport may be tried. */
  readonly goOn: boolean;
}

async function askOver(way: Expansion, options: AskOptions): Promise<ServerAnswer | Failed> {
  const talk = startTalk();
  const { kind } = way.connection;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(LATE), options.timeoutMs);
  });
  const wire = openWire(way.connection, options.dir, talk.listener);
  try {
    await Promise.race([wire.opened, late]);
    return { transport: kind, ...(await Promise.race([readAll(talk, wire, options.clientVersion), late])) };
  } catch (problem) {
    // What a process said last arrives after its end.
    if (kind === "stdio") await new Promise((resolve) => setTimeout(resolve, 20));
    return explain(problem, way, wire.signs, talk.greeted, options);
  } finally {
    clearTimeout(timer);
    await wire.close();
  }
}

const LATE = Symbol("late");

function explain(problem: unknown, way: Expansion, signs: Signs, greeted: boolean, options: AskOptions): Failed {
  const mask = maskOf(way.values.map((value) => value.value));
  const stderr = mask(signs.stderr);
  if (problem === LATE) return { failure: timeoutFailure(options.timeoutMs, stderr), goOn: !greeted };
  if (isUnsound(problem)) return { failure: unsoundFailure(problem.unsound), goOn: false };
  if (isRefusal(problem)) return { failure: protocolFailure(mask(problem.refusal)), goOn: false };
  const error = signs.networkError ?? problem;
  const facts = { kind: way.connection.kind, status: signs.httpStatus, error, stderr };
  return { failure: failureOf(facts, mask), goOn: !greeted && goesOn(facts) };
}

async function readAll(
  talk: Talk,
  wire: Wire,
  version: string,
): Promise<{ readonly initialize: JsonObject; readonly tools: readonly JsonValue[] }> {
  talk.join(wire);
  const initialize = await talk.request("initialize", {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: "rolecall", version },
  });
  talk.greeted = true;
  const agreed = own(initialize, "protocolVersion");
  if (typeof agreed === "string") wire.agree(agreed);
  await wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { initialize, tools: await readTools(talk, initialize) };
}

/** The newest that servers answer to a plain `initialize`. */
const PROTOCOL = "2025-11-25";
const MOST_PAGES = 1_000;
const METHOD_NOT_FOUND = -32601;

async function readTools(talk: Talk, initialize: JsonObject): Promise<JsonValue[]> {
  const tools: JsonValue[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await talk.request("tools/list", cursor === undefined ? {} : { cursor }).catch((problem: unknown) => {
      if (isRefusal(problem) && problem.code === METHOD_NOT_FOUND && !offersTools(initialize)) return { tools: [] };
      throw problem;
    });
    const listed = own(page, "tools");
    if (!Array.isArray(listed)) throw refusal("its answer to tools/list has no list `tools`");
    tools.push(...(listed as JsonValue[]));
    const next = own(page, "nextCursor");
    cursor = typeof next === "string" ? next : undefined;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size === MOST_PAGES))
      throw refusal("its pages of tools never end");
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return tools;
}

function offersTools(initialize: JsonObject): boolean {
  const capabilities = own(initialize, "capabilities");
  return isObject(capabilities) && own(capabilities, "tools") !== undefined;
}

interface Talk {
  readonly listener: Listener;
  join(wire: Wire): void;
  request(method: string, params: JsonObject): Promise<JsonObject>;
  greeted: boolean;
}

/** Requests and their answers. An answer is looked at as text first: what JSON readers would read differently is refused. */
function startTalk(): Talk {
  const waiting = new Map<number, { resolve(result: JsonObject): void; reject(problem: unknown): void }>();
  let wire: Wire | undefined;
  let last = 0;
  let over: unknown;
  const failAll = (problem: unknown) => {
    over ??= problem;
    for (const one of waiting.values()) one.reject(problem);
    waiting.clear();
  };
  const take = (message: JsonValue, text: string) => {
    if (!isObject(message)) return;
    const id = own(message, "id");
    const method = own(message, "method");
    if (typeof method === "string") return id === undefined ? undefined : answerServer(wire, id, method);
    const one = typeof id === "number" ? waiting.get(id) : undefined;
    if (!one) return;
    waiting.delete(id as number);
    settle(one, message, text);
  };
  return {
    greeted: false,
    listener: {
      text: (text) => {
        const value = parsed(text);
        const messages: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
        for (const message of messages) take(message, text);
      },
      ended: () => failAll(new Error("it ended")),
      tooLarge: () => failAll(refusal("its answer is larger than 50 MB")),
    },
    join: (joined) => (wire = joined),
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) return reject(over as Error);
        const id = ++last;
        waiting.set(id, { resolve, reject });
        wire?.send({ jsonrpc: "2.0", id, method, params }).catch((problem: unknown) => {
          waiting.delete(id);
          reject(problem as Error);
        });
      }),
  };
}

/** Servers may print what isn't a message: that is noise. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function settle(
  one: { resolve(result: JsonObject): void; reject(problem: unknown): void },
  message: JsonObject,
  text: string,
): void {
  const unsound = unsoundJson(text, JSON.parse(text) as JsonValue);
  const result = own(message, "result");
  const error = own(message, "error");
  if (unsound !== undefined) one.reject({ unsound });
  else if (isObject(result)) one.resolve(result);
  else if (isObject(error))
    one.reject(refusal(String(own(error, "message") ?? "it answers with an error"), own(error, "code")));
  else one.reject(refusal("its answer has neither a result nor an error"));
}

/** Nothing is offered to servers; an unanswered question would make some of them wait. */
function answerServer(wire: Wire | undefined, id: JsonValue, method: string): void {
  const answer =
    method === "ping" ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: "not offered by this client" } };
  wire?.send({ jsonrpc: "2.0", id, ...answer }).catch(() => {});
}

interface Refused {
  readonly refusal: string;
  readonly code: JsonValue | undefined;
}

function refusal(says: string, code?: JsonValue): Refused {
  return { refusal: says, code };
}

function isRefusal(problem: unknown): problem is Refused {
  return typeof problem === "object" && problem !== null && "refusal" in problem;
}

function isUnsound(problem: unknown): problem is { readonly unsound: string } {
  return typeof problem === "object" && problem !== null && "unsound" in problem;
}
