import { visible } from "../../../base/visible.ts";
import type { FittedRole, FittedServer } from "../../../4-fit/types.ts";
import { ANY, closed, READ, RESOURCES_CLOSED, TASK, type Permissions } from "./permissions.ts";

/** How an agent comes to work: a person starts it, another one hands it work, or both. */
export type Mode = "primary" | "subagent" | "all";

/** An entry under `agent`. Deny every server of the file first, then allow exactly what the role holds. */
export function agentEntry(role: FittedRole, mode: Mode, servers: readonly FittedServer[]): Record<string, unknown> {
  return {
    mode,
    description: visible(role.role.description ?? `Works as ${role.name}.`),
    ...(role.role.prompt && { prompt: role.role.prompt.text }),
    permission: { ...own(role), ...closed(servers, ANY), ...tools(role), ...read(role), ...task(role) },
  };
}

/** The host's own tools. Governed, everything that isn't named is denied, whatever a later version brings. */
function own({ builtins }: FittedRole): Permissions {
  if (builtins === undefined || builtins.includes("*")) return {};
  return { [ANY]: "deny", ...Object.fromEntries(builtins.map((name) => [name, "allow"])) };
}

function tools({ servers }: FittedRole): Permissions {
  return Object.fromEntries(servers.flatMap((server) => server.tools.map(({ joined, effect }) => [joined, effect])));
}

/** The host asks before it reads a `.env`; where its own tools are denied first, that has to be said again. */
const FILES_READ: Readonly<Record<string, string>> = {
  "*": "allow",
  "*.env": "ask",
  "*.env.*": "ask",
  "*.env.example": "allow",
};

/** The key is for files too: who may read none of them reads no resource either, or the tool for files would be shown. */
function read(role: FittedRole): Permissions {
  const { builtins } = role;
  if (builtins === undefined || builtins.includes("*")) return { [READ]: resources(role) };
  return builtins.includes("read") ? { read: FILES_READ, [READ]: resources(role) } : { [READ]: "deny" };
}

/** Of the role's own entry what may be read is judged behind it; every other server's stay closed. */
function resources({ readsThroughGateway, servers }: FittedRole): Readonly<Record<string, string>> {
  const own = readsThroughGateway === true ? servers.map(({ server }) => [`mcp:${server.name}:*`, "allow"]) : [];
  return { ...RESOURCES_CLOSED, ...Object.fromEntries(own) };
}

/**
 * Without delegates the tool that hands work over is gone. With some it is named as it is called too: an agent that was
 * handed work loses the tool unless a rule of its own has that name.
 */
function task({ delegates }: FittedRole): Permissions {
  if (delegates.length === 0) return { [TASK]: "deny" };
  const rules = { [ANY]: "deny", ...Object.fromEntries(delegates.map((name) => [name, "allow"])) };
  return { task: rules, [TASK]: rules };
}
