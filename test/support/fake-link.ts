import type { Clock, RuntimeEvent, Session, Team, TeamOptions } from "../../runtime/api.ts";
import type { Condition, Effect, JsonValue, Role, RoleData, ToolResult } from "../../runtime/contract.ts";
import { RolecallError } from "../../runtime/errors.ts";
import type { Link, LinkCallOptions, LinkInfo, LinkResult, LinkWorld } from "../../runtime/link.ts";
import type { ServerData, ToolData } from "../../runtime/server-data.ts";
import { loadChecks } from "../../runtime/session/schemas.ts";
import { startTeam } from "../../runtime/session/team.ts";
import type { Telemetry } from "../../runtime/session/telemetry.ts";

/** A team over servers that are a few lines each: what is asked of a link is written down, and answered as the test says. */

export type Tools = { readonly [tool: string]: (args?: object, options?: object) => Promise<ToolResult<unknown>> };
export type AnyServers = Record<string, Tools>;

export interface FakeServer {
  readonly data: ServerData;
  /** Everything that was asked of its links, in order: `connect`, `changed t`, `call t`, `close`. */
  readonly log: string[];
  readonly worlds: LinkWorld[];
  /** The arguments of each call. */
  readonly sent: JsonValue[];
  readonly metas: LinkCallOptions["meta"][];
  up: boolean;
  connecting: () => Promise<void>;
  calling: (tool: string, args: JsonValue, how?: LinkCallOptions) => Promise<JsonValue>;
  httpStatus: number | undefined;
  changed: string | undefined;
  /** How often its list was compared. */
  compared: number;
  loads: number;
}

export const ANSWER: JsonValue = { content: [{ type: "text", text: "fine" }] };

export function fakeServer(
  name: string,
  tools: Record<string, Partial<ToolData>>,
  more: Partial<ServerData> = {},
): FakeServer {
  return {
    data: {
      format: 1,
      server: name,
      connect: [],
      timeoutMs: 30_000,
      breaker: { failures: 3, cooldownMs: 60_000 },
      connection: "project",
      mustConnect: false,
      tools: Object.fromEntries(Object.entries(tools).map(([tool, data]) => [tool, { ...TOOL, ...data }])),
      ...more,
    },
    log: [],
    worlds: [],
    sent: [],
    metas: [],
    up: false,
    connecting: async () => {},
    calling: async () => ANSWER,
    httpStatus: undefined,
    changed: undefined,
    compared: 1,
    loads: 0,
  };
}

const TOOL: ToolData = {
  digest: "sha256:pin",
  inputSchema: { type: "object" },
  readOnly: false,
  idempotent: false,
  labels: [],
};

export function openFake(server: FakeServer, world: LinkWorld): Link {
  const info: LinkInfo = { transport: "stdio", sessionId: "s-1", protocolVersion: "2025-11-25" };
  server.worlds.push(world);
  let attempt: Promise<LinkInfo> | undefined;
  const connect = async (): Promise<LinkInfo> => {
    server.log.push("connect");
    await server.connecting();
    server.up = true;
    return info;
  };
  return {
    server: server.data,
    connect: () => {
      if (server.up) return Promise.resolve(info);
      attempt ??= connect().finally(() => (attempt = undefined));
      return attempt;
    },
    call: async (tool, args, how): Promise<LinkResult> => {
      server.log.push(`call ${tool}`);
      server.sent.push(args);
      server.metas.push(how.meta);
      return { raw: await server.calling(tool, args, how), info, httpStatus: server.httpStatus };
    },
    ask: async (method, params): Promise<LinkResult> => {
      server.log.push(method);
      server.sent.push(params);
      return { raw: await server.calling(method, params), info, httpStatus: server.httpStatus };
    },
    changed: () => server.changed,
    get compared() {
      return server.compared;
    },
    get settled() {
      return server.up;
    },
    get state() {
      return server.up ? ("up" as const) : ("idle" as const);
    },
    waitMs: 0,
    get info() {
      return server.up ? info : undefined;
    },
    close: async () => void server.log.push("close"),
  };
}

