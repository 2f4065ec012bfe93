import { byName } from "../base/order.ts";
import { createStopwatch, type Stopwatch } from "./times.ts";
import type { Call, Figures, Groups, Named, CalledTool, Slow, CallsSummary } from "./types.ts";

/** Counts calls one after the other, in bounded memory however many there are and whatever they are called. */
export interface Tally {
  add(call: Call): void;
  summary(): CallsSummary;
}

/** A model that makes up names makes up many. */
const MOST_NAMES = 2_000;
const SLOW_MS = 1_000;
const SLOWEST = 10;

export function createTally(): Tally {
  const all = createCounter();
  const servers = createCounters();
  const roles = createCounters();
  const tools = createCounters();
  const slow = createSlow();
  let from: string | undefined;
  let to: string | undefined;
  return {
    add(call) {
      count(all, call);
      count(servers.of(call.server), call);
      count(roles.of(call.role), call);
      count(tools.of(joined(call)), call);
      slow.add(call);
      if (call.at === "") return;
      if (from === undefined || call.at < from) from = call.at;
      if (to === undefined || call.at > to) to = call.at;
    },
    summary: () => ({
      all,
      servers: servers.groups(named),
      roles: roles.groups(named),
      tools: tools.groups(namedTool),
      from,
      to,
      slow: slow.found(),
    }),
  };
}

type Counter = { -readonly [Key in keyof Omit<Figures, "times">]: number } & { readonly times: Stopwatch };

function createCounter(): Counter {
  return {
    calls: 0,
    errors: 0,
    refused: 0,
    rateLimited: 0,
    unavailable: 0,
    reaching: 0,
    retries: 0,
    resultBytes: 0,
    times: createStopwatch(),
  };
}

function count(counter: Counter, { ending, ms, retries, resultBytes }: Call): void {
  counter.calls++;
  if (ending !== "ok") counter.errors++;
  if (ending === "refused") counter.refused++;
  if (ending === "rate-limited") counter.rateLimited++;
  if (ending === "unavailable") counter.unavailable++;
  if (ending === "ok" || ending === "failed" || ending === "unavailable") counter.reaching++;
  counter.retries += retries;
  counter.resultBytes += resultBytes;
  if (ms !== undefined) counter.times.add(ms);
}

interface Counters {
  of(name: string): Counter;
  groups<Group>(made: (name: string, figures: Figures) => Group): Groups<Group>;
}

function createCounters(): Counters {
  const byItsName = new Map<string, Counter>();
  const others = createCounter();
  return {
    of(name) {
      const known = byItsName.get(name);
      if (known !== undefined) return known;
      if (byItsName.size >= MOST_NAMES) return others;
      const made = createCounter();
      byItsName.set(name, made);
      return made;
    },
    groups: (made) => ({
      named: [...byItsName]
        .sort(([a, one], [b, other]) => other.calls - one.calls || byName(a, b))
        .map(([name, counter]) => made(name, counter)),
      others: others.calls,
    }),
  };
}

function named(name: string, figures: Figures): Named {
  return { ...figures, name };
}

/** No separator: what a model calls a server may hold any. */
function joined({ server, tool }: Call): string {
  return `${server.length}:${server}${tool}`;
}

function namedTool(both: string, figures: Figures): CalledTool {
  const begin = both.indexOf(":") + 1;
  const middle = begin + Number(both.slice(0, begin - 1));
  return { ...figures, server: both.slice(begin, middle), name: both.slice(middle) };
}

function createSlow(): { add(call: Call): void; found(): Slow } {
  const calls: Call[] = [];
  let over = 0;
  return {
    add(call) {
      const { ms = 0 } = call;
      if (ms > SLOW_MS) over++;
      if (calls.length === SLOWEST && ms <= (calls.at(-1)!.ms ?? 0)) return;
      const place = calls.findIndex((one) => (one.ms ?? 0) < ms);
      calls.splice(place < 0 ? calls.length : place, 0, { ...call, args: null });
      if (calls.length > SLOWEST) calls.pop();
    },
    found: () => ({ count: over, calls }),
  };
}
