import path from "node:path";
import { randomUUID } from "node:crypto";
import { visible } from "../../base/visible.ts";
import { isReady } from "../../live-server/host-diagnosis.ts";
import type { Diagnosis } from "../../live-server/diagnosis.ts";
import { appendRecord } from "../../io/write/append-record.ts";
import { readTypeScriptSetup } from "../../io/read/typescript-setup.ts";
import { probeServers } from "../ask-servers.ts";
import { standingOf } from "../build-standing.ts";
import { EXIT, printJson, say, styleOf, wrongUsage, type Context } from "../command.ts";
import { serversNamed, switchedOff } from "../find-tool.ts";
import { examine, hostsOfProject, roleOnHost } from "../role-on-host.ts";
import { hostDoctorPage } from "./host-page.ts";
import { doctorJson, hostDoctorJson, recordLine } from "./json.ts";
import { doctorPage, doctorTroubles, type Examined } from "./page.ts";
import { connectableProject } from "../whole-project.ts";

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
  const off = switchedOff(project.plan, options.names);
  const found = await probeServers(
    context,
    chosen.filter((server) => !off.includes(server)).map((server) => ({ server, ways: server.connect })),
    options.timeoutMs,
  );
  const setup = options.names.length > 0 ? undefined : readTypeScriptSetup(context.dir, project.plan.project);
  const strays = options.names.length > 0 ? [] : await context.engine.strays(context.dir);
  show(context, { found, off, setup, strays });
  const recorded = record(context, options.record, found);
  if (found.some(({ state }) => state !== "reachable")) return EXIT.errors;
  return recorded ? EXIT.fine : EXIT.couldNotCheck;
}

export interface HostOptions {
  readonly host: string;
  readonly role: string;
  readonly timeoutMs: number | undefined;
  readonly record: string | undefined;
}

/** `rolecall doctor --host`. */
export async function examineHost(context: Context, options: HostOptions): Promise<number> {
  const project = await hostsOfProject(context);
  if (project === undefined) return EXIT.errors;
  const chosen = roleOnHost(project.hosts, options, "doctor");
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const found = await examine(context, chosen, project.outcome, options.timeoutMs);
  const standing = await standingOf(context, chosen.role);
  const { out } = context.terminal;
  if (context.json) printJson(context, { ...hostDoctorJson(found), build: standing ?? null });
  else if (!context.quiet || !isReady(found)) out.write(hostDoctorPage(found, styleOf(context, out), standing));
  const diagnoses = (found.servers ?? []).map(({ diagnosis }) => diagnosis);
  const recorded = record(context, options.record, diagnoses);
  if (!isReady(found)) return EXIT.errors;
  return recorded ? EXIT.fine : EXIT.couldNotCheck;
}

function show(context: Context, examined: Examined): void {
  const { out } = context.terminal;
  if (context.json) printJson(context, doctorJson(examined));
  else if (context.quiet) out.write(doctorTroubles(examined.found, styleOf(context, out)));
  else out.write(doctorPage(examined, styleOf(context, out)));
}

/** `file`: where the user stands, as with any file on a command line. False: it couldn't be written, and that was said. */
function record({ terminal }: Context, file: string | undefined, found: readonly Diagnosis[]): boolean {
  if (file === undefined) return true;
  const run = randomUUID();
  const lines = found.flatMap(({ server, probes }) => probes.map((one) => recordLine(server, one, run)));
  const problem = appendRecord(path.resolve(terminal.cwd, file), lines);
  if (problem === undefined) return true;
  say(terminal, `${visible(file)} can't be written (${problem})`, "check --record");
  return false;
}
