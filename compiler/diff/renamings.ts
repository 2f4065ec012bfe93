import type { JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";
import type { Access } from "../3-plan/access.ts";
import type { AccessChanged, AccessDifference } from "./types.ts";

/**
 * The changes that are nothing but a new name: what went under the old one came under the new one, with the same pins. They
 * are judged all the same (a role that is started by name is another one); a page says them once.
 */
export function onlyRenamed(
  { changes, renamed }: AccessDifference,
  before: Access,
  after: Access,
): ReadonlySet<AccessChanged> {
  if (renamed.length === 0) return new Set();
  const roles = pairsOf(renamed, "role");
  const servers = pairsOf(renamed, "server");
  const came = (one: AccessChanged): string => keyOf(one, asIs, asIs, one.after);
  const isIn = new Set(changes.filter(({ before: was }) => was === null).map(came));
  const roleNow = (name: string): string => roles.get(name) ?? name;
  const isOfRole = ({ kind }: AccessChanged): boolean => kind === "delegate" || kind === "role";
  const went = (one: AccessChanged): string =>
    keyOf(one, roleNow, (name) => servers.get(name) ?? name, isOfRole(one) ? roleNow(String(one.before)) : one.before);
  const isSamePin = pinsOf(before, after, servers);
  const gone = changes.filter((one) => one.after === null && isSamePin(one) && isIn.has(went(one)));
  const told = new Set(gone.map(went));
  const newServers = new Set(servers.values());
  return new Set([
    ...gone,
    ...changes.filter((one) => one.before === null && told.has(came(one))),
    ...changes.filter(
      ({ kind, role, server }) => role === undefined && kind === "destination" && newServers.has(server!),
    ),
  ]);
}

function asIs(name: string): string {
  return name;
}

/** Of several that went where one came, the first is the one. */
function pairsOf(renamed: AccessDifference["renamed"], kind: "role" | "server"): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const pairs = new Map<string, string>();
  for (const one of renamed) {
    if (one.kind !== kind || taken.has(one.after)) continue;
    taken.add(one.after);
    pairs.set(one.before, one.after);
  }
  return pairs;
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
  before: Access,
  after: Access,
  servers: ReadonlyMap<string, string>,
): (change: AccessChanged) => boolean {
  const pins = ({ servers: all }: Access) =>
    new Map(all.flatMap(({ name, tools }) => tools.map((one) => [`${name}\0${one.name}`, one.digest] as const)));
  const [was, is] = [pins(before), pins(after)];
  return ({ kind, server, tool }) =>
    kind !== "tool" || was.get(`${server}\0${tool}`) === is.get(`${servers.get(server!) ?? server}\0${tool}`);
}
