import type { JsonObject, JsonValue } from "../../base/json.ts";
import { startedFrom } from "./started-by.ts";
import type { Served, ServedRole } from "../../serve/types.ts";
import {
  team,
  type OfferedResources,
  type ReadResource,
  type Team,
  type TeamOptions,
  type ToolResult,
} from "../../../runtime/index.ts";
import type { CallSignal, Role, RoleData } from "../../../runtime/contract.ts";
import { uriRefusal } from "../../../runtime/resource-uri.ts";

/** One build at work: its rules, and the team that holds them. */
export interface Generation {
  readonly served: Served;
  /** A role at work for one client; the one that it had, where a new build says the same of it. */
  session(role: ServedRole, former: RoleSession | undefined): RoleSession;
  /**
   * What a new build is at work. The team stays where its servers do: then connections, limits and what is known of
   * failures stay as well. Else its servers end with their last call.
   */
  follow(served: Served): Generation;
  /** At once, calls under way too. */
  close(): Promise<void>;
}

export interface RoleSession {
  readonly role: ServedRole;
  readonly team: Team<Record<never, never>>;
  call(server: string, tool: string, args: JsonValue | undefined, options: GatewayCall): Promise<ToolResult<unknown>>;
  /** Whether it may be read of that server. */
  mayRead(server: string, uri: string): boolean;
  /** A resource of that server, where the role may read it. */
  read(server: string, uri: string, options: ReadCall): Promise<ReadResource>;
  resources(server: string, options: ReadCall): Promise<OfferedResources>;
  health(): ReturnType<Session["$health"]>;
  /** After its last call. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** What goes along with a call that is made for another. */
export interface GatewayCall {
  readonly signal: CallSignal;
  readonly meta: JsonObject | undefined;
  readonly progress: ((progress: object) => void) | undefined;
  readonly client: string | undefined;
  readonly caller: string | undefined;
  /** Asks a person, where the role says so. */
  readonly ask: TeamOptions["ask"];
}

export type ReadCall = Pick<GatewayCall, "signal" | "meta" | "client" | "caller">;

/** What is used of a session whose servers no type knows. */
interface Session {
  $call(server: string, tool: string, args: unknown, options: object): Promise<ToolResult<unknown>>;
  $read(server: string, uri: string, options: object): Promise<ReadResource>;
  $resources(server: string, options: object): Promise<OfferedResources>;
  $health(): Readonly<Record<string, { readonly state: string; readonly lastFailure: string | undefined }>>;
  $close(): Promise<void>;
}

export function startGeneration(served: Served, options: TeamOptions): Generation {
  const root = options.root ?? "";
  const load = [...served.servers].map(
    ([server, text]) => [server, async () => ({ data: startedFrom(text, root) })] as const,
  );
  return generationOf(served, { team: team(options), options, calls: callCount(), load: Object.fromEntries(load) });
}

/** What builds with the same servers share. */
interface Running {
  readonly team: Team<Record<never, never>>;
  readonly options: TeamOptions;
  readonly calls: CallCount;
  /** The same ones for all of them: by these the team knows what it has. */
  readonly load: NonNullable<Role<string, unknown>["load"]>;
}

function generationOf(served: Served, running: Running): Generation {
  const roles = new Map<string, Role<string, unknown>>();
  return {
    served,
    session(role, former) {
      if (former?.team === running.team && former.role.data === role.data) return former;
      void former?.leave();
      const known = roles.get(role.name) ?? { name: role.name, data: role.data, load: running.load };
      roles.set(role.name, known);
      return sessionOf(role, running, known);
    },
    follow(next) {
      if (haveSameServers(served, next)) return generationOf(next, running);
      void running.calls.over().then(() => running.team.close());
      return startGeneration(next, running.options);
    },
    close: () => running.team.close(),
  };
}

function sessionOf(role: ServedRole, running: Running, known: Role<string, unknown>): RoleSession {
  const session = running.team.as(known) as unknown as Session;
  const own = callCount();
  const counts = [running.calls, own];
  let data: RoleData | undefined;
  return {
    role,
    team: running.team,
    call: (...asked) => counted(counts, session.$call(...asked)),
    mayRead: (server, uri) => {
      const rules = new Map(Object.entries((data ??= JSON.parse(role.data) as RoleData).servers)).get(
        server,
      )?.resources;
      return rules !== undefined && uriRefusal(uri, rules) === undefined;
    },
    read: (...asked) => counted(counts, session.$read(...asked)),
    resources: (...asked) => counted(counts, session.$resources(...asked)),
    health: () => session.$health(),
    async leave() {
      await own.over();
      await session.$close();
    },
    close: () => session.$close(),
  };
}

function haveSameServers({ servers }: Served, next: Served): boolean {
  return servers.size === next.servers.size && [...servers].every(([name, data]) => next.servers.get(name) === data);
}

interface CallCount {
  began(): void;
  ended(): void;
  /** Resolves when none is under way. */
  over(): Promise<void>;
}

function callCount(): CallCount {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return {
    began: () => void underWay++,
    ended() {
      underWay--;
      if (underWay === 0) for (const tell of waiting.splice(0)) tell();
    },
    over: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

async function counted<T>(counts: readonly CallCount[], work: Promise<T>): Promise<T> {
  for (const count of counts) count.began();
  try {
    return await work;
  } finally {
    for (const count of counts) count.ended();
  }
}