/** As a link says that the server isn't there; `unsent` when it certainly did nothing. */
export function lost(server: FakeServer, unsent = false): RolecallError {
  server.up = false;
  const cause = { httpStatus: undefined, unsent, waiting: false, forgotten: false };
  return new RolecallError("server-unavailable", "the connection was closed", {
    server: server.data.server,
    retryable: unsent,
    cause,
  });
}

export interface Holding {
  readonly tools: { readonly [tool: string]: Effect };
  readonly where?: { readonly [tool: string]: { readonly [argument: string]: Condition | readonly Condition[] } };
}

export function fakeRole(name: string, servers: readonly (readonly [FakeServer, Holding])[]): Role<string, AnyServers> {
  const data: RoleData = {
    format: 1,
    role: name,
    servers: Object.fromEntries(servers.map(([server, holding]) => [server.data.server, holding])),
    delegates: [],
  };
  const load = servers.map(([server]) => [server.data.server, loaderOf(server)] as const);
  return { name, data: JSON.stringify(data), load: Object.fromEntries(load) };
}

const loaders = new WeakMap<FakeServer, () => Promise<{ data: string }>>();
function loaderOf(server: FakeServer): () => Promise<{ data: string }> {
  const known = loaders.get(server);
  if (known !== undefined) return known;
  const load = async (): Promise<{ data: string }> => {
    server.loads++;
    return { data: JSON.stringify(server.data) };
  };
  loaders.set(server, load);
  return load;
}

export interface FakeTeam {
  readonly team: Team<Record<string, AnyServers>>;
  readonly events: RuntimeEvent[];
  as(role: string): Session<AnyServers>;
}

export function fakeTeam(
  servers: readonly FakeServer[],
  roles: readonly Role<string, AnyServers>[],
  options: TeamOptions & { readonly telemetry?: Telemetry } = {},
): FakeTeam {
  const events: RuntimeEvent[] = [];
  const byName = new Map(servers.map((server) => [server.data.server, server]));
  const team = startTeam<Record<string, AnyServers>>(
    new Map(roles.map((role) => [role.name, role])),
    { on: (event) => void events.push(event), ...options },
    async () => ({
      openLink: (data, world) => openFake(byName.get(data.server)!, world),
      checks: await loadChecks(),
      telemetry: options.telemetry,
    }),
  );
  return { team, events, as: (role) => team.as(role) as unknown as Session<AnyServers> };
}

export interface FakeClock extends Clock {
  time: number;
  /** Every wait that was asked for. */
  readonly waits: number[];
  pass(ms: number): Promise<void>;
}

/** Stands still until a test lets it run; `jump` lets every wait be over at once, and time with it. */
export function fakeClock(jump = false): FakeClock {
  const waiting = new Set<{ readonly at: number; readonly done: () => void }>();
  const clock: FakeClock = {
    time: 1_000_000,
    waits: [],
    now: () => clock.time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        clock.waits.push(ms);
        if (jump) clock.time += ms;
        if (jump || signal?.aborted === true) return void resolve();
        const wait = { at: clock.time + ms, done: resolve };
        waiting.add(wait);
        signal?.addEventListener("abort", () => (waiting.delete(wait), resolve()), { once: true });
      }),
    async pass(ms) {
      clock.time += ms;
      for (const wait of [...waiting].filter(({ at }) => at <= clock.time)) {
        waiting.delete(wait);
        wait.done();
      }
      await settled();
    },
  };
  return clock;
}

/** Everything that can happen without time has happened. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

export async function failureOf(call: Promise<unknown>): Promise<RolecallError> {
  const outcome: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof RolecallError) return outcome;
  throw new Error(`no RolecallError: ${String(outcome)}`);
}
