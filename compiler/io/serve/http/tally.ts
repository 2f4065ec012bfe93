/** What is under way and what was, by role. */
export interface RequestTally {
  /** Undefined: too much is under way. Otherwise to be called when it is over. */
  enter(role: string, isStream: boolean): (() => void) | undefined;
  /** Of these roles, in the text format of Prometheus. */
  text(roles: readonly string[]): string;
}

/** Of one role. */
const MOST_UNDER_WAY = 256;
/** Of all together: a stream may stay for days. */
const MOST_STREAMS = 1_000;

interface Counts {
  requests: number;
  underWay: number;
  streams: number;
  refused: number;
}

export function createTally(): RequestTally {
  const byRole = new Map<string, Counts>();
  let streams = 0;
  const countsOf = (role: string): Counts => {
    const counts = byRole.get(role) ?? { requests: 0, underWay: 0, streams: 0, refused: 0 };
    byRole.set(role, counts);
    return counts;
  };
  return {
    enter(role, isStream) {
      const counts = countsOf(role);
      if (isStream ? streams >= MOST_STREAMS : counts.underWay >= MOST_UNDER_WAY) {
        counts.refused++;
        return undefined;
      }
      const kind = isStream ? "streams" : "underWay";
      counts.requests++;
      counts[kind]++;
      if (isStream) streams++;
      return () => {
        counts[kind]--;
        if (isStream) streams--;
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
