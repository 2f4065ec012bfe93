import { reachable } from "../4-fit/delegation.ts";
import {
  routesOf,
  variablesFor,
  wrongAssumptions,
  type IsSet,
  type NeededVariable,
  type Route,
  type WrongAssumption,
} from "../4-fit/needs.ts";
import type { FittedPlan, FittedRole, HostFacts } from "../4-fit/types.ts";
import type { Undone } from "../4-fit/merged-place.ts";
import type { Transport } from "../3-plan/types.ts";
import type { Host } from "../5-artifacts/target.ts";
import { sorted } from "../base/order.ts";
import { isServedRole } from "../4-fit/given.ts";
import { startOf } from "../4-fit/start.ts";
import { openBeside, ourNames, overrulings, type FoundName } from "../4-fit/merged.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** What a role would find if it were started on a host now. */
export interface HostDiagnosis {
  readonly fitted: FittedPlan;
  readonly role: FittedRole;
  readonly variables: readonly NeededVariable[];
  readonly assumptions: readonly WrongAssumption[];
  readonly files: readonly FileFinding[];
  /** Servers of the user's own that the host gives every role, by the file that has them; the role's own and a build's aren't among them. */
  readonly beside: readonly ServersBeside[];
  /** Undefined: the host has no command of its own. */
  readonly program: { readonly name: string; readonly found: boolean } | undefined;
  /** How the host's file starts rolecall itself. Undefined: it doesn't, or by a whole path that the start puts there. */
  readonly gateway: { readonly name: string; readonly found: boolean } | undefined;
  /** Undefined: not asked, since nothing is started while a variable is missing. */
  readonly servers: readonly ServerFinding[] | undefined;
}

export interface ServersBeside {
  readonly file: string;
  readonly servers: readonly string[];
}

export interface FileFinding {
  readonly path: string;
  /**
   * `blocked`: rolecall didn't write it or can't read it, so a build would stop there. `overrules`: it is somebody's
   * own, and what stands there under `key`, a name of ours, is joined with ours. `moves`: so is a variable that decides
   * what is started, and where it keeps things. `undoes`: so is a setting that undoes what ours say. Each of them without
   * a key: it can't be read for sure. `stale`: no build makes it any more.
   */
  readonly state: "up-to-date" | "missing" | "differs" | "stale" | "blocked" | "overrules" | "moves" | "undoes";
  readonly undoes?: Undone | undefined;
  readonly key?: string | undefined;
}

export interface ServerFinding {
  readonly diagnosis: Diagnosis;
  /** Tools that are given there, and that the server doesn't have any more. */
  readonly gone: readonly string[];
  /** It asks for a login, and the host may have one of its own, which can't be seen from here. */
  readonly mayHaveLogin: boolean;
}

export function isMissing({ isSet }: NeededVariable): boolean {
  return !isSet;
}

/** What was written as if a variable were set, when it isn't. One that is missing by itself is told as that. */
export function isBroken({ name, assumed }: WrongAssumption, variables: readonly NeededVariable[]): boolean {
  return assumed === "set" && !variables.some((variable) => variable.name === name && isMissing(variable));
}

export function isWell({ diagnosis, gone, mayHaveLogin }: ServerFinding): boolean {
  return gone.length === 0 && (diagnosis.state === "reachable" || mayHaveLogin);
}

export function lacksProgram({ program, fitted }: HostDiagnosis): boolean {
  return program !== undefined && !program.found && !fitted.host.isEditor;
}

export function isReady(found: HostDiagnosis): boolean {
  return (
    !found.variables.some(isMissing) &&
    !found.assumptions.some((one) => isBroken(one, found.variables)) &&
    found.files.every(({ state }) => state === "up-to-date") &&
    !lacksProgram(found) &&
    found.gateway?.found !== false &&
    found.servers !== undefined &&
    found.servers.every(isWell)
  );
}

export interface RoleOnHost {
  readonly fitted: FittedPlan<Host>;
  readonly role: FittedRole;
  /** All that the project writes for. */
  readonly hosts: readonly FittedPlan<Host>[];
}

/** What is known of a role on a host before any server is asked. */
export interface StartNeeds extends RoleOnHost {
  /** What the host is written when there is nobody but the role and those that its work can get to. */
  readonly files: readonly string[];
  /** What is started reads the whole output, and refuses where it isn't what the sources say. */
  readonly readsOutput: boolean;
  readonly routes: readonly Route[];
  readonly variables: readonly NeededVariable[];
  readonly assumptions: readonly WrongAssumption[];
}

