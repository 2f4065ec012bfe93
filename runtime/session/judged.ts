import { canonicalCopy } from "../canonical.ts";
import { DEEPEST } from "../connect/bounds.ts";
import { judgeOf } from "../conditions.ts";
import type { JsonValue } from "../contract.ts";
import type { RolecallError } from "../errors.ts";
import { isObject } from "../json-values.ts";
import { shown, told, unknownName } from "./degradation.ts";
import { refusal } from "./refusal.ts";
import { rootOf } from "./root.ts";
import { loadServer, useServer } from "./servers.ts";
import type { Entry, HeldTool, ServerUse, SessionState, Trail } from "./types.ts";

/** What can be said of a call without the server: is the tool held, are the arguments those of its schema and conditions? */

/** The one copy: what the caller does to his own object afterwards changes nothing. Returns what is against it. */
export function copyArguments(session: SessionState, trail: Trail, given: unknown): RolecallError | undefined {
  try {
    trail.args = given === undefined ? NO_ARGUMENTS : canonicalCopy(given as JsonValue, DEEPEST);
  } catch (error) {
    const why = error instanceof Error ? error.message : "they can't be read";
    return refusal(session, trail, "argument-refused", `the arguments aren't JSON: ${told(session.team.secrets, why)}`);
  }
  return isObject(trail.args)
    ? undefined
    : refusal(session, trail, "argument-refused", "the arguments aren't an object");
}

const NO_ARGUMENTS: JsonValue = Object.freeze({});

/**
 * What may be called, as far as the role and the pin say, or what is against it: returned and not thrown, for a refusal is
 * an everyday thing. It is a promise only where something must be loaded or asked for first, as for the first calls.
 */
export type Judged = Entry | RolecallError;

export function judged(session: SessionState, trail: Trail): Judged | Promise<Judged> {
  const held = session.role.servers.get(trail.server)?.tools.get(trail.tool);
  if (held === undefined) return notHeld(session, trail);
  trail.effect = held.effect;
  const entry = session.ready.get(held);
  if (entry !== undefined) return judgedArguments(session, trail, entry);
  return prepared(session, trail, held).then((made) => judgedArguments(session, trail, made));
}

function judgedArguments(session: SessionState, trail: Trail, entry: Entry): Judged | Promise<Judged> {
  trail.entry = entry;
  trail.use = entry.server;
  const objection = entry.checkArguments(trail.args);
  if (objection !== undefined) return wrongArguments(session, trail, objection);
  if (entry.judge === undefined) return entry;
  const root = rootFor(session, entry);
  if (root instanceof Promise) return root.then((text) => judgedConditions(session, trail, entry, text));
  return judgedConditions(session, trail, entry, root);
}

function judgedConditions(session: SessionState, trail: Trail, entry: Entry, root: string | undefined): Judged {
  const judgement = entry.judge!(trail.args, root);
  return judgement.ok ? entry : wrongArguments(session, trail, judgement.why);
}

function wrongArguments(session: SessionState, trail: Trail, objection: string): RolecallError {
  const words = `${trail.entry!.shown}: ${told(session.team.secrets, objection)}`;
  return refusal(session, trail, "argument-refused", words);
}

/** Whether a tool that isn't held exists is worth a look into the pin: a name that is wrong has another remedy. */
function notHeld(session: SessionState, trail: Trail): RolecallError | Promise<RolecallError> {
  const { team, role, used } = session;
  const known = used.get(trail.server)?.use;
  const load = role.servers.get(trail.server)?.load ?? team.loaders.get(trail.server);
  if (known !== undefined || load === undefined) return notHeldBy(session, trail, known);
  return loadServer(team, trail.server, load).then(
    (use) => notHeldBy(session, trail, use),
    () => notHeldBy(session, trail, undefined),
  );
}

function notHeldBy(session: SessionState, trail: Trail, use: ServerUse | undefined): RolecallError {
  const { team, role } = session;
  if (use !== undefined && (use.tools.has(trail.tool) || use.notHeld.has(trail.tool)))
    return refusal(session, trail, "tool-denied", `role \`${role.name}\` doesn't hold \`${named(session, trail)}\``);
  // A name that nobody gave may be any text, a secret among it; from here on it is told as all text is.
  trail.tool = unknownName(team.secrets, trail.tool);
  if (!role.servers.has(trail.server) && !team.loaders.has(trail.server))
    trail.server = unknownName(team.secrets, trail.server);
  return refusal(session, trail, "tool-unknown", `role \`${role.name}\` knows no tool \`${named(session, trail)}\``);
}

function named({ team: { secrets } }: SessionState, { server, tool }: Trail): string {
  return `${told(secrets, server)}.${told(secrets, tool)}`;
}

async function prepared(session: SessionState, trail: Trail, held: HeldTool): Promise<Entry> {
  const { use: server, link } = await useServer(session, trail.server);
  trail.use = server;
  const tool = server.tools.get(held.name);
  if (tool === undefined)
    throw refusal(
      session,
      trail,
      "tool-unknown",
      `the data of the server has no \`${named(session, trail)}\`: build again`,
    );
  const { checks } = server.equipment;
  const slow = tool.slow === true;
  // A condition's own schema was held against stricter rules when it was built.
  const satisfies = (schema: JsonValue, value: JsonValue): boolean => checks(schema, false)(value) === undefined;
  const entry: Entry = {
    held,
    server,
    tool,
    shown: `${shown(trail.server)}.${shown(trail.tool)}`,
    link,
    checkArguments: checks(tool.inputSchema, slow),
    judge: held.rules.length === 0 ? undefined : judgeOf(held.rules, { schema: tool.inputSchema, satisfies }),
    checkResult: tool.outputSchema === undefined ? undefined : checks(tool.outputSchema, slow),
    repeatable: tool.readOnly,
    // Without a pin nobody knows that it is the same tool; and each call that is asked is asked for itself.
    cacheMs: tool.readOnly && tool.digest !== null && held.effect === "allow" ? server.data.cacheMs : undefined,
  };
  session.ready.set(held, entry);
  return entry;
}

/** Where paths begin, for conditions that ask. Expanded once for a connection; what failed is tried again. */
function rootFor(
  { team }: SessionState,
  { held, server, link }: Entry,
): string | undefined | Promise<string | undefined> {
  if (!held.rules.some(hasGlob)) return undefined;
  if (link.root !== undefined) return link.root instanceof Promise ? link.root : link.root.text;
  const expanding = rootOf(server.data, team.env, team.root);
  link.root = expanding;
  const settled = (root: { readonly text: string | undefined } | undefined): void => {
    // A connection that was made meanwhile asks again.
    if (link.root === expanding) link.root = root;
  };
  expanding.then(
    (text) => settled({ text }),
    () => settled(undefined),
  );
  return expanding;
}

function hasGlob(rule: HeldTool["rules"][number]): boolean {
  return rule.conditions.some((condition) => condition.glob !== undefined);
}
