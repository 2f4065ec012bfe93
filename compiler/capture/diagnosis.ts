import type { Failure, TransportKind } from "./types.ts";

/** How a server stands: of each of its transports, and in one word. Texts of strangers in it have been masked. */
export interface Diagnosis {
  readonly server: string;
  readonly state: State;
  /** Its place among the probes: the one whose word is the server's. Undefined: none is decisive, or none is written. */
  readonly by: number | undefined;
  /** The one next step; undefined when nothing is to be done. */
  readonly next: string | undefined;
  readonly probes: readonly Probe[];
}

export type State = "reachable" | "needs-auth" | "auth-failed" | "unreachable";

export interface Probe {
  readonly transport: TransportKind;
  readonly state: State;
  readonly httpStatus: number | undefined;
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
  /** When it was asked, as an ISO time, and how long that took. */
  readonly at: string;
  readonly ms: number;
  /** Names of the tools that it lists, sorted. */
  readonly tools: readonly string[];
  /** Variables that it needs and that aren't set. */
  readonly missing: readonly string[];
  readonly failure: Failure | undefined;
  /** The runtime would try the next transport. */
  readonly goesOn: boolean;
}

/** The word is that of the transport at which a team would stop, and so is the next step; else the first one's step. */
export function diagnose(server: string, probes: readonly Probe[]): Diagnosis {
  const by = probes.findIndex((probe) => !probe.goesOn);
  const decisive = probes[by];
  return {
    server,
    state: decisive?.state ?? "unreachable",
    by: decisive && by,
    next: probes.length === 0 ? "write `connect` for it" : (decisive ?? probes[0])?.failure?.next,
    probes,
  };
}

export function stateOf(failure: Failure): State {
  return failure.kind === "needs-auth" || failure.kind === "auth-failed" ? failure.kind : "unreachable";
}
