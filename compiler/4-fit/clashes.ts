import type { Tool } from "../3-plan/types.ts";
import type { FittedRole, FittedServer, FittedTool, HostFacts, LeftOut } from "./types.ts";

/**
 * Two tools of one name are one tool to a host: it keeps either, silently, and a rule about one is a rule about both. So
 * neither is given. On a host that filters by name a tool that the role doesn't hold counts as well, and so do the servers
 * of other roles, which may be there along with its own: it would be let through with the other. So would one that a
 * server comes to have later, where its names begin as those of another server may.
 */
export function withoutClashes(roles: readonly FittedRole[], host: HostFacts): FittedRole[] {
  const all = host.abilities.filtersByName ? bearersOf(roles, host) : undefined;
  const others = host.abilities.filtersByName ? longerBeginnings(roles, host) : undefined;
  return roles.map((role) => {
    const bearers = all ?? bearersOf([role], host);
    const leftOut = [...role.leftOut];
    const servers = role.servers.map((fitted) => {
      const clash = ({ joined }: FittedTool): string | undefined => {
        if (bearers.get(joined)!.size > 1) return `another tool is called \`${joined}\` there as well`;
        const other = others?.get(fitted.server.name)?.find(({ beginning }) => joined.startsWith(beginning));
        return other && `server \`${other.name}\` could come to have a tool that is called \`${joined}\` there as well`;
      };
      return withoutShared(fitted, clash, leftOut);
    });
    return { ...role, servers: servers.filter(({ tools }) => tools.length > 0), leftOut };
  });
}

function withoutShared(
  fitted: FittedServer,
  clash: (tool: FittedTool) => string | undefined,
  leftOut: LeftOut[],
): FittedServer {
  const tools = fitted.tools.filter((one) => {
    const why = clash(one);
    if (why !== undefined)
      leftOut.push({ server: fitted.server, tools: [one.tool], wholeServer: false, because: "clash", why, rules: [] });
    return why === undefined;
  });
  return tools.length === fitted.tools.length ? fitted : { ...fitted, tools };
}

interface Beginning {
  readonly name: string;
  readonly beginning: string;
}

/** By server, those whose names of tools begin as some of its own could: with `a_b`, tool `b_c` of `a` begins as tool `c` does. */
function longerBeginnings(roles: readonly FittedRole[], host: HostFacts): ReadonlyMap<string, readonly Beginning[]> {
  const names = new Set(roles.flatMap((role) => role.servers.map(({ server }) => server.name as string)));
  const all = [...names].map((name): Beginning => ({ name, beginning: host.joinedName(name, "") }));
  return new Map(
    all.map(({ name, beginning }) => [
      name,
      all.filter((other) => other.name !== name && beginning !== "" && other.beginning.startsWith(beginning)),
    ]),
  );
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
