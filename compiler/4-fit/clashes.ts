import type { Server, Tool } from "../3-plan/types.ts";
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
      const clash = ({ joined }: FittedTool): Clash | undefined => {
        const same = bearers.get(joined)!;
        if (same.size > 1)
          return { why: `another tool is called \`${joined}\` there as well`, servers: [...same.values()] };
        const other = others?.get(fitted.server.name)?.find(({ beginning }) => joined.startsWith(beginning));
        if (other === undefined) return undefined;
        const why = `server \`${other.server.name}\` could come to have a tool that is called \`${joined}\` there as well`;
        return { why, servers: [other.server] };
      };
      return withoutShared(fitted, clash, leftOut);
    });
    return { ...role, servers: servers.filter(({ tools }) => tools.length > 0), leftOut };
  });
}

function withoutShared(
  fitted: FittedServer,
  clash: (tool: FittedTool) => Clash | undefined,
  leftOut: LeftOut[],
): FittedServer {
  const { server } = fitted;
  const tools = fitted.tools.filter((one) => {
    const found = clash(one);
    if (found === undefined) return true;
    const declared = [...new Set([server, ...found.servers])].map(({ place }) => place);
    leftOut.push({
      server,
      tools: [one.tool],
      wholeServer: false,
      because: "clash",
      why: found.why,
      rules: [],
      declared,
    });
    return false;
  });
  return tools.length === fitted.tools.length ? fitted : { ...fitted, tools };
}

interface Clash {
  readonly why: string;
  /** Those that the tools of one name are of. */
  readonly servers: readonly Server[];
}

interface Beginning {
  readonly server: Server;
  readonly beginning: string;
}

/** By server, those whose names of tools begin as some of its own could: with `a_b`, tool `b_c` of `a` begins as tool `c` does. */
function longerBeginnings(roles: readonly FittedRole[], host: HostFacts): ReadonlyMap<string, readonly Beginning[]> {
  const servers = new Set(roles.flatMap((role) => role.servers.map(({ server }) => server)));
  const all = [...servers].map((server): Beginning => ({ server, beginning: host.joinedName(server.name, "") }));
  return new Map(
    all.map(({ server, beginning }) => [
      server.name,
      all.filter((other) => other.server !== server && beginning !== "" && other.beginning.startsWith(beginning)),
    ]),
  );
}

/** By name, the tools that bear it, and whose they are. */
type Bearers = ReadonlyMap<string, ReadonlyMap<Tool, Server>>;

function bearersOf(roles: readonly FittedRole[], host: HostFacts): Bearers {
  const bearers = new Map<string, Map<Tool, Server>>();
  for (const { server, tools } of toolsThere(roles, host))
    for (const tool of tools) {
      const joined = host.joinedName(server.name, tool.name);
      const same = bearers.get(joined);
      if (same === undefined) bearers.set(joined, new Map([[tool, server]]));
      else same.set(tool, server);
    }
  return bearers;
}

function toolsThere(
  roles: readonly FittedRole[],
  host: HostFacts,
): { readonly server: Server; readonly tools: readonly Tool[] }[] {
  const fitted = roles.flatMap((role) => role.servers);
  return host.abilities.filtersByName
    ? [...new Set(fitted.map(({ server }) => server))].map((server) => ({ server, tools: server.tools }))
    : fitted.map(({ server, tools }) => ({ server, tools: tools.map(({ tool }) => tool) }));
}
