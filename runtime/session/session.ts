import type { OfferedTool, ServerHealth, SessionMembers, ToolChoice } from "../api.ts";
import type { RolecallError } from "../errors.ts";
import { callTool } from "./call.ts";
import { hostConnections } from "./connections.ts";
import { deepFrozen } from "./deep-frozen.ts";
import { shown } from "./degradation.ts";
import { sessionHooks } from "./hooks.ts";
import { refusal } from "./refusal.ts";
import { closeOwnLinks, hostWaitOf, knownServer, loadServer, waitOf } from "./servers.ts";
import { offeredResources, readResource } from "./resources.ts";
import { requireServer } from "./start.ts";
import { startTrail } from "./trail.ts";
import type { LinkUse, LiveOptions, RoleServer, ServerUse, SessionState } from "./types.ts";

/** A role at work, as an object: its servers are properties, and each of their tools is a function. */
export function sessionObject(session: SessionState, eager: boolean): object {
  const own: object = Object.create(null);
  const define = (key: PropertyKey, value: unknown): unknown => Object.defineProperty(own, key, { value });
  for (const [server, role] of session.role.servers) {
    let made: object | undefined;
    const get = (): object => (made ??= toolFunctions(session, server, role));
    Object.defineProperty(own, server, { get, enumerable: true });
  }
  for (const [name, member] of Object.entries(membersOf(session))) define(name, member);
  // Looked for where somebody asks.
  Object.defineProperty(own, "$root", { get: () => session.team.root });
  define(asyncDispose(), () => closeSession(session));
  // Whoever must know awaits `$ready()`: here nobody waits.
  if (eager) ready(session).catch(() => {});
  return Object.freeze(own);
}

/** Where the language lacks it an app may have brought its own, at any time before this. */
export function asyncDispose(): symbol {
  return (Symbol as { readonly asyncDispose?: symbol }).asyncDispose ?? Symbol.for("Symbol.asyncDispose");
}

function toolFunctions(session: SessionState, server: string, { tools }: RoleServer): object {
  const own: object = Object.create(null);
  for (const tool of tools.keys()) {
    const value = (args?: unknown, options?: LiveOptions) => callTool(session, server, tool, args, options);
    Object.defineProperty(own, tool, { value, enumerable: true });
  }
  return Object.freeze(own);
}

type Members = Omit<SessionMembers<object>, typeof Symbol.asyncDispose | "$root">;

function membersOf(session: SessionState): Members {
  return {
    $role: session.role.name,
    $call: (server: unknown, tool: unknown, args?: unknown, options?: LiveOptions) =>
      callTool(session, nameIn(server), nameIn(tool), args, options) as never,
    $tools: (subset) => offeredTools(session, subset),
    $read: (server: unknown, uri: unknown, options?: LiveOptions) =>
      readResource(session, nameIn(server), nameIn(uri), options),
    $resources: (server?: unknown, options?: LiveOptions) =>
      offeredResources(session, server === undefined ? undefined : nameIn(server), options),
    $ready: () => ready(session),
    $health: () => health(session),
    $hooks: sessionHooks(session),
    $connections: (options) => hostConnections(session, options),
    $require: async (server) => {
      if (!session.role.servers.has(server)) throw notHeldError(session, server);
      await requireServer(session, server);
    },
    $close: () => closeSession(session),
  };
}

/** What a model gave as a name may be anything. What isn't text names nothing, and is never made into text that does. */
function nameIn(given: unknown): string {
  return typeof given === "string" ? given : `(${typeof given})`;
}

async function offeredTools(session: SessionState, subset?: readonly ToolChoice[]): Promise<readonly OfferedTool[]> {
  const chosen = subset ?? allHeld(session);
  const offered: OfferedTool[] = [];
  for (const { server, tool } of chosen) {
    const role = session.role.servers.get(server);
    const held = role?.tools.get(tool);
    if (held === undefined) throw notHeldError(session, server, tool);
    const data = (await loadServer(session.team, server, role!.load)).tools.get(tool);
    if (data === undefined) continue;
    const { title, description, inputSchema } = data;
    // The very schema that calls are judged by: of all sessions of the team.
    offered.push({
      server,
      name: tool,
      title,
      description,
      inputSchema: deepFrozen(inputSchema),
      effect: held.effect,
    });
  }
  return offered;
}

function notHeldError(session: SessionState, server: string, tool?: string): RolecallError {
  const what = tool === undefined ? `anything of server \`${shown(server)}\`` : `\`${shown(server)}.${shown(tool)}\``;
  const words = `role \`${session.role.name}\` doesn't hold ${what}`;
  return refusal(session, startTrail(session, server, tool ?? ""), "tool-denied", words);
}

function allHeld(session: SessionState): ToolChoice[] {
  return [...session.role.servers].flatMap(([server, { tools }]) =>
    [...tools.keys()].map((tool) => ({ server, tool })),
  );
}

/** All of them at once: one that is slow or down holds up no other. */
async function ready(session: SessionState): Promise<Readonly<Record<string, "up" | "skipped">>> {
  const servers = [...session.role.servers.keys()];
  const outcomes = await Promise.all(servers.map((server) => tryServer(session, server)));
  return dictionary(servers.map((server, i) => [server, outcomes[i]!]));
}

async function tryServer(session: SessionState, server: string): Promise<"up" | "skipped"> {
  try {
    await requireServer(session, server);
    return "up";
  } catch (error) {
    const used = session.used.get(server);
    if (used === undefined || used.use.data.mustConnect) throw error;
    session.team.emit({ type: "skipped", server, why: error instanceof Error ? error.message : String(error) });
    return "skipped";
  }
}

function health(session: SessionState): Readonly<Record<string, ServerHealth>> {
  return dictionary([...session.role.servers.keys()].map((server) => [server, healthOf(session, server)]));
}

function healthOf(session: SessionState, server: string): ServerHealth {
  const { use, link } = knownServer(session, server);
  return {
    state: stateOf(use, link),
    transport: link?.link.info?.transport,
    since: use?.hostDown?.since ?? link?.since ?? session.team.startedAt,
    lastFailure: use?.lastFailure?.said,
    retryInMs: use === undefined ? 0 : Math.max(waitOf(use, link), hostWaitOf(session.team, use) ?? 0),
  };
}

/** While the breaker keeps everybody away it is down, whatever its connection is. */
function stateOf(use: ServerUse | undefined, link: LinkUse | undefined): ServerHealth["state"] {
  const state = link?.link.state ?? "idle";
  if (use?.hostDown !== undefined) return "down";
  if (use?.breaker.isOpen !== true) return state;
  return use.breaker.closedFor() === undefined && state === "up" ? "up" : "down";
}

async function closeSession(session: SessionState): Promise<void> {
  session.closing.abort();
  await closeOwnLinks(session);
}

/** Names are keys, whatever they are called. */
function dictionary<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const made: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}
