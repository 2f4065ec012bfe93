import { reachable } from "../plan.ts";
import type { Held, Plan } from "../plan.ts";
import type { Host } from "../host.ts";

/** Files by their path in the project. */
export type Files = Readonly<Record<string, string>>;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The servers that a role's session has to have: those of its own tools, and of the roles that it hands work to. */
export const serversOf = (host: Host, plan: Plan, role: string): readonly string[] => [
  ...new Set(reachable(host, plan, role).map((one) => one.server)),
];

export const namesOf = (host: Host, held: readonly Held[], effect: Held["effect"]): readonly string[] => [
  ...new Set(held.filter((one) => one.effect === effect).map((one) => host.shown(one))),
];

/** `{ command, args, env }`, which most hosts take; `reference` is how a host writes a variable. */
export function stdioServer(plan: Plan, server: string, reference = (name: string) => `\${${name}}`) {
  const { command, variables } = plan.connections.get(server) ?? { command: [], variables: [] };
  const env = Object.fromEntries(variables.map((name) => [name, reference(name)]));
  return { command: command[0], args: command.slice(1), ...(variables.length > 0 ? { env } : {}) };
}

export const TIMEOUT_MS = 4000;
