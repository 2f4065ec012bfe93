import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { RuntimeEvent, Team, TeamOptions, TeamReport } from "../api.ts";
import type { Role } from "../contract.ts";
import { RolecallError } from "../errors.ts";
import { createAnswers } from "./answers.ts";
import { shown } from "./degradation.ts";
import { refuseUnsoundFakes } from "./fakes.ts";
import { hookFailed } from "./finish.ts";
import { projectFolder, type GeneratedPlace } from "./project-folder.ts";
import { createRecorder } from "./record.ts";
import { createSink, type Sink } from "./sink.ts";
import { roleTable } from "./role-table.ts";
import { refuseUnsoundOptions } from "./team-options.ts";
import { createSecrets, type Secrets } from "../secrets.ts";
import { closeLink } from "./servers.ts";
import { asyncDispose, sessionObject } from "./session.ts";
import type { Equipment, RoleTable, TeamState } from "./types.ts";
import { endOfMany, systemClock } from "./waiting.ts";

/** A team: what its roles share while an app runs. Nothing is imported, connected or started before it is used. */

type AnyRole = Role<string, unknown>;

export function startTeam<Roles>(
  roles: ReadonlyMap<string, AnyRole>,
  options: TeamOptions,
  load: () => Promise<Equipment>,
  generated?: GeneratedPlace,
): Team<Roles> {
  refuseUnsoundOptions(options);
  const team = teamState(options, load, generated);
  for (const role of roles.values()) learnLoaders(team, role);
  refuseUnsoundFakes(options, new Set(team.loaders.keys()));
  const tables = new Map<AnyRole, RoleTable>();
  const as = (given: string | AnyRole): object => {
    const role = typeof given === "string" ? roles.get(given) : given;
    if (!isRole(role)) throw unknownRole(given, roles);
    const table = tables.get(role) ?? roleTable(role);
    if (!tables.has(role)) learnLoaders(team, role);
    tables.set(role, table);
    const awaited = new Set(table.mustConnect);
    const own = { used: new Map(), ready: new Map(), awaited, handedOut: new Set<string>(), closing: endOfMany() };
    const state = { team, role: table, ...own };
    return sessionObject(state, options.start === "eager");
  };
  const close = (): Promise<void> => closeTeam(team);
  const report = (spent: TeamReport): void => reportSpent(team, spent);
  return Object.freeze({ as, report, close, [asyncDispose()]: close }) as unknown as Team<Roles>;
}

function reportSpent({ recorder, clock, run }: TeamState, { tokens, cost, role }: TeamReport): void {
  for (const [name, value] of Object.entries({ tokens, cost }))
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      throw new TypeError(`\`${name}\` of a report is a number of 0 or more`);
  const report = { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
  recorder?.report({ ts: new Date(clock.now()).toISOString(), run_id: run, role: role ?? null, report });
}

function isRole(role: unknown): role is AnyRole {
  return (
    typeof role === "object" &&
    role !== null &&
    "name" in role &&
    "data" in role &&
    typeof role.name === "string" &&
    typeof role.data === "string"
  );
}

function unknownRole(given: unknown, roles: ReadonlyMap<string, AnyRole>): RolecallError {
  const name = typeof given === "string" ? `\`${shown(given)}\`` : "that";
  const known = [...roles.keys()].map((role) => `\`${role}\``).join(", ");
  const instead = known === "" ? "hand `as` the value that a role's module exports" : `the roles are ${known}`;
  return new RolecallError("role-unknown", `${name} is no role of this team; ${instead}`);
}

/** Which servers the roles of the team govern, and where the data of each is. */
function learnLoaders(team: TeamState, role: AnyRole): void {
  for (const [server, loader] of Object.entries(role.load ?? {})) team.loaders.set(server, loader);
}

function teamState(
  options: TeamOptions,
  load: () => Promise<Equipment>,
  generated: GeneratedPlace | undefined,
): TeamState {
  const clock = options.clock ?? systemClock;
  const run = options.run ?? randomUUID();
  const secrets = createSecrets();
  const { emit, heard } = emitter(options, secrets);
  const elapsed = options.clock === undefined ? () => performance.now() : () => clock.now();
  let root = options.root === undefined ? undefined : resolve(options.root);
  let equipment: Promise<Equipment> | undefined;
  return {
    options,
    clock,
    elapsed,
    // Looked for when a server is first used: a team that only refuses asks the disk for nothing.
    get root() {
      return (root ??= projectFolder(generated));
    },
    run,
    startedAt: clock.now(),
    env: lookupIn(options.env),
    secrets,
    recorder: createRecorder(options.record, run, (error) => hookFailed({ emit }, "record", error), root),
    answers: createAnswers(elapsed),
    closing: endOfMany(),
    loaders: new Map(),
    loading: new Map(),
    loaded: new Map(),
    servers: new Map(),
    equipment: () =>
      (equipment ??= load().catch((error: unknown) => {
        equipment = undefined;
        throw error;
      })),
    emit,
    heard,
  };
}

/** Own properties only: a variable called `constructor` isn't set. */
function lookupIn(env: TeamOptions["env"] = process.env): TeamState["env"] {
  if (typeof env === "function") return env;
  return (name) => (Object.hasOwn(env, name) ? env[name] : undefined);
}

/** A listener that fails is told so itself, once: it may be one kind of event that it doesn't take. */
function emitter({ on }: TeamOptions, secrets: Secrets): Pick<TeamState, "emit" | "heard"> {
  if (on === undefined) return { emit: () => {}, heard: async () => {} };
  const listener: Sink<RuntimeEvent> = createSink(on, (error) => hookFailed({ emit }, "on", error));
  const emit = (event: RuntimeEvent): void =>
    listener.give("why" in event ? { ...event, why: secrets.text(event.why) } : event);
  return { emit, heard: listener.settled };
}

async function closeTeam(team: TeamState): Promise<void> {
  team.closing.abort();
  const closing = [...team.servers.values()].flatMap((use) => [...use.links].map((link) => closeLink(team, use, link)));
  await Promise.allSettled(closing);
  await team.recorder?.close();
  await team.heard();
}
