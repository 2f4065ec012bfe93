import { existsSync } from "node:fs";
import path from "node:path";
import { openConnection, type Connection, type Opening, type Watch } from "../../../runtime/connect/connection.ts";
import { readReferences, Unusable } from "../../../runtime/connect/expand.ts";
import { explain } from "../../../runtime/connect/failure.ts";
import { inTime } from "../../../runtime/connect/in-time.ts";
import { loadLibrary, type Credentials } from "../../../runtime/connect/library.ts";
import { listTools } from "../../../runtime/connect/pins.ts";
import type { TransportData } from "../../../runtime/server-data.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { unsoundJson } from "../../base/sound-json.ts";
import { cutRedactorOf } from "../../live-server/redact.ts";
import { valuesRead, type ReferenceValue } from "../../live-server/reference-values.ts";
import type { ServerAnswer, AskTrouble } from "../../live-server/types.ts";
import { textTap } from "./text-tap.ts";

export interface AskOptions {
  /** The project's folder: where processes start. */
  readonly dir: string;
  readonly env: (name: string) => string | undefined;
  /** For one transport, from its start to its last page. */
  readonly timeoutMs: number;
  /** Used where the project writes no `Authorization`. */
  readonly login?: LoginSource;
}

/** Who has the token of a server's login, if there is one. */
export interface LoginSource {
  provider(url: string): Credentials;
  /** Every token that was handed out. */
  secrets(): readonly string[];
  /** Why a login that is there gave no token. */
  problem(): string | undefined;
}

export interface Reply {
  readonly said: ServerAnswer | AskTrouble;
  /** What was read for it, for whoever shows a text of the server's. */
  readonly values: readonly ReferenceValue[];
  /** Tokens of a login that were sent. */
  readonly tokens: readonly string[];
  /** Until that was known. */
  readonly ms: number;
}

/**
 * Asks a live server over one transport for all that a manifest holds, connected as the runtime connects. Everything that
 * was started is ended before this resolves; it never rejects.
 */
export async function askOver(entry: TransportData, options: AskOptions): Promise<Reply> {
  const { login } = options;
  const library = await loadLibrary();
  const began = performance.now();
  const read = new Map<string, string>();
  const over = new AbortController();
  const answers = startHearing((problem) => over.abort(problem));
  const farewells: Promise<void>[] = [];
  const opening: Opening = {
    timeoutMs: options.timeoutMs,
    signal: over.signal,
    library,
    tap: answers.tap,
    world: { root: options.dir, secret: () => {}, ...(login && { credentials: login.provider }) },
    references: readReferences((name) => {
      const value = options.env(name);
      if (value) read.set(name, value);
      return value;
    }),
    finish: (work) => void farewells.push(work.catch(() => {})),
  };
  let connection: Connection | undefined;
  let said: Reply["said"];
  try {
    connection = await openConnection(entry, opening, NOBODY);
    const initialize = answers.last();
    const left = Math.max(1, options.timeoutMs - (performance.now() - began));
    const late = `no answer to \`tools/list\` within ${options.timeoutMs} ms`;
    const tools = await inTime(readTools(connection, initialize, answers, left + 1_000), left, late, over.signal);
    said = { ...connection.info, initialize, tools };
  } catch (problem) {
    const trouble = troubleOf(answers.refusal() ?? problem, connection !== undefined);
    said = { transport: entry.kind, ...withLogin(trouble, login) };
  }
  const ms = performance.now() - began;
  await connection?.close().catch(() => {});
  await Promise.all(farewells);
  return {
    said,
    values: valuesRead(entry, read, (file) => existsSync(path.resolve(options.dir, file))),
    tokens: login?.secrets() ?? [],
    ms,
  };
}

