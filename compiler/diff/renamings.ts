import type { JsonValue } from "../base/json.ts";
import { sorted, sortedBy } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Access, RoleAccess } from "../3-plan/access.ts";
import { byNameOf, type WithName } from "./paired.ts";
import type { AccessDifference } from "./types.ts";

type Renamed = AccessDifference["renamed"][number];
type Named = RoleAccess | Access["servers"][number];

/** Names that went and names that came, with the same behind them: what they name may have another name too. */
export function renamings(before: Access, after: Access): Renamed[] {
  const servers = renamedServers(before, after);
  return [...renamedRoles(before, after, newNames(servers, "server")), ...servers];
}

function renamedServers(before: Access, after: Access): Renamed[] {
  const come = byContent(onlyIn(after.servers, before.servers));
  return onlyIn(before.servers, after.servers).flatMap((one) => renamed("server", one, come));
}

/** Whoever hands work to one that has another name is looked at again. */
function renamedRoles(before: Access, after: Access, servers: ReadonlyMap<string, string>): Renamed[] {
  const come = byContent(onlyIn(after.roles, before.roles));
  const gone = come.size === 0 ? [] : onlyIn(before.roles, after.roles);
  const givers = giversOf(gone);
  const found = new Map<string, Renamed>();
  const names = new Map<string, string>();
  for (let looked = gone; looked.length > 0;) {
    const more = looked.flatMap((role) => renamed("role", underNewNames(role, servers, names), come));
    for (const one of more) {
      found.set(one.before, one);
      names.set(one.before, one.after);
    }
    const again = new Set(more.flatMap((one) => givers.get(one.before) ?? []));
    looked = [...again].filter(({ name }) => !found.has(name));
  }
  return sortedBy(found.values(), (one) => one.before);
}

/** Of a kind by their old names. Of several that went where one came, the first is the one. */
export function newNames(all: readonly Renamed[], kind: Renamed["kind"]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const one of all) {
    if (one.kind !== kind || taken.has(one.after)) continue;
    taken.add(one.after);
    names.set(one.before, one.after);
  }
  return names;
}

function onlyIn<T extends WithName>(these: readonly T[], others: readonly T[]): readonly T[] {
  const known = byNameOf(others);
  return these.filter(({ name }) => !known.has(name));
}

function giversOf(roles: readonly RoleAccess[]): ReadonlyMap<string, RoleAccess[]> {
  const givers = new Map<string, RoleAccess[]>();
  for (const role of roles)
    for (const name of role.delegates) {
      const known = givers.get(name);
      if (known === undefined) givers.set(name, [role]);
      else known.push(role);
    }
  return givers;
}

/** Each is told by its text once: there may be hundreds. */
function byContent(all: readonly Named[]): ReadonlyMap<string, Named[]> {
  const texts = new Map<string, Named[]>();
  for (const one of all) {
    const text = contentOf(one);
    const known = texts.get(text);
    if (known === undefined) texts.set(text, [one]);
    else known.push(one);
  }
  return texts;
}

function contentOf(one: Named): string {
  return stableText({ ...one, name: "" } as unknown as JsonValue);
}

function renamed(kind: Renamed["kind"], one: Named, come: ReadonlyMap<string, readonly Named[]>): Renamed[] {
  const same = come.size === 0 ? [] : (come.get(contentOf(one)) ?? []);
  return same.length === 1 ? [{ kind, before: one.name, after: same[0]!.name }] : [];
}

function underNewNames(
  role: RoleAccess,
  servers: ReadonlyMap<string, string>,
  roles: ReadonlyMap<string, string>,
): RoleAccess {
  if (servers.size + roles.size === 0) return role;
  const now = role.servers.map((one) => ({ ...one, name: servers.get(one.name) ?? one.name }));
  return {
    ...role,
    servers: sortedBy(now, ({ name }) => name),
    delegates: sorted(role.delegates.map((name) => roles.get(name) ?? name)),
  };
}
