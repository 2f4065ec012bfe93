import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Served, ServedRole } from "../../serve/types.ts";
import { team, type Team, type TeamOptions, type ToolResult } from "../../../runtime/index.ts";
import type { Role } from "../../../runtime/contract.ts";

/** One build at work: its rules, and the team that holds them. A new build is a new one. */
export interface Generation {
  readonly served: Served;
  session(role: ServedRole): RoleSession;
  /** Resolves once its last call is over and its servers are ended. */
  retire(): Promise<void>;
  /** At once, calls under way too. */
  close(): Promise<void>;
}

/** A role at work for one client. */
export interface RoleSession {
  readonly role: ServedRole;
  call(server: string, tool: string, args: JsonValue | undefined, options: GatewayCall): Promise<ToolResult<unknown>>;
  health(): ReturnType<Session["$health"]>;
  close(): Promise<void>;
}

/** What goes along with a call that is made for another. */
export interface GatewayCall {
  readonly signal: AbortSignal;
  readonly meta: JsonObject | undefined;
  readonly progress: ((progress: object) => void) | undefined;
  readonly client: string | undefined;
}

/** What is used of a session whose servers no type knows. */
interface Session {
  $call(server: string, tool: string, args: unknown, options: object): Promise<ToolResult<unknown>>;
  $health(): Readonly<Record<string, { readonly state: string; readonly lastFailure: string | undefined }>>;
  $close(): Promise<void>;
}

export function startGeneration(served: Served, options: TeamOptions): Generation {
  const running: Team<Record<never, never>> = team(options);
  const roles = new Map<string, Role<string, unknown>>();
  const ended = lastCall();
  return {
    served,
    session(role) {
      const known = roles.get(role.name) ?? runtimeRole(served, role);
      roles.set(role.name, known);
      const session = running.as(known) as unknown as Session;
      return {
        role,
        call: (...asked) => ended.during(session.$call(...asked)),
        health: () => session.$health(),
        close: () => session.$close(),
      };
    },
    async retire() {
      await ended.reached();
      await running.close();
    },
    close: () => running.close(),
  };
}

function runtimeRole(served: Served, { name, data }: ServedRole): Role<string, unknown> {
  const loaders = [...served.servers].map(([server, text]) => [server, async () => ({ data: text })] as const);
  return { name, data, load: Object.fromEntries(loaders) };
}

/** Counts what is under way. */
function lastCall(): { during<T>(work: Promise<T>): Promise<T>; reached(): Promise<void> } {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  const over = (): void => {
    underWay--;
    if (underWay === 0) for (const tell of waiting.splice(0)) tell();
  };
  return {
    during(work) {
      underWay++;
      return work.finally(over);
    },
    reached: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
