import type { Tool } from "../../3-plan/types.ts";
import type { FittedServer, Host, LeftOut } from "./types.ts";

/**
 * Two tools of one name are one tool to a host: it keeps either, silently, and a rule about one is a rule about both. So
 * neither is given. On a host that filters by name a tool that the role doesn't hold counts as well: it would be let
 * through along with the other.
 */
export function withoutClashes(servers: readonly FittedServer[], host: Host, leftOut: LeftOut[]): FittedServer[] {
  const bearers = bearersOf(servers, host);
  return servers.map((fitted) => {
    const clashing = fitted.tools.filter(({ joined }) => bearers.get(joined)! > 1);
    if (clashing.length === 0) return fitted;
    for (const { tool, joined } of clashing) leftOut.push(leftOutFor(fitted, tool, joined));
    return { ...fitted, tools: fitted.tools.filter((tool) => !clashing.includes(tool)) };
  });
}

function leftOutFor({ server }: FittedServer, tool: Tool, joined: string): LeftOut {
  const why = `another tool is called \`${joined}\` there as well`;
  return { server, tools: [tool], wholeServer: false, because: "clash", why };
}

/** How many tools bear each name. */
function bearersOf(servers: readonly FittedServer[], host: Host): Map<string, number> {
  const bearers = new Map<string, number>();
  for (const { server, tools } of servers) {
    for (const { name } of host.abilities.filtersByName ? server.tools : tools.map(({ tool }) => tool)) {
      const joined = host.joinedName(server.name, name);
      bearers.set(joined, (bearers.get(joined) ?? 0) + 1);
    }
  }
  return bearers;
}
