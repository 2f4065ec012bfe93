import type { Tool } from "../../3-plan/types.ts";
import type { FittedServer, Host, LeftOut } from "./types.ts";

/**
 * Two tools of one name are one tool to a host: it keeps either, silently, and a rule about one is a rule about both. So
 * neither is given. A tool that the role doesn't hold counts: its name would be let through along with the other's.
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

/** How many tools of these servers, held or not, bear each name. */
function bearersOf(servers: readonly FittedServer[], host: Host): Map<string, number> {
  const bearers = new Map<string, number>();
  for (const { server } of servers) {
    for (const tool of server.tools) {
      const joined = host.joinedName(server.name, tool.name);
      bearers.set(joined, (bearers.get(joined) ?? 0) + 1);
    }
  }
  return bearers;
}
