import type { Server } from "../../3-plan/types.ts";

/** What keeps a server from being asked too often, or too much at once. */
export const RATES: readonly Limit[] = ["`ratePerMinute`", "`concurrency`"];
export const EVERY_LIMIT: readonly Limit[] = ["`ratePerMinute`", "`timeout`", "`concurrency`"];

type Limit = "`ratePerMinute`" | "`timeout`" | "`concurrency`";

/** Those of a server's limits that `place` can't hold, as the end of "because ..."; undefined: it has none. 30 s is everybody's time when nothing is written. */
export function limitsWithoutPlace({ limits }: Server, place: string, unheld: readonly Limit[]): string | undefined {
  const isWritten: Readonly<Record<Limit, boolean>> = {
    "`ratePerMinute`": limits.ratePerMinute !== undefined,
    "`timeout`": limits.timeoutMs !== 30_000,
    "`concurrency`": limits.concurrency !== undefined,
  };
  const written = unheld.filter((limit) => isWritten[limit]);
  return written.length === 0 ? undefined : `${place} has no place for its ${written.join(", ")}`;
}
