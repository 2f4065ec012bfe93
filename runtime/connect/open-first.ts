import type { TransportData } from "../server-data.ts";
import { openConnection, type Connection, type Opening, type Watch } from "./connection.ts";
import { Unusable } from "./expand.ts";
import { Explained, explain, inOurWords, type Failure } from "./failure.ts";

/**
 * Tries the transports in order. The next one is tried only when this one couldn't be reached at all, never because it
 * refused us: what is written second must not become the way around the first.
 */
export async function openFirst(
  order: readonly TransportData[],
  opening: Opening,
  watch: Watch,
  fellBack: (from: TransportData, failure: Failure) => void,
): Promise<Connection> {
  const tried: string[] = [];
  const said: string[] = [];
  let failure: Failure | undefined;
  for (const [i, entry] of order.entries()) {
    try {
      return await openConnection(entry, opening, watch);
    } catch (error) {
      if (error instanceof Unusable || opening.signal.aborted) throw error;
      failure = inOurWords(explain(error));
      tried.push(order.length === 1 ? failure.why : `over ${entry.kind}, ${failure.why}`);
      if (failure.said) said.push(failure.said);
      if (!failure.next || i === order.length - 1) break;
      fellBack(entry, failure);
    }
  }
  const why = tried.join("; ") || NO_TRANSPORT.why;
  throw new Explained({ ...(failure ?? NO_TRANSPORT), why, said: said.join("\n") });
}

const NO_TRANSPORT: Failure = {
  code: "server-unavailable",
  why: "no transport is written for it",
  next: false,
  lost: true,
  unsent: true,
};
