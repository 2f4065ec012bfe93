import { byName, sorted, sortedBy } from "../base/order.ts";
import type { HostChoice, Server, Template, TemplatePart, Tool, Transport } from "../3-plan/types.ts";
import { asAssumed } from "./assumed.ts";
import { isGateway } from "./given.ts";
import { reachable } from "./delegation.ts";
import type { FittedPlan, FittedRole, FittedServer, FittedTool } from "./types.ts";

/** What has to be there when a role is started on a host: the servers that it reaches, and the variables of these. */
export interface Route {
  readonly server: Server;
  /** The one that the host is told, with every `:+` decided; all of them, in order, where the runtime chooses. */
  readonly ways: readonly Transport[];
  /** What paths in conditions are relative to, where the runtime will have to know. */
  readonly root: Template | undefined;
  /** The tools that the role, and whoever works in its session, is given there; sorted by name. */
  readonly tools: readonly Tool[];
  /** Who connects: the host, which is told of it; the runtime, in the user's program; the process of `rolecall serve`. */
  readonly by: "host" | "runtime" | "gateway";
}

export interface NeededVariable {
  readonly name: string;
  readonly isSet: boolean;
  /** Names of the servers whose connection needs it, sorted. */
  readonly servers: readonly string[];
  readonly purpose: string | undefined;
  readonly url: string | undefined;
  /** Other names that the server's preset accepts: the runtime looks under them, a host under none. */
  readonly acceptedNames: readonly string[];
}

/** `${NAME:+text}` or `${NAME:-text}` was written as if NAME were set, or weren't, and here it is the other way round. */
export interface WrongAssumption {
  readonly name: string;
  readonly assumed: "set" | "unset";
  readonly servers: readonly string[];
}

/** Whether a variable is there for whoever connects to a server; one that is empty isn't. */
export type IsSet = (name: string, route: Pick<Route, "server" | "by">) => boolean;

/** The role, and the roles whose work is done in its session there. */
export function inSession(role: FittedRole, fitted: FittedPlan): readonly FittedRole[] {
  return fitted.host.handsOver ? reachable(role, fitted) : [role];
}

export function routesOf(role: FittedRole, fitted: FittedPlan): Route[] {
  const { host, choice } = fitted;
  const routes = new Map<string, Route>();
  for (const { transport, ...one } of inSession(role, fitted).flatMap(({ servers }) => servers)) {
    for (const [server, given] of byServer(one)) {
      const isBehind = server !== one.server;
      const by = isBehind ? "gateway" : host.takesAsWritten ? "runtime" : "host";
      const key = JSON.stringify([server.name, isBehind]);
      const before = routes.get(key);
      const known = new Set([...(before?.tools ?? []), ...given.map(({ tool, behind }) => behind?.tool ?? tool)]);
      const ways = by === "host" ? [asAssumed(transport, choice)] : server.connect;
      const judged = by !== "host" && given.some(({ decision }) => decision.where.length > 0);
      const root = before?.root ?? (judged ? server.root : undefined);
      routes.set(key, { server, ways, root, by, tools: sortedBy(known, ({ name }) => name) });
    }
  }
  return sortedBy(routes.values(), ({ server }) => server.name);
}

/** The servers of the project that are behind a fitted one: itself, or those that `rolecall serve` stands for. */
function byServer({
  server: own,
  tools,
  reads = [],
}: Pick<FittedServer, "server" | "tools" | "reads">): ReadonlyMap<Server, readonly FittedTool[]> {
  const found = new Map<Server, FittedTool[]>(reads.map((server) => [server, []]));
  for (const one of tools) {
    const server = one.behind?.server ?? own;
    found.set(server, [...(found.get(server) ?? []), one]);
  }
  return found;
}

/** Of the first way alone: another is tried only where nobody answers, and says then what it lacks. Sorted by name. */
export function variablesFor(routes: readonly Route[], isSet: IsSet): NeededVariable[] {
  const found = new Map<string, NeededVariable>();
  for (const route of routes) {
    const { server, ways, root } = route;
    const templates = [...ways.slice(0, 1).flatMap(templatesOf), ...(root ? [root] : [])];
    for (const { name, says } of templates.flatMap(({ parts }) => needed(parts, (one) => isSet(one, route)))) {
      const before = found.get(name);
      const about = server.variables.find((variable) => variable.name === name);
      found.set(name, {
        name,
        isSet: (before?.isSet ?? true) && isSet(name, route),
        servers: sorted(new Set([...(before?.servers ?? []), server.name])),
        purpose: before?.purpose ?? about?.purpose ?? says,
        url: before?.url ?? about?.url,
        acceptedNames: before?.acceptedNames ?? about?.acceptedNames ?? [],
      });
    }
  }
  return [...found.values()].sort((a, b) => byName(a.name, b.name));
}

/** None where the runtime asks for itself. Sorted by name. */
export function wrongAssumptions(role: FittedRole, fitted: FittedPlan, isSet: IsSet): WrongAssumption[] {
  if (fitted.host.takesAsWritten) return [];
  const { assumed } = fitted.choice;
  const found = new Map<string, Set<string>>();
  const told = inSession(role, fitted).flatMap(({ servers }) => servers);
  for (const { server, transport } of told.filter((one) => !isGateway(one))) {
    for (const { name, form } of templatesOf(transport).flatMap(({ parts }) => decidedIn(parts, assumed))) {
      const isDecided = form === "if-set" || assumed.has(name);
      if (!isDecided || isSet(name, { server, by: "host" }) === (assumed.get(name) === "set")) continue;
      found.set(name, (found.get(name) ?? new Set()).add(server.name));
    }
  }
  return sortedBy(found, ([name]) => name).map(([name, servers]) => ({
    name,
    assumed: assumed.get(name) ?? "unset",
    servers: sorted(servers),
  }));
}

type Reference = Exclude<TemplatePart, string>;

interface Needed {
  readonly name: string;
  /** What its author wrote for the case that it isn't set. */
  readonly says: string | undefined;
}

function needed(parts: readonly TemplatePart[], isSet: (name: string) => boolean): Needed[] {
  return parts.flatMap((part) => {
    if (typeof part === "string") return [];
    if (part.form === "if-set") return isSet(part.name) ? needed(part.word, isSet) : [];
    if (part.form === "default") return isSet(part.name) ? [] : needed(part.word, isSet);
    return [{ name: part.name, says: part.form === "required" ? plainText(part.word) : undefined }];
  });
}

/** References that may be decided, by `assume` or without: what stands in one that is decided against doesn't count. */
function decidedIn(parts: readonly TemplatePart[], assumed: HostChoice["assumed"]): Reference[] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || part.form === "plain" || part.form === "required") return [];
    const isSet = assumed.get(part.name) === "set";
    const counts = part.form === "if-set" ? isSet : !isSet;
    return [part, ...(counts ? decidedIn(part.word, assumed) : [])];
  });
}

function plainText(parts: readonly TemplatePart[]): string | undefined {
  const text = parts.filter((part) => typeof part === "string").join("");
  return text === "" ? undefined : text;
}

function templatesOf(transport: Transport): Template[] {
  if (transport.kind !== "stdio") return [transport.url, ...transport.headers.map(({ value }) => value)];
  const { command, env, cwd } = transport;
  return [...command, ...env.map(({ value }) => value), ...(cwd ? [cwd] : [])];
}