export function startNeeds({ fitted, role, hosts }: RoleOnHost, isSet: IsSet): StartNeeds {
  const routes = routesOf(role, fitted);
  const variables = variablesFor(routes, isSet);
  const session = reachable(role, fitted);
  const readsOutput = session.some(isServedRole) || startOf(fitted, role.name).code !== undefined;
  const written = fitted.host.emit({ ...fitted, roles: session });
  const files = sorted(new Set(Array.from(written, ({ path }) => path)));
  const assumptions = wrongAssumptions(role, fitted, isSet);
  return { fitted, role, hosts, files, readsOutput, routes, variables, assumptions };
}

/** What was found on this machine. */
export interface MachineFacts {
  /** How the files of the project compare with what lies there. */
  readonly compared: Compared;
  /** What stands where the host finds names beside ours. */
  readonly names: readonly FoundName[];
  /** Undefined: the host has no command of its own. */
  readonly programFound: boolean | undefined;
  /** Undefined: the host's file starts no rolecall. */
  readonly gatewayFound: boolean | undefined;
  /** As long as `routes`, in its order; undefined: nothing was asked. */
  readonly diagnoses: readonly Diagnosis[] | undefined;
}

/** Paths of a build's output; every list is sorted. */
export interface Compared {
  readonly missing: readonly string[];
  readonly differs: readonly string[];
  readonly stale: readonly string[];
  readonly blocked?: readonly string[];
}

export function hostDiagnosis(needs: StartNeeds, found: MachineFacts): HostDiagnosis {
  const { fitted, role, routes, variables, assumptions } = needs;
  const { host } = fitted;
  const { diagnoses, programFound } = found;
  // Hosts read each other's files.
  const made = needs.hosts.flatMap((one) => Array.from(one.host.emit(one)));
  const ours = ourNames(reachable(role, fitted), made);
  return {
    fitted,
    role,
    variables,
    assumptions,
    files: [
      ...filesOf(needs, found.compared).map((path) => ({ path, state: stateOf(path, found.compared) })),
      ...overrulings(found.names, ours, host).map(({ file, key, of, undoes }) => ({
        path: file,
        state: STATES[of],
        key,
        ...(undoes && { undoes }),
      })),
    ],
    beside: openBeside(found.names, new Set(ours.servers), ours),
    program:
      host.program === undefined || programFound === undefined
        ? undefined
        : { name: host.program, found: programFound },
    gateway:
      found.gatewayFound === undefined
        ? undefined
        : { name: fitted.plan.project.serve.command[0]!, found: found.gatewayFound },
    servers: diagnoses?.map((diagnosis, i) => serverFinding(diagnosis, routes[i]!, host)),
  };
}

const STATES = {
  servers: "overrules",
  agents: "overrules",
  variables: "moves",
  "own variables": "moves",
  settings: "undoes",
} as const;

function filesOf({ files, readsOutput }: StartNeeds, { missing, differs, stale }: Compared): readonly string[] {
  if (!readsOutput) return files;
  return [...files, ...sorted([...missing, ...differs, ...stale].filter((path) => !files.includes(path)))];
}

function stateOf(path: string, { missing, differs, stale, blocked = [] }: Compared): FileFinding["state"] {
  if (missing.includes(path)) return "missing";
  if (stale.includes(path)) return "stale";
  if (blocked.includes(path)) return "blocked";
  return differs.includes(path) ? "differs" : "up-to-date";
}

/** A login of rolecall's own is no login of a host's: none was used. */
function serverFinding(diagnosis: Diagnosis, { ways, tools, by: whose }: Route, host: HostFacts): ServerFinding {
  const { state, by } = diagnosis;
  const way = ways[by ?? 0];
  const sends = way !== undefined && sendsAuthorization(way);
  const listed = new Set(state === "reachable" ? diagnosis.probes[by ?? 0]!.tools : tools.map(({ name }) => name));
  return {
    diagnosis: state === "needs-auth" ? { ...diagnosis, next: loginWords(host, whose, sends) } : diagnosis,
    gone: tools.map(({ name }) => name as string).filter((name) => !listed.has(name)),
    mayHaveLogin: state === "needs-auth" && !sends && whose === "host",
  };
}

function loginWords({ title }: HostFacts, by: Route["by"], sends: boolean): string {
  if (sends) return "renew what its `Authorization` holds";
  if (by === "gateway") return "give its token in a header: `rolecall serve` doesn't use your login";
  return by === "runtime"
    ? "give its token in a header: apps don't use your login"
    : `log in with ${title} itself, unless you have: that can't be seen from here`;
}

function sendsAuthorization(way: Transport): boolean {
  return way.kind !== "stdio" && way.headers.some(({ name }) => name.toLowerCase() === "authorization");
}