/** A server that asks for a login, although there is one: what became of it is the reason. No token gets into it. */
function withLogin(
  trouble: Omit<AskTrouble, "transport">,
  login: LoginSource | undefined,
): Omit<AskTrouble, "transport"> {
  if (login === undefined) return trouble;
  const problem = trouble.kind === "needs-auth" ? login.problem() : undefined;
  const redact = cutRedactorOf(login.secrets());
  const says = redact(trouble.says);
  return {
    ...trouble,
    said: trouble.said && redact(trouble.said),
    says: problem === undefined ? says : `${says}; ${problem}`,
  };
}

const NOBODY: Watch = { ended: () => {}, doubt: () => {}, listChanged: () => {} };
const METHOD_NOT_FOUND = -32601;

async function readTools(
  connection: Connection,
  initialize: JsonObject,
  answers: Hearing,
  timeout: number,
): Promise<readonly JsonValue[]> {
  const tools: JsonValue[] = [];
  const ask = async (params: JsonObject): Promise<JsonValue> => {
    try {
      await connection.request("tools/list", params, { timeout });
      return answers.last();
    } catch (problem) {
      if (answers.refusal()?.code !== METHOD_NOT_FOUND || offersTools(initialize)) throw problem;
      answers.forget();
      return { tools: [] };
    }
  };
  await listTools(ask, async (page) => {
    for (const tool of page) tools.push(tool);
  });
  return tools;
}

function offersTools(initialize: JsonObject): boolean {
  const capabilities = own(initialize, "capabilities");
  return isObject(capabilities) && own(capabilities, "tools") !== undefined;
}

/** An error that the server answered with, or an answer that can't be pinned. */
interface Refused {
  readonly kind: "refused" | "unsound";
  readonly says: string;
  readonly code?: JsonValue | undefined;
}

/** One request is under way at a time: the last answer that was heard is the one to it. */
interface Hearing {
  readonly tap: ReturnType<typeof textTap>;
  /** The result as it was sent. Throws when it could be read in two ways. */
  last(): JsonObject;
  refusal(): Refused | undefined;
  forget(): void;
}

function startHearing(tooLarge: (problem: Refused) => void): Hearing {
  let text = "";
  let answer: JsonObject | undefined;
  let refused: Refused | undefined;
  const hear = (heard: string): void => {
    const message = parsed(heard);
    if (!isObject(message) || own(message, "method") !== undefined || own(message, "id") === undefined) return;
    text = heard;
    answer = message;
    const error = own(message, "error");
    const says = isObject(error) ? `it refuses: ${String(own(error, "message") ?? "it doesn't say why")}` : "";
    refused = isObject(error) ? { kind: "refused", says, code: own(error, "code") } : undefined;
  };
  const large: Refused = { kind: "refused", says: "its answer is larger than 50 MB" };
  return {
    tap: textTap(hear, () => tooLarge(large)),
    last: () => {
      const unsound = answer && unsoundJson(text, answer);
      if (unsound !== undefined) throw { kind: "unsound", says: unsound } satisfies Refused;
      const result = answer && own(answer, "result");
      if (isObject(result)) return result;
      throw { kind: "refused", says: "its answer has no result" } satisfies Refused;
    },
    refusal: () => refused,
    forget: () => (refused = undefined),
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

function troubleOf(problem: unknown, greeted: boolean): Omit<AskTrouble, "transport"> {
  const nothing = { missing: [], httpStatus: undefined, system: undefined, goesOn: false };
  if (isRefused(problem)) return { ...nothing, kind: problem.kind, says: problem.says };
  if (problem instanceof Unusable) {
    const { missing, why } = problem;
    return { ...nothing, kind: missing.length > 0 ? "missing-variable" : "bad-reference", says: why, missing };
  }
  const { code, why, said, httpStatus, system, next } = explain(problem);
  const kind = code === "needs-auth" || code === "auth-failed" || code === "timeout" ? code : "unreachable";
  return { ...nothing, kind, says: why, said, httpStatus, system, goesOn: next && !greeted };
}

function isRefused(problem: unknown): problem is Refused {
  return typeof problem === "object" && problem !== null && "kind" in problem && "says" in problem;
}
