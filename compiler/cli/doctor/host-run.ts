import path from "node:path";
import type { Server, Transport } from "../../3-plan/types.ts";
import { fitEveryHost } from "../../4-fit/fit.ts";
import { reachable } from "../../4-fit/delegation.ts";
import { routesOf, variablesFor, wrongAssumptions, type Route } from "../../4-fit/needs.ts";
import type { FittedPlan, FittedRole, Host } from "../../4-fit/types.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { sorted } from "../../base/order.ts";
import type { Diagnosis } from "../../capture/diagnosis.ts";
import { readPlainText } from "../../io/bytes.ts";
import { isOnPath } from "../../io/start/find-program.ts";
import { readResources } from "../../io/read/resources.ts";
import { askOptions } from "../ask-servers.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context, type Outcome } from "../command.ts";
import { record } from "./run.ts";
import type { NotFound } from "../find-tool.ts";
import { isMissing, isReady, type FileFinding, type HostDiagnosis, type ServerFinding } from "./host-diagnosis.ts";
import { probeServers } from "./probe.ts";
import { ownValue, valueOf } from "../variable-values.ts";
import { hostDoctorJson } from "./host-json.ts";
import { hostDoctorPage } from "./host-page.ts";
import { comparedProject } from "../whole-project.ts";
import { noHost } from "../no-host.ts";
import { nameThem, notFound } from "../words.ts";

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
  const { out } = context.terminal;
  if (context.json) printJson(context, hostDoctorJson(found));
  else if (!context.quiet || !isReady(found)) out.write(hostDoctorPage(found, styleOf(context, out)));
  const diagnoses = (found.servers ?? []).map(({ diagnosis }) => diagnosis);
  const recorded = record(context, options.record, diagnoses);
  if (!isReady(found)) return EXIT.errors;
  return recorded ? EXIT.fine : EXIT.couldNotCheck;
}

/** Every host as the project would have it, and what an earlier build wrote. */
export interface HostsOfProject {
  readonly hosts: readonly FittedPlan[];
  readonly outcome: Outcome;
}

export async function hostsOfProject(context: Context): Promise<HostsOfProject | undefined> {
  const project = await comparedProject(context);
  return project && { hosts: fitEveryHost(project.plan, allHosts(readResources().hosts)), outcome: project.outcome };
}

export interface Chosen {
  readonly fitted: FittedPlan;
  readonly role: FittedRole;
}

export function roleOnHost(
  hosts: readonly FittedPlan[],
  options: Pick<HostOptions, "host" | "role">,
  command: "doctor" | "start",
): Chosen | NotFound {
  const fitted = hosts.find(({ host }) => host.id === options.host);
  if (fitted === undefined) return { problem: noHost(options.host), next: "`rolecall hosts` shows them all" };
  const { plan, choice, host } = fitted;
  if (!plan.project.hosts.some(({ id }) => id === host.id))
    return {
      problem: `this project doesn't write for ${host.title}`,
      next: `add \`${host.id}\` to \`hosts\` in rolecall.yaml, and build`,
    };
  const names: string[] = plan.roles.map(({ name }) => name);
  const role = fitted.roles.find(({ name }) => name === options.role);
  if (role !== undefined) return { fitted, role };
  if (!names.includes(options.role))
    return { problem: notFound("role", options.role, names), next: nameThem("role", names) };
  return {
    problem: `${host.title} is given the files of \`${choice.role}\` alone`,
    next:
      command === "start"
        ? `rolecall start ${choice.role} --host ${host.id}`
        : `rolecall doctor --host ${host.id} --role ${choice.role}`,
  };
}

/** Variables come first: while one is missing, nothing is started. */
export async function examine(
  context: Context,
  { fitted, role }: Chosen,
  outcome: Outcome,
  timeoutMs: number | undefined,
): Promise<HostDiagnosis> {
  const { env, cwd } = context.terminal;
  const { host } = fitted;
  const isSet = (name: string, { variables }: Server) =>
    valueOf(name, host.takesAsWritten ? variables : [], env) !== undefined;
  const routes = routesOf(role, fitted);
  const variables = variablesFor(routes, isSet);
  return {
    fitted,
    role,
    variables,
    assumptions: wrongAssumptions(role, fitted, isSet),
    files: [
      ...pathsOf(role, fitted).map((file) => ({ path: file, state: stateOf(file, outcome) })),
      ...overruling(context.dir, role, fitted),
    ],
    program: host.program === undefined ? undefined : { name: host.program, found: isOnPath(host.program, env, cwd) },
    servers: variables.some(isMissing) ? undefined : await reach(context, host, routes, timeoutMs),
  };
}

/** What the host writes when there is nobody but the role and those that its work can get to. */
function pathsOf(role: FittedRole, fitted: FittedPlan): string[] {
  return sorted(new Set([...fitted.host.emit({ ...fitted, roles: reachable(role, fitted) })].map(({ path }) => path)));
}

/** By the look of its text: one that only might say something of a server isn't worth a start that opens more. */
function overruling(dir: string, role: FittedRole, { host }: FittedPlan): FileFinding[] {
  const { file, key } = host.overruledBy ?? {};
  const text = file === undefined ? undefined : readPlainText(path.join(dir, file));
  if (file === undefined || key === undefined || text === undefined || !text.includes(key)) return [];
  return role.servers.some(({ server }) => text.includes(server.name)) ? [{ path: file, state: "overrules" }] : [];
}

function stateOf(path: string, { missing, differs, blocked = [] }: Outcome): FileFinding["state"] {
  if (missing.includes(path)) return "missing";
  if (blocked.includes(path)) return "blocked";
  return differs.includes(path) ? "differs" : "up-to-date";
}

async function reach(
  context: Context,
  host: Host,
  routes: readonly Route[],
  timeoutMs: number | undefined,
): Promise<ServerFinding[]> {
  const diagnoses = await probeServers(context, routes, (server) => {
    const { login: _, ...options } = askOptions(context, server, timeoutMs);
    // Such a host has the variable's own name in its file, and looks under no other.
    return host.takesAsWritten ? options : { ...options, env: (name) => ownValue(name, context.terminal.env) };
  });
  return diagnoses.map((diagnosis, i) => finding(diagnosis, routes[i]!, host));
}

/** A login of rolecall's own is no login of a host's: none was used. */
function finding(diagnosis: Diagnosis, { ways, tools }: Route, host: Host): ServerFinding {
  const { state, by } = diagnosis;
  const way = ways[by ?? 0];
  const sends = way !== undefined && hasCredentials(way);
  const listed = new Set(state === "reachable" ? diagnosis.probes[by ?? 0]!.tools : tools.map(({ name }) => name));
  return {
    diagnosis: state === "needs-auth" ? { ...diagnosis, next: loginWords(host, sends) } : diagnosis,
    gone: tools.map(({ name }) => name as string).filter((name) => !listed.has(name)),
    mayHaveLogin: state === "needs-auth" && !sends && !host.takesAsWritten,
  };
}

function loginWords({ title, takesAsWritten }: Host, sends: boolean): string {
  if (sends) return "renew what its `Authorization` holds";
  return takesAsWritten
    ? "give its token in a header: apps don't use your login"
    : `log in with ${title} itself, unless you have: that can't be seen from here`;
}

function hasCredentials(way: Transport): boolean {
  return way.kind !== "stdio" && way.headers.some(({ name }) => name.toLowerCase() === "authorization");
}
