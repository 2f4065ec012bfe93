import { sorted, sortedBy } from "../base/order.ts";
import { keyOf, within } from "../base/place.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import { held, holdsTools } from "../3-plan/held.ts";
import type { Decision, Grant, HostChoice, Plan, PlannedRole, Reason, Server, Tool } from "../3-plan/types.ts";
import { omittedFrom } from "./assumed.ts";
import { withoutClashes } from "./clashes.ts";
import { keptBy, nameRefusal, type Kept } from "./kept-names.ts";
import { mendedEntry, mendingFor } from "./mending.ts";
import { openTools } from "./own-tools.ts";
import { isServed, throughGateway } from "./through-gateway.ts";
import type { FittedPlan, FittedRole, FittedServer, FittedTool, HostFacts, LeftOut } from "./types.ts";

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

/** The other hosts, with nothing for anybody. */
export function unchosenHosts<H extends HostFacts>(plan: Plan, hosts: readonly H[]): FittedPlan<H>[] {
  const others = hosts.filter(({ id }) => !plan.project.hosts.some((choice) => choice.id === id));
  const nothing = { plan, mended: undefined, openTools: undefined, openToOthers: [], roles: [] };
  return others.map((host) => ({ ...nothing, host, choice: asIfChosen(host) }));
}

function asIfChosen({ id, gateway }: HostFacts): HostChoice {
  return {
    id,
    place: { file: PROJECT_FILE, path: ["hosts"] },
    via: gateway === "must" ? "serve" : "files",
    whenUnenforceable: "leave-out",
    isChosen: false,
    assumed: new Map(),
    without: [],
    role: undefined,
    into: undefined,
    stored: { project: undefined, product: undefined, transports: undefined },
    door: {
      issuer: undefined,
      audience: undefined,
      jwks: undefined,
      claim: undefined,
      url: undefined,
      gateway: undefined,
    },
  };
}

