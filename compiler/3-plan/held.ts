import type { ServerName } from "../base/names.ts";
import type { Tool } from "../2-model/types.ts";
import type { Decision, Grant, Plan } from "./types.ts";

/** The tools that a grant gives, asked or not, sorted by name as the server's tools are. */
export function held(grant: Grant): (readonly [Tool, Decision])[] {
  const found: (readonly [Tool, Decision])[] = [];
  const { tools } = grant.server;
  for (let index = 0; index < tools.length; index++) {
    const decision = grant.decisions[index]!;
    if (decision.effect !== "deny") found.push([tools[index]!, decision]);
  }
  return found;
}

export function holdsAny(grant: Grant): boolean {
  return grant.resources !== undefined || holdsTools(grant);
}

export function holdsTools({ decisions }: Pick<Grant, "decisions">): boolean {
  return decisions.some((decision) => decision.effect !== "deny");
}

/** By server: whether some role holds its tools, by index. One of which roles only read is there too; one of nobody's isn't. */
export function heldByServer(plan: Plan): Map<ServerName, boolean[]> {
  const servers = new Map<ServerName, boolean[]>();
  for (const role of plan.roles) {
    for (const { server, decisions, resources } of role.grants) {
      if (resources !== undefined && !servers.has(server.name))
        servers.set(
          server.name,
          server.tools.map(() => false),
        );
      for (let index = 0; index < decisions.length; index++) {
        if (decisions[index]!.effect === "deny") continue;
        let tools = servers.get(server.name);
        if (tools === undefined) servers.set(server.name, (tools = server.tools.map(() => false)));
        tools[index] = true;
      }
    }
  }
  return servers;
}
