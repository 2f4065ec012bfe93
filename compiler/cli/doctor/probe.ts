import type { Server, Transport } from "../../3-plan/types.ts";
import { transportData } from "../../5-artifacts/typed-module/server-data.ts";
import { isObject, own, type JsonValue } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { diagnose, stateOf, type Diagnosis, type Probe } from "../../capture/diagnosis.ts";
import { failureOf } from "../../capture/failures.ts";
import { maskOf } from "../../capture/mask.ts";
import { askOver, type AskOptions } from "../../io/ask/ask-server.ts";
import type { Context } from "../command.ts";
import { severalAtOnce } from "../several.ts";

/** A server, and the ways to it that are to be tried, in order. */
export interface Reach {
  readonly server: Server;
  readonly ways: readonly Transport[];
}

/** Asks all of them over every way, several at once. In the order given. */
export async function probeServers(
  context: Context,
  reaches: readonly Reach[],
  optionsFor: (server: Server) => AskOptions,
): Promise<Diagnosis[]> {
  const all = reaches.flatMap((reach) => reach.ways.map((way) => ({ reach, way })));
  const probes = await severalAtOnce(
    context,
    "asking",
    all,
    ({ reach }) => reach.server.name,
    ({ reach, way }) => probe(reach.server, way, optionsFor(reach.server)),
  );
  return reaches.map((reach) =>
    diagnose(
      reach.server.name,
      probes.filter((_, i) => all[i]!.reach === reach),
    ),
  );
}

async function probe(server: Server, transport: Transport, options: AskOptions): Promise<Probe> {
  const began = new Date().toISOString();
  const { said, values, tokens, ms } = await askOver(transportData(transport), options);
  const base = { transport: transport.kind, at: began, ms: Math.round(ms) };
  if (!("tools" in said)) {
    const failure = failureOf(said, server, options.timeoutMs, values);
    const { httpStatus, missing, goesOn } = said;
    return { ...base, state: stateOf(failure), httpStatus, missing, goesOn, failure, ...NOTHING_SEEN };
  }
  const mask = maskOf([...values.map(({ value }) => value), ...tokens]);
  const shown = (text: string | undefined) => text && mask(text);
  return {
    ...base,
    state: "reachable",
    httpStatus: transport.kind === "stdio" ? undefined : 200,
    sessionId: shown(said.sessionId),
    protocolVersion: shown(said.protocolVersion),
    tools: sorted(said.tools.flatMap((tool) => mask(nameOf(tool)))),
    missing: [],
    failure: undefined,
    goesOn: false,
  };
}

const NOTHING_SEEN = { sessionId: undefined, protocolVersion: undefined, tools: [] };

function nameOf(tool: JsonValue): string {
  const name = isObject(tool) ? own(tool, "name") : undefined;
  return typeof name === "string" ? name : "";
}