function fit<H extends HostFacts>(plan: Plan, host: H, choice: HostChoice): FittedPlan<H> {
  const asked = askedOf(host, choice);
  const roles = plan.roles
    .filter(({ name }) => choice.role === undefined || name === choice.role)
    .map((role) => fitRole(role, host, choice, asked));
  const isOpen = host.abilities.hide.leavesOpen === "others";
  const settled = throughGateway(withoutClashes(roles, host), plan, { host, choice, kept: asked.kept });
  const mendings = settled.flatMap(({ leftOut }) => leftOut.flatMap(({ mending }) => mending ?? []));
  const given = settled.flatMap(({ servers }) => servers.map(({ server }) => server.name));
  return {
    host,
    choice,
    plan,
    openToOthers: isOpen ? sorted(new Set(given)) : [],
    mended: mendings.length === 0 ? undefined : mendedEntry(choice, mendings),
    openTools: openTools(host.ownTools, roles),
    roles: settled.map((role) => withDelegates(role, roles, host, choice)),
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
  { role: only, into, place }: HostChoice,
): FittedRole {
  const isShared =
    into !== undefined && roles.some(({ name }) => name !== role.name && !role.role.reaches.includes(name));
  const there = role.delegates.filter((name) => roles.some((other) => other.name === name));
  const delegates = isShared ? [] : there;
  const closed = handsOver ? role.delegates.filter((name) => !delegates.includes(name)) : role.delegates;
  const [why, cause] = !handsOver
    ? ["an agent can't be held to another role there", within(role.role.place, "delegates")]
    : isShared
      ? [`\`${into}\` has further roles, and a person who names one agent there opens them all`, within(place, "into")]
      : [`its files there are for \`${only}\` alone`, within(place, "role")];
  const isAllOpen = takesAsWritten || closed.length === 0;
  return {
    ...role,
    delegates,
    closedDelegation: isAllOpen ? undefined : { delegates: closed, why, cause: keyOf(cause) },
  };
}

function fitRole(role: PlannedRole, host: HostFacts, choice: HostChoice, asked: Asked): FittedRole {
  const servers: FittedServer[] = [];
  const leftOut: LeftOut[] = [];
  for (const grant of role.grants.filter(holdsTools)) {
    if (isServed(grant.server, { host, choice })) continue;
    const server = fitServer(grant, host, choice, asked, leftOut);
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
  asked: Asked,
  leftOut: LeftOut[],
): FittedServer | undefined {
  const { server } = grant;
  const leaveWhole = (reason: Why): undefined =>
    void leftOut.push({ server, tools: held(grant).map(([tool]) => tool), wholeServer: true, ...reason });
  const refusal = serverRefusal(grant, host, choice, asked.kept);
  if (refusal !== undefined) return leaveWhole(refusal);
  const way = asked.wayTo(server);
  if (way.away !== undefined) return leaveWhole(way.away);
  const tools: FittedTool[] = [];
  const away = new Map<string, Away>();
  for (const [tool, decision] of held(grant)) {
    const joined = host.joinedName(server.name, tool.name);
    const reason = toolRefusal(decision, host) ?? nameRefusal(tool, joined, host, asked.kept, server);
    if (reason === undefined)
      tools.push({ tool, effect: decision.effect === "ask" ? "ask" : "allow", joined, decision });
    else addAway(away, tool, reason);
  }
  const [first] = away.values();
  if (first !== undefined && host.abilities.hide.holds === "none") {
    const why = `a tool can't be hidden there, and of \`${first.tools[0]!.name}\` ${first.reason.why}`;
    return leaveWhole({ because: "hide", why, rules: [...first.rules], declared: first.reason.declared });
  }
  for (const { reason, tools: those, rules } of away.values())
    leftOut.push({ server, tools: those, wholeServer: false, ...reason, rules: [...rules] });
  return { server, ...way, tools };
}

/** Tools that stay away for one reason, and the rules that are behind it, each once. */
interface Away {
  readonly reason: Why;
  readonly tools: Tool[];
  readonly rules: Set<Reason>;
}

function addAway(away: Map<string, Away>, tool: Tool, reason: Why): void {
  const known = away.get(reason.why) ?? { reason, tools: [], rules: new Set() };
  known.tools.push(tool);
  for (const rule of reason.rules) known.rules.add(rule);
  away.set(reason.why, known);
}

/** What is asked of a host for several roles, and answered once. */
interface Asked {
  readonly kept: Kept;
  wayTo(server: Server): Way;
}

/** How a host is told of a server, or why it isn't. */
type Way = (Pick<FittedServer, "transport" | "told" | "omitted"> & { readonly away?: never }) | { readonly away: Why };

function askedOf(host: HostFacts, choice: HostChoice): Asked {
  const ways = new Map<Server, Way>();
  return {
    kept: keptBy(host),
    wayTo: (server) => {
      const known = ways.get(server) ?? findWay(server, host, choice);
      ways.set(server, known);
      return known;
    },
  };
}

/** The first way is the preferred one: why that can't be said is what its author wants to know. */
function findWay(server: Server, host: HostFacts, choice: HostChoice): Way {
  const kinds = host.transports?.(choice);
  const declared = server.connect.slice(0, 1).map(({ place }) => place);
  const ways = server.connect.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  if (kinds !== undefined && ways.length === 0 && server.connect.length > 0)
    return { away: { because: "transport", why: `it is told ${kinds.join(" and ")} alone`, rules: [], declared } };
  let problem: string | undefined;
  for (const transport of ways) {
    const told = host.tell(transport, choice);
    if (told.problem === undefined) {
      const omitted = host.takesAsWritten ? [] : omittedFrom(transport, choice);
      return { transport, told: told.value, omitted };
    }
    problem ??= told.problem;
  }
  const why = `it ${problem ?? "isn't told any way to it"}`;
  return { away: { because: "references", why, rules: [], declared, mending: mendingFor(server, host, choice) } };
}

type Why = Pick<LeftOut, "because" | "why" | "rules" | "declared" | "mending">;

function serverRefusal(grant: Grant, host: HostFacts, { without }: HostChoice, kept: Kept): Why | undefined {
  const { abilities } = host;
  if (without.includes(grant.server.name))
    return { because: "chosen", why: "the project keeps it away from there", rules: [], declared: [] };
  const why = kept.server(grant.server);
  const declared = [grant.server.place];
  if (why !== undefined) return { because: "name", why, rules: [], declared };
  if (abilities.hide.holds === "none" && !givesAll(grant))
    return {
      because: "hide",
      why: "a tool can't be hidden there, and the role doesn't hold all of this server's",
      rules: rulesAgainst(grant),
      declared: [],
    };
  const away = host.keepsAway?.(grant.server);
  if (away !== undefined) return { because: "limits", why: away, rules: [], declared };
  if (abilities.resources.holds === "none" && mayHaveResources(grant.server))
    return {
      because: "resources",
      why: "a server's resources can't be closed there, and this one may have some",
      rules: [],
      declared,
    };
  return undefined;
}

/** What takes tools of the server away, each rule once. */
function rulesAgainst({ decisions }: Grant): Reason[] {
  const denied = decisions.filter(({ effect }) => effect === "deny");
  return [...new Set(denied.flatMap(({ because }) => because.filter(({ rule }) => rule !== "include")))];
}

function givesAll({ server, decisions }: Grant): boolean {
  return server.manifest !== undefined && decisions.every(({ effect }) => effect !== "deny");
}

/** Without a manifest nobody knows. */
function mayHaveResources({ manifest }: Server): boolean {
  return manifest === undefined || manifest.capabilities["resources"] !== undefined;
}

function toolRefusal({ effect, where, because }: Decision, { abilities }: HostFacts): Why | undefined {
  const saying = (what: "ask" | "where") => because.filter(({ rule, effect: does }) => (does ?? rule) === what);
  if (effect === "ask" && abilities.ask.holds === "none")
    return { because: "ask", why: "a call can't be asked there", rules: saying("ask"), declared: [] };
  if (where.length > 0 && abilities.conditions.holds === "none")
    return { because: "conditions", why: "a `where` can't be judged there", rules: saying("where"), declared: [] };
  return undefined;
}
