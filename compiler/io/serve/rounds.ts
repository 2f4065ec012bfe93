import { randomBytes } from "node:crypto";
import { MOST_ROUNDS } from "../../base/ask-rounds.ts";
import { canonicalText } from "../../base/canonical.ts";
import { digestOf } from "../../base/digest.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { ServedTool } from "../../serve/types.ts";
import type { StateCodec, ServerLibrary } from "./library.ts";

/**
 * A call of the newer protocol that waits for a person: its client is told to come again, and brings back what it was
 * given. That opens nothing: who is asked, and what was answered, is known by the call itself.
 */
export interface Rounds {
  /** For the library, which asks it before anything else of a request that brings something back. */
  readonly verify: StateCodec["verify"];
  /** What this call came back with is its own; undefined: it is of another call, or of nothing that this version gave. */
  roundOf(state: unknown, call: AskedCall): number | undefined;
  /** What it is to bring back; undefined: it has come often enough. */
  next(round: number, call: AskedCall): Promise<string | undefined>;
}

export interface AskedCall {
  readonly role: string;
  readonly door: string;
  readonly tool: ServedTool;
  readonly args: JsonValue | undefined;
}

/** `key`: of several doors, where a client that comes again may find another. */
export function createRounds(
  library: Pick<ServerLibrary, "createRequestStateCodec">,
  livesMs: number,
  key: Uint8Array = randomBytes(32),
): Rounds {
  const codec = library.createRequestStateCodec({ key, ttlSeconds: Math.ceil(livesMs / 1000) });
  return {
    verify: codec.verify,
    roundOf(state, call) {
      if (state === undefined) return 0;
      if (!isObject(state as JsonValue)) return undefined;
      const told = state as JsonObject;
      const round = own(told, "round");
      return typeof round === "number" && own(told, "call") === digestOfCall(call) ? round : undefined;
    },
    async next(round, call) {
      return round >= MOST_ROUNDS ? undefined : codec.mint({ call: digestOfCall(call), round: round + 1 });
    },
  };
}

function digestOfCall({ role, door, tool: { server, tool }, args }: AskedCall): string {
  return digestOf(canonicalText({ role, door, server, tool, args: args ?? {} }));
}
