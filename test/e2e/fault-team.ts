import { afterEach } from "vitest";
import type { RecordLine, RuntimeEvent, Session, Team, TeamOptions } from "../../runtime/api.ts";
import { RolecallError } from "../../runtime/errors.ts";
import { team } from "../../runtime/index.ts";
import type { ServerData, TransportData } from "../../runtime/server-data.ts";
import { systemClock } from "../../runtime/session/waiting.ts";
import { fakeRole, fakeServer, type AnyServers } from "../support/fake-link.ts";
import { TOOLS } from "../support/faults/tools.mjs";
import { pinsOf } from "../support/linked.ts";

/** A team whose one server is a real fault server, with everything that can be known of its calls. Closed after each test. */
export interface FaultTeam {
  readonly session: Session<AnyServers>;
  readonly team: Team<Record<never, never>>;
  readonly events: RuntimeEvent[];
  readonly lines: RecordLine[];
  /** Milliseconds by which the team's clock is put forward. */
  skip(ms: number): void;
  call(tool: string, args?: object, options?: object): ReturnType<AnyServers[string][string]>;
  failure(tool: string, args?: object, options?: object): Promise<RolecallError>;
  health(): ReturnType<Session<AnyServers>["$health"]>[string];
  /** Of the types of events that say whether the server is there. */
  types(): string[];
}

const teams = new Set<Team<Record<never, never>>>();
afterEach(async () => {
  await Promise.all([...teams].map((one) => one.close()));
  teams.clear();
});

export interface FaultTeamChoices {
  readonly data?: Partial<ServerData>;
  readonly readOnly?: readonly string[];
  readonly ask?: readonly string[];
  readonly options?: TeamOptions | undefined;
}

export function faultTeam(connect: readonly TransportData[], choices: FaultTeamChoices = {}): FaultTeam {
  const { data = {}, readOnly = [], ask = [], options = {} } = choices;
  const pins = Object.entries(pinsOf(TOOLS)).map(([name, pin]) => [
    name,
    { ...pin, readOnly: readOnly.includes(name) },
  ]);
  const server = fakeServer("faulty", Object.fromEntries(pins), { connect, timeoutMs: 5_000, ...data });
  const tools = Object.fromEntries(TOOLS.map(({ name }) => [name, ask.includes(name) ? "ask" : "allow"] as const));
  const events: RuntimeEvent[] = [];
  const lines: RecordLine[] = [];
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const on = (event: RuntimeEvent): void => void events.push(event);
  const started = team({ clock, connections: true, on, record: (line) => void lines.push(line), ...options });
  teams.add(started);
  const session = started.as(fakeRole("tester", [[server, { tools }]]));
  const call: FaultTeam["call"] = (tool, args = {}, given = {}) => session.$call("faulty", tool, args, given);
  return {
    session,
    team: started,
    events,
    lines,
    skip: (ms) => void (ahead += ms),
    call,
    failure: (tool, args, given) => failureIn(call(tool, args, given)),
    health: () => session.$health()["faulty"]!,
    types: () => events.map(({ type }) => type),
  };
}

async function failureIn(work: Promise<unknown>): Promise<RolecallError> {
  const outcome: unknown = await work.then(
    () => "it was answered",
    (error: unknown) => error,
  );
  if (outcome instanceof RolecallError) return outcome;
  throw new Error(`no RolecallError: ${String(outcome)}`);
}
