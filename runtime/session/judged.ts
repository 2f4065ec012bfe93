import { canonicalText } from "../canonical.ts";
import { judge } from "../conditions.ts";
import type { JsonValue } from "../contract.ts";
import type { RolecallError } from "../errors.ts";
import { shown } from "./degradation.ts";
import { refusal } from "./refusal.ts";
import { rootOf } from "./root.ts";
import { loadServer, useServer } from "./servers.ts";
import type { Entry, HeldTool, SessionState, Trail } from "./types.ts";

/** What can be said of a call without the server: is the tool held, are the arguments those of its schema and conditions? */

/** The one copy: what the caller does to his own object afterwards changes nothing. */
export function copyArguments(session: SessionState, trail: Trail, given: unknown): void {
  try {
    trail.text = given === undefined ? "{}" : canonicalText(given as JsonValue);
  } catch (error) {
    const why = error instanceof Error ? error.message : "they can't be read";
    throw refusal(session, trail, "argument-refused", `the arguments aren't JSON: ${shown(why)}`);
  }
  trail.args = frozen(JSON.parse(trail.text) as JsonValue);
  if (!trail.text.startsWith("{")) throw refusal(session, trail, "argument-refused", "the arguments aren't an object");
}

function frozen(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) frozen((value as { readonly [key: string]: JsonValue })[key]!);
  return Object.freeze(value);
}

/** Throws what is against the call; what it returns may be called, as far as the role and the pin say. */
export async function judged(session: SessionState, trail: Trail): Promise<Entry> {
  const held = session.role.servers.get(trail.server)?.tools.get(trail.tool);
  if (held === undefined) throw await notHeld(session, trail);
  trail.effect = held.effect;
  const entry = session.ready.get(held) ?? (await prepared(session, trail, held));
  trail.entry = entry;
  trail.use = entry.server;
  const objection = entry.checkArguments(trail.args);
  if (objection !== undefined)
    throw refusal(session, trail, "argument-refused", `${named(trail)}: ${shown(objection)}`);
  if (held.rules.length > 0) await judgeConditions(session, trail, entry);
  return entry;
}

/** Whether a tool that isn't held exists is worth a look into the pin: a name that is wrong has another remedy. */
async function notHeld(session: SessionState, trail: Trail): Promise<RolecallError> {
  const { team, role } = session;
  const load = role.servers.get(trail.server)?.load ?? team.loaders.get(trail.server);
  let use = session.used.get(trail.server)?.use;
  if (use === undefined && load !== undefined) use = await loadServer(team, trail.server, load).catch(() => undefined);
  if (use !== undefined && (use.tools.has(trail.tool) || use.notHeld.has(trail.tool)))
    return refusal(session, trail, "tool-denied", `role \`${role.name}\` doesn't hold \`${named(trail)}\``);
  return refusal(session, trail, "tool-unknown", `role \`${role.name}\` knows no tool \`${named(trail)}\``);
}

function named(trail: Trail): string {
  return `${shown(trail.server)}.${shown(trail.tool)}`;
}

async function prepared(session: SessionState, trail: Trail, held: HeldTool): Promise<Entry> {
  const { use: server, link } = await useServer(session, trail.server);
  trail.use = server;
  const tool = server.tools.get(held.name);
  if (tool === undefined)
    throw refusal(session, trail, "tool-unknown", `the data of the server has no \`${named(trail)}\`: build again`);
  const { checks } = server.equipment;
  const entry: Entry = {
    held,
    server,
    tool,
    link,
    checkArguments: checks(tool.inputSchema),
    checkResult: tool.outputSchema === undefined ? undefined : checks(tool.outputSchema),
    repeatable: tool.readOnly || tool.idempotent,
    // Without a pin nobody knows that it is the same tool; and each call that is asked is asked for itself.
    cacheMs: tool.readOnly && tool.digest !== null && held.effect === "allow" ? server.data.cacheMs : undefined,
  };
  session.ready.set(held, entry);
  return entry;
}

async function judgeConditions(session: SessionState, trail: Trail, entry: Entry): Promise<void> {
  const { held, server, tool } = entry;
  const judgement = judge(held.rules, trail.args, {
    root: held.rules.some(hasGlob) ? await rootFor(session, entry) : undefined,
    schema: tool.inputSchema,
    satisfies: (schema, value) => server.equipment.checks(schema)(value) === undefined,
  });
  if (!judgement.ok) throw refusal(session, trail, "argument-refused", `${named(trail)}: ${shown(judgement.why)}`);
}

/** Expanded once for a connection; what failed is tried again. */
async function rootFor({ team }: SessionState, { server, link }: Entry): Promise<string | undefined> {
  link.root ??= rootOf(server.data, team.env, team.root);
  try {
    return await link.root;
  } catch (error) {
    link.root = undefined;
    throw error;
  }
}

function hasGlob(rule: HeldTool["rules"][number]): boolean {
  return rule.conditions.some((condition) => condition.glob !== undefined);
}
