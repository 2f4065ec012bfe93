import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Server } from "../3-plan/types.ts";
import { transportData } from "../4-artifacts/typed-module/server-data.ts";
import { isObject, own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { visible } from "../base/visible.ts";
import { diagnose, stateOf, type Diagnosis, type Probe } from "../capture/diagnosis.ts";
import { failureOf } from "../capture/failures.ts";
import { maskOf } from "../capture/mask.ts";
import { appendRecord } from "../io/append-record.ts";
import { askOver } from "../io/ask-server.ts";
import { readTypeScriptSetup, type TypeScriptSetup } from "../io/typescript-setup.ts";
import { askOptions, serversNamed } from "./asking.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context } from "./command.ts";
import { severalAtOnce } from "./several.ts";
import { doctorJson, recordLine } from "./views/doctor-json.ts";
import { doctorPage } from "./views/doctor-page.ts";
import { connectableProject } from "./whole-project.ts";

/** Everything heavy of `rolecall doctor`, loaded when servers are really asked. */
export interface ExamineOptions {
  /** None: every server, and the TypeScript setup. */
  readonly names: readonly string[];
  readonly timeoutMs: number | undefined;
  /** As written on the command line. */
  readonly record: string | undefined;
}

export async function examineServers(context: Context, options: ExamineOptions): Promise<number> {
  const project = await connectableProject(context, "no server was asked");
  if (project === undefined) return EXIT.couldNotCheck;
  const chosen = serversNamed(project.plan, options.names);
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const found = await examine(context, chosen, options.timeoutMs);
  const setup = options.names.length > 0 ? undefined : readTypeScriptSetup(context.dir, project.plan.project.out);
  show(context, found, setup);
  const recorded = options.record === undefined || record(context, options.record, found);
  if (found.some(({ state }) => state !== "reachable")) return EXIT.errors;
  return recorded ? EXIT.fine : EXIT.couldNotCheck;
}

async function examine(
  context: Context,
  servers: readonly Server[],
  timeoutMs: number | undefined,
): Promise<Diagnosis[]> {
  const ways = servers.flatMap((server) => server.connect.map((_, at) => ({ server, at })));
  const probes = await severalAtOnce(
    context.terminal,
    "asking",
    ways,
    ({ server }) => server.name,
    ({ server, at }) => probe(context, server, at, timeoutMs),
  );
  return servers.map((server) =>
    diagnose(
      server.name,
      probes.filter((_, i) => ways[i]!.server === server),
    ),
  );
}

async function probe(context: Context, server: Server, at: number, timeoutMs: number | undefined): Promise<Probe> {
  const transport = server.connect[at]!;
  const options = askOptions(context, server, timeoutMs);
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

function show(context: Context, found: readonly Diagnosis[], setup: TypeScriptSetup | undefined): void {
  const { out } = context.terminal;
  if (context.json) printJson(context, doctorJson(found, setup));
  else out.write(doctorPage(found, setup, styleOf(context, out)));
}

/** Where the user stands, as with any file on a command line. */
function record({ terminal }: Context, file: string, found: readonly Diagnosis[]): boolean {
  const run = randomUUID();
  const lines = found.flatMap(({ server, probes }) => probes.map((one) => recordLine(server, one, run)));
  const problem = appendRecord(path.resolve(terminal.cwd, file), lines);
  if (problem === undefined) return true;
  terminal.err.write(`rolecall: ${visible(file)} can't be written (${problem})\n  check --record\n`);
  return false;
}
