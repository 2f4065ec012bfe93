import { canonicalText } from "../canonical.ts";
import type { JsonValue } from "../contract.ts";
import { readArgumentsText } from "./arguments-text.ts";
import type { Ticket } from "./breaker.ts";
import type { Trail } from "./types.ts";

/** Calls that a host was let make and of which it hasn't told the end. */
export interface HostCalls {
  began(call: HostCall): void;
  /** The call that this is the end of, if its beginning was seen. It is taken out. */
  ended(told: ToldCall): HostCall | undefined;
}

export interface HostCall extends ToldCall {
  readonly trail: Trail;
  readonly ticket: Ticket;
}

export interface ToldCall {
  /** As the host calls the tool. */
  readonly name: string;
  /** The host's own, where it hands one over. */
  readonly id: string | undefined;
  /** Canonical, where the host hands the arguments over. */
  readonly text: string | undefined;
}

/** The end of a call that somebody refused is never told. */
const MOST_OPEN = 1_000;

export function createHostCalls(): HostCalls {
  const open = new Set<HostCall>();
  return {
    began(call) {
      open.add(call);
      if (open.size > MOST_OPEN) open.delete(open.values().next().value!);
    },
    ended(told) {
      const candidates = [...open].filter(({ name, id }) => name === told.name && mayBe(id, told.id));
      const call =
        candidates.find(({ id }) => id !== undefined && id === told.id) ??
        candidates.find(({ text }) => text === told.text) ??
        candidates[0];
      if (call !== undefined) open.delete(call);
      return call;
    },
  };
}

/** Two ids that differ are two calls; without one the arguments tell, and then who came first. */
function mayBe(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** What a host says of a call, beside the tool: ids and arguments may be missing, and may be anything. */
export function toldCall(name: string, id: unknown, args: unknown): ToldCall {
  return { name, id: typeof id === "string" && id !== "" ? id : undefined, text: textOfArguments(args) };
}

function textOfArguments(args: unknown): string | undefined {
  if (args === undefined) return undefined;
  try {
    return canonicalText(givenArguments(args) as JsonValue);
  } catch {
    return undefined;
  }
}

/** Throws where they are text that can't be read. */
export function givenArguments(args: unknown): unknown {
  return typeof args === "string" ? readArgumentsText(args) : args;
}
