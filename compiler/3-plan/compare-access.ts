import type { JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Access, ToolAccess } from "./access.ts";

/** How a role stands to a tool. `where`: conditions on its arguments must hold. */
export interface Standing {
  readonly effect: "allow" | "ask" | "deny";
  readonly where: boolean;
}

export interface AccessChange {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly before: Standing;
  readonly after: Standing;
}

/** Every role x tool of these servers that isn't as it was. */
export function compareAccess(before: Access, after: Access, servers: readonly string[]): AccessChange[] {
  const roles = sorted(new Set([...before.roles, ...after.roles].map(({ name }) => name)));
  return roles.flatMap((role) =>
    sorted(servers).flatMap((server) => {
      const one = heldOf(before, role, server);
      const other = heldOf(after, role, server);
      return sorted(new Set([...one.keys(), ...other.keys()])).flatMap((tool) => {
        const was = one.get(tool);
        const is = other.get(tool);
        if (textOf(was) === textOf(is)) return [];
        return [{ role, server, tool, before: standingOf(was), after: standingOf(is) }];
      });
    }),
  );
}

/** Roles that hold a tool of one of these servers, sorted. */
export function holdersOf({ roles }: Access, servers: readonly string[], tool: string): string[] {
  const holds = roles.filter((role) =>
    role.servers.some(({ name, tools }) => servers.includes(name) && tools.some((one) => one.name === tool)),
  );
  return holds.map(({ name }) => name);
}

function heldOf({ roles }: Access, role: string, server: string): ReadonlyMap<string, ToolAccess> {
  const grant = roles.find(({ name }) => name === role)?.servers.find(({ name }) => name === server);
  return new Map(grant?.tools.map((tool) => [tool.name, tool]));
}

function standingOf(tool: ToolAccess | undefined): Standing {
  return { effect: tool?.effect ?? "deny", where: (tool?.where.length ?? 0) > 0 };
}

function textOf(tool: ToolAccess | undefined): string {
  return tool === undefined ? "" : stableText([tool.effect, tool.where] as unknown as JsonValue);
}
