import type { JsonValue } from "../contract.ts";
import type { ServerData } from "../server-data.ts";
import type { Connection } from "./connection.ts";
import { explain, type Failure } from "./failure.ts";
import { createPace, inTime, timerMs } from "./in-time.ts";
import type { PinWatch } from "./pin-watch.ts";
import { listTools, startComparison } from "./pins.ts";

/** A connection in use, and what is known of it. */
export interface Live {
  readonly connection: Connection;
  /** For advice on credentials. */
  readonly variables: ReadonlySet<string>;
  /** The server's tools may differ from what was last compared: calls wait until they are compared again. */
  doubtful: boolean;
  /** Between two comparisons: a server may say at every moment that its list has changed. */
  readonly pace: () => Promise<void>;
  comparing: Promise<void> | undefined;
  /** When the list was last compared, by the clock. */
  comparedAt: number;
  /** It is being asked whether it is still there. */
  probing: boolean;
  calls: number;
  /** A call was answered in it. Until then it is fresh. */
  answered: boolean;
  /** Calls in a row that were refused by their status. */
  refused: number;
  over: boolean;
}

const COMPARE_EVERY_MS = 250;

export function startLive(connection: Connection, variables: ReadonlySet<string>): Live {
  return {
    connection,
    variables,
    doubtful: true,
    pace: createPace(COMPARE_EVERY_MS),
    comparing: undefined,
    comparedAt: 0,
    probing: false,
    calls: 0,
    answered: false,
    refused: 0,
    over: false,
  };
}

/** Again when the list changed meanwhile. A server whose list never stands still stays doubtful, and its calls wait. */
export async function compareLive(live: Live, server: ServerData, pins: PinWatch, signal: AbortSignal): Promise<void> {
  const { timeoutMs, tools } = server;
  if (Object.values(tools).every(({ digest }) => digest === null)) return void (live.doubtful = false);
  const over = new AbortController();
  const list = (params: object): Promise<JsonValue> =>
    live.connection.request("tools/list", params, { timeout: timerMs(timeoutMs), signal: over.signal });
  try {
    for (let round = 0; live.doubtful && round < 5; round++) {
      await live.pace();
      live.doubtful = false;
      const comparison = startComparison(server);
      await inTime(listTools(list, comparison.take), timeoutMs, "no list of tools in time", signal);
      pins.finished(comparison);
    }
  } catch (error) {
    // No further page is asked for, while calls still hold the connection.
    over.abort("no list of tools in time");
    live.doubtful = true;
    throw error;
  }
}

/** For a call that had its whole time. */
const LONGEST_PROBE_MS = 5_000;

/**
 * After a call that wasn't answered: what is reached by one connection for all calls may hang as a whole. The time is the
 * server's own, whatever the caller gave. Any answer, an error too, says that the server is only slow.
 */
export function probeLive(
  live: Live,
  { timeoutMs, waitedMs }: { readonly timeoutMs: number; readonly waitedMs: number },
  hangs: () => void,
): void {
  const { connection } = live;
  if (live.probing || live.over || connection.entry.kind === "http") return;
  live.probing = true;
  const timeout = Math.max(timeoutMs - waitedMs, Math.min(timeoutMs, LONGEST_PROBE_MS));
  connection
    .request("ping", {}, { timeout: timerMs(timeout) })
    .catch((error: unknown) => {
      if (explain(error).code === "timeout") hangs();
    })
    .finally(() => (live.probing = false));
}

/** One refusal may be about one call, and says nothing of the others. */
const MOST_REFUSED = 3;

/**
 * It is time to begin with the transport that is written first: this one refuses one call after the other by its status.
 * Who stands there has nothing to go back to, and of a server's own faults (500) and its silence others tell.
 */
export function isLetDown(live: Live, { code, httpStatus = 500 }: Failure, { connect }: ServerData): boolean {
  if (httpStatus < 500 && code !== "rate-limited") live.refused += 1;
  return live.refused >= MOST_REFUSED && live.connection.entry !== connect[0];
}
