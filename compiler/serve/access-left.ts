import { sorted } from "../base/order.ts";
import { inOneOrder, type Access, type ServerHeld, type ToolAccess } from "../3-plan/access.ts";
import { stricterOf, wordsWith, type AuthorsWords } from "../diff/authors-words.ts";
import type { AccessChanged } from "../diff/types.ts";

/**
 * What a build leaves of access that it narrows, whatever it opens elsewhere: to have the rest again is to be given it.
 * `narrowed`: changes that take away, some of which open as well.
 */
export function accessLeft(access: Access, built: Access, narrowed: readonly AccessChanged[]): Access {
  const changed = new Map<string, AccessChanged[]>();
  for (const one of narrowed) {
    const key = keyOf(one.role, one.server, one.tool);
    changed.set(key, [...(changed.get(key) ?? []), one]);
  }
  const roles = access.roles.map((role) => ({
    ...role,
    servers: role.servers.map(({ resources, ...server }) => ({
      ...server,
      tools: server.tools.flatMap((tool) => {
        const changes = changed.get(keyOf(role.name, server.name, tool.name));
        if (changes === undefined) return tool;
        const now = heldIn(built, role.name, server.name)?.tools.find(({ name }) => name === tool.name);
        return leftOf(tool, now, changes);
      }),
      ...(changed.has(keyOf(role.name, server.name, undefined))
        ? resourcesLeft(resources, heldIn(built, role.name, server.name)?.resources)
        : resources !== undefined && { resources }),
    })),
  }));
  return { ...access, roles };
}

/** The same of hints, which access doesn't have. The very same where none is taken back. */
export function wordsLeft(
  words: AuthorsWords | undefined,
  narrowed: readonly AccessChanged[],
): AuthorsWords | undefined {
  const taken = new Map<string, Map<string, string>>();
  for (const { kind, server, tool, before, after } of narrowed) {
    const left = kind === "definition" ? stricterOf(before, after) : undefined;
    if (left !== undefined) taken.set(server!, (taken.get(server!) ?? new Map<string, string>()).set(tool!, left));
  }
  return taken.size === 0 ? words : wordsWith(words ?? new Map(), taken);
}

function keyOf(role: string | undefined, server: string | undefined, tool: string | undefined): string {
  return JSON.stringify([role, server, tool ?? null]);
}

function heldIn({ roles }: Access, role: string, server: string): ServerHeld | undefined {
  return roles.find(({ name }) => name === role)?.servers.find(({ name }) => name === server);
}

/** As they are written: a glob within another one is another. */
function resourcesLeft(one: ServerHeld["resources"], other: ServerHeld["resources"]): Pick<ServerHeld, "resources"> {
  const include = one?.include.filter((glob) => other?.include.includes(glob)) ?? [];
  if (one === undefined || other === undefined || include.length === 0) return {};
  const exclude = sorted(new Set([...(one.exclude ?? []), ...(other.exclude ?? [])]));
  const within = [...(one.within ?? []), ...(other.within ?? [])];
  const lists = [...new Map(within.map((list) => [JSON.stringify(list), list])).values()];
  return {
    resources: { include, ...(exclude.length > 0 && { exclude }), ...(lists.length > 0 && { within: lists }) },
  };
}

function leftOf(
  tool: ToolAccess,
  built: ToolAccess | undefined,
  changes: readonly AccessChanged[],
): readonly ToolAccess[] {
  if (built === undefined) return [];
  const effect = [tool, built].some((one) => one.effect === "ask") ? "ask" : "allow";
  return [{ ...tool, effect, where: whereLeft(tool.where, built.where, changes) }];
}

/** Conditions that open as well leave what both let through, and those that take nothing away leave what was. */
function whereLeft(
  was: ToolAccess["where"],
  built: ToolAccess["where"],
  changes: readonly AccessChanged[],
): ToolAccess["where"] {
  const conditions = changes.filter(({ kind }) => kind === "condition");
  if (conditions.length === 0) return was;
  return conditions.every(({ direction }) => direction === "narrows") ? built : bothHeld(was, built);
}

function bothHeld(one: ToolAccess["where"], other: ToolAccess["where"]): ToolAccess["where"] {
  const all = [...one, ...other];
  return [...new Set(all.map(({ argument }) => argument))].map((argument) => ({
    argument,
    conditions: inOneOrder(all.flatMap((rule) => (rule.argument === argument ? rule.conditions : []))),
  }));
}
