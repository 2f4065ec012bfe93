import path from "node:path";
import { hostMeant } from "../base/host-data.ts";
import { fitEveryHost } from "../4-fit/fit.ts";
import { isServedRole } from "../4-fit/given.ts";
import { startOf } from "../4-fit/start.ts";
import type { IsSet, Route } from "../4-fit/needs.ts";
import type { FittedPlan } from "../4-fit/types.ts";
import { allHosts } from "../5-artifacts/hosts/all-hosts.ts";
import type { Host } from "../5-artifacts/target.ts";
import { readResources } from "../io/read/resources.ts";
import { mergedNames } from "../io/read/merged-names.ts";
import { isTrouble } from "../io/login/types.ts";
import { readVariables } from "../io/serve/variables.ts";
import { isOnPath, isProgram } from "../io/start/find-program.ts";
import {
  hostDiagnosis,
  isMissing,
  startNeeds,
  type HostDiagnosis,
  type RoleOnHost,
  type StartNeeds,
} from "../live-server/host-diagnosis.ts";
import type { Diagnosis } from "../live-server/diagnosis.ts";
import { ownValue, valueOf } from "../live-server/variable-values.ts";
import { probeServers } from "./ask-servers.ts";
import type { Context, Outcome } from "./command.ts";
import type { NotFound } from "./find-tool.ts";
import { comparedProject } from "./whole-project.ts";
import { nameThem, notFound, notThere } from "./words.ts";

/** What `doctor --host` and `start` share: a role on a host, and what it would find there. */

/** Every host as the project would have it, and what an earlier build wrote. */
export interface HostsOfProject {
  readonly hosts: readonly FittedPlan<Host>[];
  readonly outcome: Outcome;
}

export async function hostsOfProject(context: Context): Promise<HostsOfProject | undefined> {
  const project = await comparedProject(context);
  return project && { hosts: fitEveryHost(project.plan, allHosts(readResources().hosts)), outcome: project.outcome };
}

export function roleOnHost(
  hosts: readonly FittedPlan<Host>[],
  options: { readonly host: string; readonly role: string },
  command: "doctor" | "start",
): RoleOnHost | NotFound {
  const fitted = hosts.find(({ host }) => host.id === options.host);
  if (fitted === undefined) return { problem: noHost(options.host), next: "`rolecall hosts` shows them all" };
  const { plan, choice, host } = fitted;
  const chosen = hosts.filter((one) => plan.project.hosts.some(({ id }) => id === one.host.id));
  if (!chosen.includes(fitted))
    return {
      problem: `this project doesn't write for ${host.title}`,
      next: `add \`${host.id}\` to \`hosts\` in rolecall.yaml, and build`,
    };
  const names: string[] = plan.roles.map(({ name }) => name);
  const role = fitted.roles.find(({ name }) => name === options.role);
  if (role !== undefined) return { fitted, role, hosts: chosen };
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
  chosen: RoleOnHost,
  outcome: Outcome,
  timeoutMs: number | undefined,
): Promise<HostDiagnosis> {
  const { dir, terminal } = context;
  const { env, cwd } = terminal;
  const { fitted } = chosen;
  const { host } = fitted;
  const served = servedEnv(context, fitted);
  const isSet: IsSet = (name, { server, by }) =>
    valueOf(name, by === "host" ? [] : server.variables, by === "gateway" ? served : env) !== undefined;
  const needs = startNeeds(chosen, isSet);
  return hostDiagnosis(needs, {
    compared: outcome,
    names: mergedNames(dir, host.merges ?? [], env).found,
    programFound: host.program === undefined ? undefined : isOnPath(host.program, env, cwd),
    gatewayFound: startsGateway(needs) ? isFoundFrom(dir, fitted.plan.project.serve.command[0]!, env) : undefined,
    diagnoses: needs.variables.some(isMissing) ? undefined : await reach(context, needs, timeoutMs, served),
  });
}

function startsGateway({ role, fitted }: StartNeeds): boolean {
  const isTold = startOf(fitted, role.name).entry === undefined;
  return isTold && isServedRole(role);
}

/** As a host finds it that starts processes in the project's folder. */
function isFoundFrom(dir: string, program: string, env: Context["terminal"]["env"]): boolean {
  return program.includes("/") ? isProgram(path.resolve(dir, program)) : isOnPath(program, env, dir);
}

/** What the process that serves would find, were it started from here. A file that can't be read is its own to tell. */
function servedEnv({ dir, terminal: { env } }: Context, { plan }: FittedPlan): Context["terminal"]["env"] {
  try {
    return readVariables(dir, { ...plan.project.serve.env, isWritten: false }, env).env;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return env;
  }
}

/** Without a login of rolecall's own: hosts have theirs. In the order of the routes. */
async function reach(
  context: Context,
  { routes }: StartNeeds,
  timeoutMs: number | undefined,
  served: Context["terminal"]["env"],
): Promise<Diagnosis[]> {
  const { terminal } = context;
  const own = (name: string) => ownValue(name, terminal.env);
  const ask = (by: Route["by"]) =>
    probeServers(
      by === "gateway" ? { ...context, terminal: { ...terminal, env: served } } : context,
      routes.filter((route) => route.by === by),
      timeoutMs,
      // A host has the variable's own name in its file, and looks under no other.
      ({ dir, env, timeoutMs: patience }) => ({ dir, timeoutMs: patience, env: by === "host" ? own : env }),
    );
  const found = new Map<Route["by"], Diagnosis[]>();
  for (const by of new Set(routes.map((route) => route.by))) found.set(by, await ask(by));
  return routes.map(({ by }) => found.get(by)!.shift()!);
}

/** Wherever a command takes a host. */
export function noHost(written: string): string {
  return notThere("host", written, hostMeant(written, allHosts([])));
}
