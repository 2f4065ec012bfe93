import { isObject, own } from "../base/json.ts";
import { readObject } from "./inbox-lines.ts";

/**
 * How servers are reached with the values that variables have. What a person has accepted of it is kept as digests, by a
 * key that lies beside them, and never as values: what an address or a command was made of may be a secret.
 */

export interface AcceptedWays {
  readonly key: string;
  /** By server, the newest last: a host that hands on another environment isn't asked about each time. */
  readonly digests: ReadonlyMap<string, readonly string[]>;
}

/** Of one server, as it would be reached now. */
export interface FoundWay {
  /** Of each of its connections that could be tried: where a variable is missing nothing is reached. */
  readonly digests: readonly string[];
  readonly variables: readonly FoundVariable[];
}

export interface FoundVariable {
  readonly name: string;
  /** Undefined: it isn't set. */
  readonly from: "file" | "environment" | undefined;
}

/** By server; those without variables have nothing in them. */
export type FoundWays = ReadonlyMap<string, FoundWay>;

/** A server that would be reached in a way to which nobody has said yes, and what it is made of. */
export interface MovedServer extends Pick<FoundWay, "variables"> {
  readonly server: string;
}

const MOST_KEPT = 8;

export function movedServers(found: FoundWays, { digests: accepted }: AcceptedWays): MovedServer[] {
  return [...found].flatMap(([server, { digests, variables }]) =>
    digests.every((digest) => accepted.get(server)?.includes(digest)) ? [] : [{ server, variables }],
  );
}

/** With a yes to all that was found; what isn't the project's any more is forgotten. */
export function withYes({ key, digests: accepted }: AcceptedWays, found: FoundWays): AcceptedWays {
  const digests = [...found].map(([server, { digests: now }]) => {
    const before = (accepted.get(server) ?? []).filter((digest) => !now.includes(digest));
    return [server, [...before, ...now].slice(-MOST_KEPT)] as const;
  });
  return { key, digests: new Map(digests.filter(([, kept]) => kept.length > 0)) };
}

export function waysText({ key, digests }: AcceptedWays): string {
  return `${JSON.stringify({ format: 1, key, digests: Object.fromEntries(digests) })}\n`;
}

/** Undefined: it isn't such a text. */
export function readWays(text: string): AcceptedWays | undefined {
  const { format, key, digests = null } = readObject(text) ?? {};
  if (format !== 1 || typeof key !== "string" || !isObject(digests)) return undefined;
  const kept = Object.keys(digests).map((server) => [server, own(digests, server)] as const);
  const isWhole = kept.every(([, list]) => Array.isArray(list) && list.every((one) => typeof one === "string"));
  return isWhole ? { key, digests: new Map(kept as unknown as [string, readonly string[]][]) } : undefined;
}
