import type { HostFacts } from "../4-fit/types.ts";
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
    for (const { name, role, builtins } of roles)
      if (builtins !== undefined && !builtins.includes("*"))
        report.add("host/builtins", keyOf(role.place), { host: host.title, id: host.id, role: name });
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
  const server = plan.servers.find((one) => isOfServer(name, host.joinedName(one.name, "")));
  if (server !== undefined || can === "hands work on" || can === "reads resources") {
    const about = { host: host.title, role: role.name, name };
    report.add(
      "host/no-builtin",
      place,
      server ? { ...about, case: "server", server: server.name } : { ...about, case: "opens" },
    );
  } else if (can === undefined && !isOptional && host.ownTools && host.abilities.builtins.holds !== "none") {
    const { seenIn, under, tools } = host.ownTools;
    const known = [...tools].filter(([, does]) => does !== "hands work on" && does !== "reads resources");
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

/** Without what joins, the beginning means all of the server's tools to some hosts. */
function isOfServer(written: string, joined: string): boolean {
  // Some hosts take a name in any case.
  const [name, beginning] = [written.toLowerCase(), joined.toLowerCase()];
  return beginning !== "" && (name.startsWith(beginning) || name === beginning.replace(/[^a-z0-9]+$/, ""));
}
