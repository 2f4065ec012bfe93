import type { Tool } from "../3-plan/types.ts";
import type { FittedRole, FittedServer, HostFacts, LeftOut } from "./types.ts";

/**
 * Two tools of one name are one tool to a host: it keeps either, silently, and a rule about one is a rule about both. So
 * neither is given. On a host that filters by name a tool that the role doesn't hold counts as well, and so do the servers
 * of other roles, which may be there along with its own: it would be let through with the other.
 */
export function withoutClashes(roles: readonly FittedRole[], host: HostFacts): FittedRole[] {
  const all = host.abilities.filtersByName ? bearersOf(roles, host) : undefined;
  return roles.map((role) => {
    const bearers = all ?? bearersOf([role], host);
    const leftOut = [...role.leftOut];
    const servers = role.servers.map((fitted) => withoutShared(fitted, bearers, leftOut));
    return { ...role, servers: servers.filter(({ tools }) => tools.length > 0), leftOut };
  });
}

function withoutShared(fitted: FittedServer, bearers: Bearers, leftOut: LeftOut[]): FittedServer {
  const clashing = fitted.tools.filter(({ joined }) => bearers.get(joined)!.size > 1);
  if (clashing.length === 0) return fitted;
  for (const { tool, joined } of clashing) leftOut.push(leftOutFor(fitted, tool, joined));
  return { ...fitted, tools: fitted.tools.filter((tool) => !clashing.includes(tool)) };
}

function leftOutFor({ server }: FittedServer, tool: Tool, joined: string): LeftOut {
  const why = `another tool is called \`${joined}\` there as well`;
  return { server, tools: [tool], wholeServer: false, because: "clash", why };
}

/** By name, the tools that bear it. */
type Bearers = ReadonlyMap<string, ReadonlySet<Tool>>;

function bearersOf(roles: readonly FittedRole[], host: HostFacts): Bearers {
  const bearers = new Map<string, Set<Tool>>();
  for (const tool of toolsThere(roles, host)) {
    const joined = host.joinedName(tool.server, tool.name);
    const same = bearers.get(joined);
    if (same === undefined) bearers.set(joined, new Set([tool]));
    else same.add(tool);
  }
  return bearers;
}

function toolsThere(roles: readonly FittedRole[], host: HostFacts): Tool[] {
  const servers = roles.flatMap((role) => role.servers);
  return host.abilities.filtersByName
    ? [...new Set(servers.map(({ server }) => server))].flatMap((server) => server.tools)
    : servers.flatMap(({ tools }) => tools.map(({ tool }) => tool));
}
