import type { Call } from "./types.ts";

/** Which calls somebody wants to know of. Left out: all. */
export interface CallFilter {
  readonly server: string | undefined;
  readonly role: string | undefined;
  readonly tool: string | undefined;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
}

/** A name that was asked for and that no call has, with names that calls have. */
export interface Stranger {
  readonly kind: "server" | "role" | "tool";
  readonly name: string;
  readonly known: readonly string[];
}

export interface Sieve {
  lets(call: Call): boolean;
  strangers(): Stranger[];
}

const MOST_KNOWN = 2_000;

export function createSieve({ server, role, tool, since }: CallFilter): Sieve {
  const names = [
    nameSieve("server", server, (call) => [call.server]),
    nameSieve("role", role, (call) => [call.role]),
    nameSieve("tool", tool, (call) => [`${call.server}.${call.tool}`, call.tool]),
  ].filter((sieve) => sieve !== undefined);
  return {
    lets(call) {
      let isWanted = since === undefined || Date.parse(call.at) >= since;
      // Each of them looks at each call: it learns the names that there are.
      for (const sieve of names) if (!sieve.lets(call)) isWanted = false;
      return isWanted;
    },
    strangers: () => names.flatMap((sieve) => sieve.stranger() ?? []),
  };
}

interface NameSieve {
  lets(call: Call): boolean;
  stranger(): Stranger | undefined;
}

/** `spellings`: what the thing may be called; the first is the one to show. */
function nameSieve(
  kind: Stranger["kind"],
  name: string | undefined,
  spellings: (call: Call) => readonly [string, ...string[]],
): NameSieve | undefined {
  if (name === undefined) return undefined;
  const known = new Set<string>();
  let isFound = false;
  return {
    lets(call) {
      const [shown, ...others] = spellings(call);
      if (shown === name || others.includes(name)) return (isFound = true);
      if (known.size < MOST_KNOWN) known.add(shown);
      return false;
    },
    stranger: () => (isFound ? undefined : { kind, name, known: [...known] }),
  };
}
