import type { ArgumentRule, Condition, Role, RoleData, RoleServerData } from "../contract.ts";
import type { HeldTool, RoleTable } from "./types.ts";

/** A role's data as maps. */
export function roleTable(role: Role<string, unknown>): RoleTable {
  const data = JSON.parse(role.data) as RoleData;
  const loaders = new Map(Object.entries(role.load ?? {}));
  return {
    name: role.name,
    mustConnect: data.mustConnect ?? [],
    servers: new Map(
      Object.entries(data.servers).map(([server, held]) => [
        server,
        { load: loaders.get(server), tools: heldTools(held), resources: held.resources },
      ]),
    ),
  };
}

function heldTools(data: RoleServerData): ReadonlyMap<string, HeldTool> {
  const where = new Map(Object.entries(data.where ?? {}));
  return new Map(
    Object.entries(data.tools).map(([name, effect]) => [
      name,
      // What isn't plainly allowed is asked.
      { name, effect: effect === "allow" ? "allow" : "ask", rules: rulesOf(where.get(name)) },
    ]),
  );
}

function rulesOf(where: { readonly [argument: string]: Condition | readonly Condition[] } = {}): ArgumentRule[] {
  return Object.entries(where).map(([argument, given]) => ({
    argument,
    conditions: Array.isArray(given) ? (given as readonly Condition[]) : [given as Condition],
  }));
}
