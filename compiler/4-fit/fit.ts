import { sortedBy } from "../base/order.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import { held, holdsAny } from "../3-plan/held.ts";
import type { Grant, HostChoice, Plan, PlannedRole, Server, Tool } from "../3-plan/types.ts";
import { omittedFrom } from "./assumed.ts";
import { withoutClashes } from "./clashes.ts";
import { keptBy, type Kept } from "./kept-names.ts";
import { mendedEntry, mendingFor } from "./mending.ts";
import { openTools } from "./own-tools.ts";
import type {
  Because,
  FittedPlan,
  FittedRole,
  FittedServer,
  FittedTool,
  HostFacts,
  LeftOut,
  Mending,
} from "./types.ts";

/** What each chosen host gets. A host that nobody brought is no business of this project's. */
export function fitHosts<H extends HostFacts>(plan: Plan, hosts: readonly H[]): FittedPlan<H>[] {
  return plan.project.hosts.flatMap((choice) => {
    const host = hosts.find(({ id }) => id === choice.id);
    return host === undefined ? [] : [fit(plan, host, choice)];
  });
}

/** Every host as this project would have it, whether it is chosen or not: chosen ones first. */
export function fitEveryHost<H extends HostFacts>(plan: Plan, hosts: readonly H[]): FittedPlan<H>[] {
  const chosen = fitHosts(plan, hosts);
  const others = hosts.filter(({ id }) => !chosen.some(({ host }) => host.id === id));
  return [...chosen, ...others.map((host) => fit(plan, host, asIfChosen(host)))];
}

function asIfChosen({ id }: HostFacts): HostChoice {
  return {
    id,
    place: { file: PROJECT_FILE, path: ["hosts"] },
    whenUnenforceable: "leave-out",
    isChosen: false,
    assumed: new Map(),
    without: [],
    role: undefined,
    into: undefined,
  };
}

function fit<H extends HostFacts>(plan: Plan, host: H, choice: HostChoice): FittedPlan<H> {
  const kept = keptBy(host);
  const roles = plan.roles
    .filter(({ name }) => choice.role === undefined || name === choice.role)
    .map((role) => fitRole(role, host, choice, kept));
  const mendings = roles.flatMap(({ leftOut }) => leftOut.flatMap(({ mending }) => mending ?? []));
  return {
    host,
    choice,
    plan,
    mended: mendings.length === 0 ? undefined : mendedEntry(choice, mendings),
    openTools: openTools(host.ownTools, roles),
    roles: withoutClashes(roles, host).map((role) => withDelegates(role, roles, host, choice)),
  };
}

/**
 * A role that isn't among the host's files could be anybody's there, with whatever tools. And where all roles are in one
 * file, a person who names an agent in a session opens every other one to it.
 */
function withDelegates(
  role: FittedRole,
  roles: readonly FittedRole[],
  { handsOver, takesAsWritten }: HostFacts,
  { role: only, into }: HostChoice,
): FittedRole {
  const isShared =
    into !== undefined && roles.some(({ name }) => name !== role.name && !role.role.reaches.includes(name));
  const there = role.delegates.filter((name) => roles.some((other) => other.name === name));
  const delegates = isShared ? [] : there;
  const closed = handsOver ? role.delegates.filter((name) => !delegates.includes(name)) : role.delegates;
  const why = !handsOver
    ? "an agent can't be held to another role there"
    : isShared
      ? `\`${into}\` has further roles, and a person who names one agent there opens them all`
      : `its files there are for \`${only}\` alone`;
  const isAllOpen = takesAsWritten || closed.length === 0;
  return { ...role, delegates, closedDelegation: isAllOpen ? undefined : { delegates: closed, why } };
}

function fitRole(role: PlannedRole, host: HostFacts, choice: HostChoice, kept: Kept): FittedRole {
  const servers: FittedServer[] = [];
  const leftOut: LeftOut[] = [];
  for (const grant of role.grants.filter(holdsAny)) {
    const server = fitServer(grant, host, choice, kept, leftOut);
    if (server !== undefined && server.tools.length > 0) servers.push(server);
  }
  return {
    name: role.name,
    role,
    servers: sortedBy(servers, ({ server }) => server.name),
    builtins: role.builtins.find((builtins) => builtins.host === host.id)?.names,
    delegates: role.delegates,
    closedDelegation: undefined,
    leftOut,
  };
}

