import { visible } from "../../base/visible.ts";
import type { FittedRole } from "../fitting/types.ts";
import { closed, resourcesClosed, type Permissions } from "./permissions.ts";

/** An entry under `agent`. Deny first, then exactly what the role holds. */
export function agentEntry(role: FittedRole, primary: boolean): Record<string, unknown> {
  return {
    mode: primary ? "primary" : "subagent",
    description: visible(role.role.description ?? `Works as ${role.name}.`),
    permission: { ...own(role), ...closed(role.servers), ...tools(role), ...read(role), ...task(role) },
  };
}

/** The host's own tools. Governed, everything that isn't named is denied, whatever a later version brings. */
function own({ builtins }: FittedRole): Permissions {
  if (builtins === undefined || builtins.includes("*")) return {};
  return { "*": "deny", ...Object.fromEntries(builtins.map((name) => [name, "allow"])) };
}

function tools({ servers }: FittedRole): Permissions {
  return Object.fromEntries(servers.flatMap((server) => server.tools.map(({ joined, effect }) => [joined, effect])));
}

function read({ builtins, servers }: FittedRole): Permissions {
  const withheld = builtins !== undefined && !builtins.includes("*") && !builtins.includes("read");
  return withheld ? { read: "deny" } : resourcesClosed(servers);
}

/** Without delegates the tool that hands work over is gone. */
function task({ delegates }: FittedRole): Permissions {
  if (delegates.length === 0) return { task: "deny" };
  return { task: { "*": "deny", ...Object.fromEntries(delegates.map((name) => [name, "allow"])) } };
}
