import { createShares } from "./shares.ts";
import { mayHold, MOST_REQUESTS } from "../under-way.ts";

/** What is under way and what was, by role. */
export interface RequestTally {
  /** Before anything of it is read. Undefined: too much is under way. */
  enter(role: string): Entered | undefined;
  /** Of these roles, in the text format of Prometheus. */
  text(roles: readonly string[]): string;
}

export interface Entered {
  /** May so much more of its body be held? */
  holds(bytes: number): boolean;
  /**
   * It stays for as long as its client likes, and counts among those, until it gives way: `over` is aborted then.
   * Undefined: there are too many, and nobody has more than this holder.
   */
  asStream(holder: string, over: AbortController): Entered | undefined;
  leave(): void;
}

/** Of all together: a stream may stay for days. */
const MOST_STREAMS = 1_000;

interface Counts {
  requests: number;
  underWay: number;
  streams: number;
  refused: number;
  bytes: number;
}

export function createTally(): RequestTally {
  const byRole = new Map<string, Counts>();
  const streams = createShares<AbortController>();
  const hasRoomFor = (holder: string): boolean => {
    if (streams.size < MOST_STREAMS) return true;
    const longest = streams.longestOfMost()!;
    if (streams.of(holder) >= streams.of(longest.holder)) return false;
    streams.remove(longest.holder, longest.one);
    longest.one.abort();
    return true;
  };
  const countsOf = (role: string): Counts => {
    const counts = byRole.get(role) ?? { requests: 0, underWay: 0, streams: 0, refused: 0, bytes: 0 };
    byRole.set(role, counts);
    return counts;
  };
  return {
    enter(role) {
      const counts = countsOf(role);
      if (counts.underWay >= MOST_REQUESTS) return void counts.refused++;
      counts.requests++;
      counts.underWay++;
      let held = 0;
      const leave = (): void => {
        counts.underWay--;
        counts.bytes -= held;
      };
      return {
        leave,
        holds(bytes) {
          held += bytes;
          counts.bytes += bytes;
          if (mayHold(held, counts.bytes)) return true;
          counts.refused++;
          return false;
        },
        asStream(holder, over) {
          if (!hasRoomFor(holder)) return void counts.refused++;
          leave();
          counts.streams++;
          streams.add(holder, over);
          return {
            holds: () => true,
            asStream: () => undefined,
            leave() {
              counts.streams--;
              streams.remove(holder, over);
            },
          };
        },
      };
    },
    text(roles) {
      const told = roles.filter((role) => byRole.has(role)).sort();
      return MEASURES.map(([name, type, key]) =>
        [
          `# TYPE rolecall_http_${name} ${type}`,
          ...told.map((role) => `rolecall_http_${name}{role="${role}"} ${byRole.get(role)![key]}`),
        ].join("\n"),
      )
        .join("\n")
        .concat("\n");
    },
  };
}

const MEASURES: readonly (readonly [name: string, type: string, key: keyof Counts])[] = [
  ["requests_total", "counter", "requests"],
  ["requests_under_way", "gauge", "underWay"],
  ["streams_open", "gauge", "streams"],
  ["too_many_total", "counter", "refused"],
];
