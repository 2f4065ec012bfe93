import type { RoleName, ServerName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import { keyOf, type Place, within } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Sources } from "../1-source/types.ts";
import { hostMeant, HOSTS, TAKES_SERVERS_WHOLE, type HostId } from "./hosts.ts";
import { checkRoleName, checkServerName, type KnownNames } from "./names.ts";
import type { HostChoice } from "./types.ts";

/** What `hosts:` asks for, in the order of the ids. A host that isn't known, or stands there twice, is left out and said. */
export function chosenHosts(hosts: Sources["hosts"], known: KnownNames, report: Report): HostChoice[] {
  const chosen = new Map<HostId, HostChoice>();
  hosts.forEach((written, index) => {
    const place: Place = { file: PROJECT_FILE, path: ["hosts", index] };
    const entry = typeof written === "string" ? { id: written } : written;
    const id = HOSTS.find((host) => host === entry.id);
    if (id === undefined)
      report.add("host/unknown", place, {
        host: entry.id,
        whole: TAKES_SERVERS_WHOLE.get(entry.id.toLowerCase()),
        nearest: hostMeant(entry.id, HOSTS),
      });
    else if (chosen.has(id))
      report.add("host/twice", place, { host: id }, [{ says: "the first", at: chosen.get(id)!.place }]);
    else chosen.set(id, choiceOf(id, entry, place, known, report));
  });
  return [...chosen.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type WrittenHost = Exclude<Sources["hosts"][number], string>;

function choiceOf(id: HostId, entry: WrittenHost, place: Place, known: KnownNames, report: Report): HostChoice {
  const whenUnenforceable = entry.whenUnenforceable ?? "leave-out";
  if (whenUnenforceable === "gateway")
    report.add("host/no-gateway", keyOf({ ...place, path: [...place.path, "whenUnenforceable"] }), { host: id });
  const owner = `host \`${id}\``;
  if (entry.role !== undefined) checkRoleName(entry.role, owner, within(place, "role"), known, report);
  const without = (entry.without ?? []).filter((server, i) =>
    checkServerName(server, owner, within(place, "without", i), known, report),
  );
  if (entry.into !== undefined && id !== "opencode")
    report.add("host/no-into", keyOf({ ...place, path: [...place.path, "into"] }), { host: id });
  return {
    id,
    place,
    whenUnenforceable: whenUnenforceable === "error" ? "error" : "leave-out",
    isChosen: entry.whenUnenforceable !== undefined,
    assumed: new Map(Object.entries(entry.assume ?? {})),
    without: sorted(new Set(without)) as ServerName[],
    role: entry.role as RoleName | undefined,
    into: entry.into === undefined ? undefined : plainPath(entry.into),
  };
}
