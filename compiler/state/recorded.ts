import { byName } from "../base/order.ts";
import { readCall } from "../calls/read-call.ts";
import { readReport } from "../calls/read-report.ts";
import type { RecordedCall, RecordedRun, Spent } from "./types.ts";

/** Counts a record line by line: calls, and what an app reported. */
export interface RecordReading {
  add(line: string): void;
  run(record: string): RecordedRun;
}

/** A model that makes up roles makes up many. */
const MOST_ROLES = 1_000;
const NEWEST = 20;

interface Counting {
  calls: number;
  errors: number;
  durationMs: number | null;
  tokens: number | null;
  cost: number | null;
  readonly newest: RecordedCall[];
}

export function readingRecord(): RecordReading {
  const all = counting();
  const byRole = new Map<string, Counting>();
  let from: string | null = null;
  let to: string | null = null;
  const ofRole = (role: string): Counting | undefined => {
    const known = byRole.get(role);
    if (known !== undefined || byRole.size >= MOST_ROLES || role === "") return known;
    const made = counting();
    byRole.set(role, made);
    return made;
  };
  const seen = (at: string): void => {
    if (at === "") return;
    if (from === null || at < from) from = at;
    if (to === null || at > to) to = at;
  };
  return {
    add(line) {
      const call = readCall(line);
      const report = call === undefined ? readReport(line) : undefined;
      seen(call?.at ?? report?.at ?? "");
      for (const count of [all, ofRole(call?.role ?? report?.role ?? "")]) {
        if (count === undefined) continue;
        if (report !== undefined) {
          count.tokens = added(count.tokens, report.tokens);
          count.cost = added(count.cost, report.cost);
        }
        if (call === undefined) continue;
        const { at, server, tool, ending, ms } = call;
        count.calls++;
        if (ending !== "ok") count.errors++;
        count.durationMs = added(count.durationMs, ms);
        count.newest.push({ at, server, tool, ending, durationMs: ms ?? null });
        if (count.newest.length > NEWEST) count.newest.shift();
      }
    },
    run: (record) => ({
      record,
      from,
      to,
      all: spentOf(all),
      byRole: new Map([...byRole].sort(([a], [b]) => byName(a, b)).map(([role, count]) => [role, spentOf(count)])),
      newest: new Map([...byRole].map(([role, { newest }]) => [role, newest.toReversed()])),
    }),
  };
}

function counting(): Counting {
  return { calls: 0, errors: 0, durationMs: null, tokens: null, cost: null, newest: [] };
}

/** Nobody's word stays nobody's word. */
function added(known: number | null, more: number | undefined): number | null {
  return more === undefined ? known : (known ?? 0) + more;
}

function spentOf({ calls, errors, durationMs, tokens, cost }: Counting): Spent {
  return { calls, errors, durationMs: durationMs === null ? null : Math.round(durationMs), tokens, cost };
}
