// oxlint-disable unicorn/prefer-add-event-listener -- the library's transports are no event targets
import type { JsonValue } from "../contract.ts";
import type { LinkInfo } from "../link.ts";
import type { TransportData } from "../server-data.ts";
import { BrokenPipe, CUT, Explained, explain, LOST, type Failure } from "./failure.ts";
import { limitAsking } from "./asked-of-us.ts";
import { isDeeper, tooDeep } from "./bounds.ts";
import { inTime, timerMs } from "./in-time.ts";
import type { Client, RequestOptions, Transport } from "./library.ts";
import { quickRequests, type Ask } from "./quick-requests.ts";
import { createWire, type Wire, type Wiring } from "./wire.ts";

/** One connection, from `initialize` to its end. It is never opened again: the next one is another. */
export interface Connection {
  readonly entry: TransportData;
  readonly info: LinkInfo;
  readonly instructions: string | undefined;
  /** Resolves to the result as sent. */
  request(method: string, params: object, options: RequestOptions): Promise<JsonValue>;
  close(): Promise<void>;
}

export interface Watch {
  /** It ended by itself; requests under way have been rejected. */
  ended(failure: Failure): void;
  /** Something may have been missed, or the server be gone: nobody has said so. */
  doubt(): void;
  listChanged(): void;
}

export interface Opening extends Omit<Wiring, "gap"> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes what must still end, so that nobody waits for it but who closes the link. */
  finish(work: Promise<void>): void;
}

/** References, start and `initialize`, all within the server's time-out. */
export async function openConnection(entry: TransportData, opening: Opening, watch: Watch): Promise<Connection> {
  const ms = opening.timeoutMs;
  let wire: Wire | undefined;
  let over = false;
  const start = async (): Promise<Connection> => {
    const made = await createWire(entry, { ...opening, gap: () => watch.doubt() });
    if (over) throw new Error("too late");
    wire = made;
    return await initialize(entry, made, opening, watch);
  };
  try {
    return await inTime(start(), ms, `no answer to \`initialize\` within ${ms} ms`, opening.signal);
  } catch (error) {
    over = true;
    const told = wire === undefined || opening.signal.aborted ? error : await withEnding(error, wire, ms);
    if (wire !== undefined) opening.finish(wire.transport.close());
    throw told;
  }
}

/**
 * An event source doesn't say why its request went nowhere; of a child that ended, how it did and what it said last is
 * the cause. A broken pipe is its ending seen early, which another time would be told otherwise: it is waited for.
 */
async function withEnding(thrown: unknown, wire: Wire, ms: number): Promise<unknown> {
  const vague = thrown instanceof Error && "event" in thrown && !("code" in thrown && thrown.code !== undefined);
  const failure = explain(vague ? (wire.failure() ?? thrown) : thrown);
  if (thrown instanceof BrokenPipe || failure.why === LOST.why)
    await inTime(wire.over, Math.min(ms, LAST_MOMENT_MS), "").catch(() => {});
  return new Explained(ended(failure, wire));
}

function ended(failure: Failure, wire: Wire): Failure {
  const exceeded = wire.exceeded();
  // It isn't sent again: it would be as much once more.
  if (exceeded !== undefined) return { ...explain(exceeded), lost: failure.lost };
  return { ...failure, why: wire.ending() || failure.why, said: wire.said() || failure.said };
}

/** For the end of a process that has closed its input. */
const LAST_MOMENT_MS = 2_000;

async function initialize(entry: TransportData, wire: Wire, opening: Opening, watch: Watch): Promise<Connection> {
  const { transport } = wire;
  // The client would build a validator of schemas; results are checked elsewhere, against the pin.
  const client = new opening.library.Client(ABOUT_US, { capabilities: {}, jsonSchemaValidator: {} });
  client.setNotificationHandler("notifications/tools/list_changed", () => watch.listChanged());
  if (entry.kind !== "stdio") limitAsking(transport);
  wire.awaited?.watch(transport, () => watch.doubt());
  let over: Failure | undefined;
  const broken = (why: string): void => void (over ??= ended({ ...LOST, why }, wire));
  if (entry.kind === "sse") endWithStream(transport, opening.library.SseError, broken);
  await client.connect(transport, { timeout: timerMs(opening.timeoutMs + 1_000) }).catch((error: unknown) => {
    throw over !== undefined && explain(error).why === LOST.why ? new Explained(over) : error;
  });
  if (entry.kind === "http")
    await inTime(wire.listening, LONGEST_LISTENING_MS, "").catch(() => void wire.listening.then(watch.doubt));
  let open = true;
  let closing = false;
  client.onclose = () => {
    if (!open) return;
    open = false;
    broken(LOST.why);
    watch.ended(over!);
  };
  const slow: Ask = (method, params, options) => client.request({ method, params }, AS_SENT, options);
  const info = linkInfoOf(entry, transport, client);
  // A newer revision has more around each message.
  const isQuick = entry.kind === "stdio" && (info.protocolVersion ?? "") < "2026";
  const ask = isQuick ? quickRequests(transport, slow) : slow;
  return {
    entry,
    info,
    instructions: client.getInstructions(),
    request: async (method, params, options) => {
      let result: JsonValue;
      try {
        result = (await ask(method, params, options)) as JsonValue;
      } catch (error) {
        if (closing || !isVague(error)) throw error;
        throw over === undefined ? await withEnding(error, wire, options.timeout) : new Explained(over);
      }
      if (isDeeper(result)) throw tooDeep();
      return result;
    },
    close: async () => {
      closing = true;
      open = false;
      if (transport.sessionId !== undefined) await inTime(endSession(transport), 1_000, "").catch(() => {});
      await transport.close();
    },
  };
}

/** A notice of a changed list isn't missed by comparing before we hear. A stream that comes later is compared again. */
const LONGEST_LISTENING_MS = 200;

const ABOUT_US = { name: "rolecall", version: "1" };

/** Takes any result and gives it back: the library's own schemas drop what they don't know, and refuse whole lists. */
const AS_SENT = {
  "~standard": { version: 1, vendor: "rolecall", validate: (value: unknown) => ({ value }) },
} as const;

/** The event source would open its stream again by itself and be another session, whose tools nobody has compared. */
function endWithStream(transport: Transport, SseError: new () => Error, broken: (why: string) => void): void {
  const onerror = transport.onerror;
  transport.onerror = (error) => {
    onerror?.(error);
    if (!(error instanceof SseError)) return;
    broken("its stream broke");
    void transport.close();
  };
}

function linkInfoOf(entry: TransportData, transport: Transport, client: Client): LinkInfo {
  return {
    transport: entry.kind,
    sessionId: transport.sessionId,
    protocolVersion: client.getNegotiatedProtocolVersion(),
  };
}

/** The connection ended under it, and why may be known. */
function isVague(error: unknown): boolean {
  const { why } = explain(error);
  return error instanceof BrokenPipe || why === LOST.why || why === CUT.why;
}

async function endSession(transport: Transport): Promise<void> {
  await transport.terminateSession?.();
}
