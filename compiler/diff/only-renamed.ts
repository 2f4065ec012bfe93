import { isObject, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";
import type { ComparedAccess } from "./compare.ts";
import type { Described } from "./describe.ts";
import { newNames } from "./renamings.ts";
import type { AccessChanged, AccessDifference } from "./types.ts";

interface NewNames {
  readonly roles: ReadonlyMap<string, string>;
  readonly servers: ReadonlyMap<string, string>;
}

/**
 * The changes that are nothing but a new name: what went under the old one came under the new one, with the same pins, and
 * rules name it. They are judged all the same (a role that is started by name is another one); a page says them once.
 */
export function onlyRenamed(
  { changes, renamed }: AccessDifference,
  described: readonly Described[],
  before: ComparedAccess,
  after: ComparedAccess,
): ReadonlySet<AccessChanged> {
  if (renamed.length === 0) return new Set();
  const names = { roles: newNames(renamed, "role"), servers: newNames(renamed, "server") };
  const { roles, servers } = names;
  const came = (one: AccessChanged): string => keyOf(one, asIs, asIs, one.after);
  const isIn = new Set(changes.filter(({ before: was }) => isNothing(was)).map(came));
  const roleNow = (name: string): string => roles.get(name) ?? name;
  const isOfRole = ({ kind }: AccessChanged): boolean => kind === "delegate" || kind === "role";
  const went = (one: AccessChanged): string =>
    keyOf(one, roleNow, (name) => servers.get(name) ?? name, isOfRole(one) ? roleNow(String(one.before)) : one.before);
  const isSamePin = pinsOf(before, after, servers);
  // Trap: a host stands where a server does, and may have its name.
  const gone = changes.filter(
    (one) => one.kind !== "host" && isNothing(one.after) && isSamePin(one) && isIn.has(went(one)),
  );
  const told = new Set(gone.map(went));
  const newServers = new Set(servers.values());
  return new Set([
    ...gone,
    ...changes.filter((one) => isNothing(one.before) && told.has(came(one))),
    ...changes.filter(
      ({ kind, role, server }) => role === undefined && kind === "destination" && newServers.has(server!),
    ),
    ...described.flatMap(({ change, rule }) => (isSameRule(change, rule, names) ? [change] : [])),
  ]);
}

function asIs(name: string): string {
  return name;
}

/** Of a role that comes or goes all of a host's own tools are a list. */
function isNothing(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function isSameRule({ kind, before, after }: AccessChanged, rule: Described["rule"], names: NewNames): boolean {
  if (kind !== "guard" || before !== after || rule?.before === undefined || rule.after === undefined) return false;
  const now = [ruleNow(rule.before, names), matchesNow(rule.matched, names)];
  return stableText(now) === stableText([rule.after, rule.matches ?? null]);
}

/** Null: it is none of a guard's. */
function matchesNow(matched: NonNullable<Described["rule"]>["matched"], { servers }: NewNames): JsonValue {
  if (matched === undefined) return null;
  return Object.fromEntries(Object.entries(matched).map(([server, tools]) => [servers.get(server) ?? server, tools]));
}

const CLAIMS: ReadonlySet<string> = new Set(["never", "always", "can"]);
/** What stands behind a server's name in the texts under each key. */
const BEHIND_SERVER: ReadonlyMap<string, string> = new Map([
  ["tools", "."],
  ["together", "."],
  ["resources", ":"],
]);

/** A policy or an invariant as it would be written with the new names. */
function ruleNow(rule: JsonValue, names: NewNames): JsonValue {
  if (!isObject(rule)) return rule;
  const { roles, servers } = names;
  const withServerNow =
    (sign: string) =>
    (text: string): string => {
      const [name = "", ...rest] = text.split(sign);
      return rest.length === 0 ? text : [servers.get(name) ?? name, ...rest].join(sign);
    };
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => {
      if (CLAIMS.has(key)) return [key, ruleNow(value, names)];
      if (key === "roles") return [key, textsNow(value, (text) => roles.get(text) ?? text)];
      const sign = BEHIND_SERVER.get(key);
      return [key, sign === undefined ? value : textsNow(value, withServerNow(sign))];
    }),
  );
}

function textsNow(value: JsonValue, now: (text: string) => string): JsonValue {
  if (typeof value === "string") return now(value);
  if (Array.isArray(value)) return value.map((one: JsonValue) => textsNow(one, now));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, textsNow(one, now)]));
}

function keyOf(
  { kind, role, server, tool }: AccessChanged,
  nameOfRole: (name: string) => string,
  nameOfServer: (name: string) => string,
  held: JsonValue,
): string {
  return stableText([
    kind,
    role === undefined ? null : nameOfRole(role),
    server === undefined ? null : nameOfServer(server),
    tool ?? null,
    held,
  ]);
}

/** Whether a tool that went is the tool that came: else it would come with another definition, and nobody would say so. */
function pinsOf(
  before: ComparedAccess,
  after: ComparedAccess,
  servers: ReadonlyMap<string, string>,
): (change: AccessChanged) => boolean {
  const areWordsKnown = before.words !== undefined && after.words !== undefined;
  const pins = ({ servers: all, words }: ComparedAccess) =>
    new Map(
      all.flatMap(({ name, tools }) =>
        tools.map(({ name: tool, digest }) => {
          const said = areWordsKnown ? words?.get(name)?.get(tool) : undefined;
          return [`${name}\0${tool}`, stableText([digest, said ?? null])] as const;
        }),
      ),
    );
  const [was, is] = [pins(before), pins(after)];
  return ({ kind, server, tool }) =>
    kind !== "tool" || was.get(`${server}\0${tool}`) === is.get(`${servers.get(server!) ?? server}\0${tool}`);
}
