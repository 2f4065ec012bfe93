import type { Can, HostFacts } from "../4-fit/types.ts";
import { nearest } from "../base/nearest.ts";
import { keyOf } from "../base/place.ts";
import type { NamedBuiltin, Role } from "../2-model/types.ts";
import type { Plan } from "../3-plan/types.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** What stands under `builtins`, held against each host's own tools, whether the project writes for it or not. */
export const checkBuiltins: Check = ({ model, plan, hosts, knownHosts }, report) => {
  for (const { host, roles } of hosts) {
    if (host.abilities.builtins.holds !== "none") continue;
    for (const { name, role, builtins } of roles) {
      if (builtins === undefined || builtins.includes("*")) continue;
      const written = model.roles
        .filter((one) => role.lineage.includes(one.name))
        .flatMap(({ namedBuiltins }) => namedBuiltins.find((one) => one.host === host.id)?.place ?? [])[0];
      const also = written === undefined ? [] : [{ says: "the role", at: keyOf(role.place) }];
      report.add("host/builtins", written ?? keyOf(role.place), { host: host.title, id: host.id, role: name }, also);
    }
  }
  for (const role of model.roles)
    for (const named of role.namedBuiltins) {
      const host = knownHosts.find(({ id }) => id === named.host);
      if (host !== undefined) checkName(named, role, host, plan, report);
    }
};

/** A host takes all names of tools from one list: one under `builtins` could give what no policy has seen. */
function checkName(
  { name, isOptional, place }: NamedBuiltin,
  role: Role,
  host: HostFacts,
  plan: Plan,
  report: Report,
): void {
  const can = host.ownTools?.tools.get(name);
  const server = plan.servers.find((one) => isOfServer(name, can !== undefined, one.name, host));
  const about = { host: host.title, role: role.name, name };
  if (server !== undefined) {
    report.add("host/no-builtin", place, { ...about, case: "server", server: server.name });
  } else if (isClosedTool(name, host) || isSetting(name, host)) {
    report.add("host/no-builtin", place, { ...about, case: isClosedTool(name, host) ? "opens" : "setting" });
  } else if (can === undefined && !isOptional && host.ownTools && host.abilities.builtins.holds !== "none") {
    const { seenIn, under, tools } = host.ownTools;
    const known = [...tools].filter(([, does]) => !isClosed(does));
    const near = nearest(
      name,
      known.map(([one]) => one),
    );
    const params = {
      name,
      id: host.id,
      host: host.title,
      seenIn,
      under: under?.get(name),
      nearest: near,
      spelling: `{ optional: ${name} }`,
    };
    report.add("role/unknown-builtin", place, params);
  }
}

/** These would go around a role as a whole. */
function isClosed(can: Can): boolean {
  return can === "hands work on" || can === "reads resources";
}

/** However it is spelt: the host may take a name in any case. */
function isClosedTool(name: string, { ownTools }: HostFacts): boolean {
  return [...(ownTools?.tools ?? [])].some(([tool, can]) => isClosed(can) && isSame(tool, name));
}

function isSetting(name: string, { kept }: HostFacts): boolean {
  return kept.settings.some((word) => isSame(word, name));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Without what joins, the beginning means all of the server's tools to some hosts. A name that isn't one of the host's own
 * tools is looked at in every spelling: `notes/look`, `mcp:notes-look`, `MCP__notes__look`.
 */
function isOfServer(name: string, isOwn: boolean, server: string, host: HostFacts): boolean {
  const joined = host.joinedName(server, "");
  if (joined === "") return false;
  // Some hosts take a name in any case.
  const [one, beginning] = [name.toLowerCase(), joined.toLowerCase()];
  if (one.startsWith(beginning) || one === beginning.replace(/[^a-z0-9]+$/, "")) return true;
  // `mcp__a` means all of a server `a` to some hosts, and begins what they call the tools of `a__b`.
  return !isOwn && (beginning.startsWith(one) || `${spelling(one)}_`.startsWith(`${spelling(server)}_`));
}

function spelling(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^mcp_/, "");
}
