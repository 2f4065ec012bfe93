import type { Server } from "../3-plan/types.ts";
import { digestOf } from "../base/digest.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { coveredTool } from "../../runtime/covered-tool.ts";
import { failureOf } from "./failures.ts";
import { redactorOf } from "./redact.ts";
import type { ReferenceValue } from "./reference-values.ts";
import type { ServerFailure, ServerAnswer, TransportKind, AskTrouble } from "./types.ts";

/** How a server stands: of each of its transports, and in one word. Values of variables have been taken out of every text. */
export interface Diagnosis {
  readonly server: string;
  readonly state: Reachability;
  /** Its place among the probes: the one whose word is the server's. Undefined: none is decisive, or none is written. */
  readonly by: number | undefined;
  /** The one next step; undefined when nothing is to be done. */
  readonly next: string | undefined;
  readonly probes: readonly Probe[];
}

export type Reachability = "reachable" | "needs-auth" | "auth-failed" | "unreachable";

export interface Probe {
  readonly transport: TransportKind;
  readonly state: Reachability;
  readonly httpStatus: number | undefined;
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
  /** When it was asked, as an ISO time, and how long that took. */
  readonly at: string;
  readonly ms: number;
  /** Names of the tools that it lists, sorted. */
  readonly tools: readonly string[];
  /** Of these the ones whose definition isn't what was captured. */
  readonly changed: readonly string[];
  /** Variables that it needs and that aren't set. */
  readonly missing: readonly string[];
  readonly failure: ServerFailure | undefined;
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

/** What came back over one transport. */
export interface ProbeReply {
  readonly said: ServerAnswer | AskTrouble;
  readonly values: readonly ReferenceValue[];
  /** Tokens of a login that were sent. */
  readonly tokens: readonly string[];
  /** When it was asked, as an ISO time, and how long that took. */
  readonly at: string;
  readonly ms: number;
}

export function probeOf(
  { server, timeoutMs }: { readonly server: Server; readonly timeoutMs: number },
  transport: TransportKind,
  { said, values, tokens, at, ms }: ProbeReply,
): Probe {
  const base = { transport, at, ms: Math.round(ms) };
  if (!("tools" in said)) {
    const failure = failureOf(said, server, timeoutMs, values);
    const { httpStatus, missing, goesOn } = said;
    return { ...base, state: stateOf(failure), httpStatus, missing, goesOn, failure, ...NOTHING_SEEN };
  }
  const redact = redactorOf([...values.map(({ value }) => value), ...tokens]);
  const shown = (text: string | undefined) => text && redact(text);
  return {
    ...base,
    state: "reachable",
    httpStatus: transport === "stdio" ? undefined : 200,
    sessionId: shown(said.sessionId),
    protocolVersion: shown(said.protocolVersion),
    tools: sorted(said.tools.flatMap((tool) => redact(nameOf(tool)))),
    changed: changedTools(server, said.tools).flatMap((name) => redact(name)),
    missing: [],
    failure: undefined,
    goesOn: false,
  };
}

const NOTHING_SEEN = { sessionId: undefined, protocolVersion: undefined, tools: [], changed: [] };

function changedTools({ tools }: Server, live: readonly JsonValue[]): string[] {
  const pinned = new Map<string, string | null>(tools.map(({ name, digest }) => [name, digest]));
  const isChanged = (tool: JsonObject): boolean => {
    const digest = pinned.get(nameOf(tool)) ?? null;
    return digest !== null && toolDigest(tool) !== digest;
  };
  return sorted(new Set(live.filter(isObject).filter(isChanged).map(nameOf)));
}

/** Undefined for what can't be told in canonical JSON: it equals no pin. */
function toolDigest(tool: JsonObject): string | undefined {
  try {
    return digestOf(coveredTool(tool).text);
  } catch {
    return undefined;
  }
}

function nameOf(tool: JsonValue): string {
  const name = isObject(tool) ? own(tool, "name") : undefined;
  return typeof name === "string" ? name : "";
}

function stateOf(failure: ServerFailure): Reachability {
  return failure.kind === "needs-auth" || failure.kind === "auth-failed" ? failure.kind : "unreachable";
}
