import { createSieve } from "../calls/filter.ts";
import type { Call } from "../calls/types.ts";
import type { HeldTool } from "./settle.ts";

/** What a record of calls says of what roles hold, and of what they asked for and don't hold. */
export interface RecordedUsage {
  /** How often it was called, with whatever result. */
  calls(held: HeldTool): number;
  /** Roles of which the record has any call: of the others it says nothing. */
  readonly roles: ReadonlySet<string>;
  readonly refused: readonly RefusedTool[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface RefusedTool extends HeldTool {
  readonly calls: number;
}

export interface UsageTally {
  add(call: Call): void;
  usage(): RecordedUsage;
}

/** A model that makes up names makes up many. */
const MOST_REFUSED = 2_000;

/** A line without a role, as other programs write them, counts for every role. */
export function createUsageTally(held: readonly HeldTool[], since: number | undefined): UsageTally {
  const calls = new Map(held.map((one) => [keyOf(one), 0]));
  const holders = new Map<string, HeldTool[]>();
  for (const one of held) holders.set(one.role, [...(holders.get(one.role) ?? []), one]);
  const anyRole = new Map<string, number>();
  const refused = new Map<string, { -readonly [Key in keyof RefusedTool]: RefusedTool[Key] }>();
  const roles = new Set<string>();
  const sieve = createSieve({ server: undefined, role: undefined, tool: undefined, since });
  let from: string | undefined;
  let to: string | undefined;
  return {
    add(call) {
      if (!sieve.lets(call)) return;
      const { at, role, server, tool } = call;
      if (at !== "" && (from === undefined || at < from)) from = at;
      if (at !== "" && (to === undefined || at > to)) to = at;
      if (role === "") return void anyRole.set(`${server}\n${tool}`, (anyRole.get(`${server}\n${tool}`) ?? 0) + 1);
      if (holders.has(role)) roles.add(role);
      const key = keyOf({ role, server, tool });
      const known = calls.get(key);
      if (known !== undefined) return void calls.set(key, known + 1);
      const before = refused.get(key);
      if (before) before.calls++;
      else if (refused.size < MOST_REFUSED) refused.set(key, { role, server, tool, calls: 1 });
    },
    usage: () => ({
      calls: (one) => (calls.get(keyOf(one)) ?? 0) + (anyRole.get(`${one.server}\n${one.tool}`) ?? 0),
      roles,
      refused: [...refused.values()].sort((a, b) => b.calls - a.calls || (keyOf(a) < keyOf(b) ? -1 : 1)),
      from,
      to,
    }),
  };
}

function keyOf({ role, server, tool }: HeldTool): string {
  return `${role}\n${server}\n${tool}`;
}