/** Undefined: the host gets nothing of this server. */
function fitServer(
  grant: Grant,
  host: HostFacts,
  choice: HostChoice,
  kept: Kept,
  leftOut: LeftOut[],
): FittedServer | undefined {
  const { server } = grant;
  const refusal = serverRefusal(grant, host, choice, kept);
  const transport = server.connect.find((one) => host.cannotReach(one, choice) === undefined);
  if (refusal !== undefined || transport === undefined) {
    const reason = refusal ?? unreachable(server, host, choice);
    leftOut.push({ server, tools: held(grant).map(([tool]) => tool), wholeServer: true, ...reason });
    return undefined;
  }
  const tools: FittedTool[] = [];
  const away = new Map<string, { readonly reason: Reason; readonly tools: Tool[] }>();
  for (const [tool, decision] of held(grant)) {
    const joined = host.joinedName(server.name, tool.name);
    const reason =
      toolRefusal(decision.effect === "ask", decision.where.length > 0, host) ?? nameRefusal(tool, joined, host, kept);
    if (reason === undefined)
      tools.push({ tool, effect: decision.effect === "ask" ? "ask" : "allow", joined, decision });
    else if (away.has(reason.why)) away.get(reason.why)!.tools.push(tool);
    else away.set(reason.why, { reason, tools: [tool] });
  }
  const [first] = away.values();
  if (first !== undefined && host.abilities.hide.holds === "none") {
    const why = `a tool can't be hidden there, and of \`${first.tools[0]!.name}\` ${first.reason.why}`;
    leftOut.push({ server, tools: held(grant).map(([tool]) => tool), wholeServer: true, because: "hide", why });
    return undefined;
  }
  for (const { reason, tools } of away.values()) leftOut.push({ server, tools, wholeServer: false, ...reason });
  return { server, transport, tools, omitted: host.takesAsWritten ? [] : omittedFrom(transport, choice) };
}

/** The first way is the preferred one: why that can't be said is what its author wants to know. */
function unreachable(server: Server, host: HostFacts, choice: HostChoice): Reason {
  const [first] = server.connect;
  const why = (first && host.cannotReach(first, choice)) ?? "isn't told any way to it";
  return { because: "references", why: `it ${why}`, mending: mendingFor(server, host, choice) };
}

interface Reason {
  readonly because: Because;
  readonly why: string;
  readonly mending?: Mending;
}

function serverRefusal(
  grant: Grant,
  { abilities }: HostFacts,
  { without }: HostChoice,
  kept: Kept,
): Reason | undefined {
  if (without.includes(grant.server.name)) return { because: "chosen", why: "the project keeps it away from there" };
  const why = kept.server(grant.server);
  if (why !== undefined) return { because: "name", why };
  if (abilities.hide.holds === "none" && !givesAll(grant))
    return { because: "hide", why: "a tool can't be hidden there, and the role doesn't hold all of this server's" };
  if (abilities.resources.holds === "none" && mayHaveResources(grant.server))
    return { because: "resources", why: "a server's resources can't be closed there, and this one may have some" };
  return undefined;
}

function givesAll({ server, decisions }: Grant): boolean {
  return server.manifest !== undefined && decisions.every(({ effect }) => effect !== "deny");
}

/** Without a manifest nobody knows. */
function mayHaveResources({ manifest }: Server): boolean {
  return manifest === undefined || manifest.capabilities["resources"] !== undefined;
}

function toolRefusal(asked: boolean, conditioned: boolean, { abilities }: HostFacts): Reason | undefined {
  if (asked && abilities.ask.holds === "none") return { because: "ask", why: "a call can't be asked there" };
  if (conditioned && abilities.conditions.holds === "none")
    return { because: "conditions", why: "a `where` can't be judged there" };
  return undefined;
}

function nameRefusal({ server, name }: Tool, joined: string, { abilities }: HostFacts, kept: Kept): Reason | undefined {
  const why = kept.tool(server, name, joined);
  if (why !== undefined) return { because: "name", why };
  if (abilities.longestName !== undefined && joined.length > abilities.longestName)
    return { because: "name", why: `names of more than ${abilities.longestName} characters are cut there` };
  return undefined;
}
