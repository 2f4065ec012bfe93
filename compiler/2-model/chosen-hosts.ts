import { nearest } from "../base/nearest.ts";
import type { RoleName } from "../base/names.ts";
import { keyOf, type Place, within } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Sources } from "../1-source/types.ts";
import { HOSTS, TAKES_SERVERS_WHOLE, type HostId } from "./hosts.ts";
import type { HostChoice } from "./types.ts";

/** What `hosts:` asks for, in the order of the ids. A host that isn't known, or stands there twice, is left out and said. */
export function chosenHosts({ project }: Sources, roles: ReadonlySet<string>, report: Report): HostChoice[] {
  const chosen = new Map<HostId, HostChoice>();
  (project.hosts ?? []).forEach((written, index) => {
    const place: Place = { file: "rolecall.yaml", path: ["hosts", index] };
    const entry = typeof written === "string" ? { id: written } : written;
    const id = HOSTS.find((host) => host === entry.id);
    if (id === undefined)
      report.add("host/unknown", place, {
        host: entry.id,
        whole: TAKES_SERVERS_WHOLE.get(entry.id.toLowerCase()),
        nearest: nearest(entry.id, HOSTS),
      });
    else if (chosen.has(id))
      report.add("host/twice", place, { host: id }, [{ says: "the first", at: chosen.get(id)!.place }]);
    else chosen.set(id, choiceOf(id, entry, place, roles, report));
  });
  return [...chosen.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type Written = Exclude<NonNullable<Sources["project"]["hosts"]>[number], string>;

function choiceOf(id: HostId, entry: Written, place: Place, roles: ReadonlySet<string>, report: Report): HostChoice {
  const whenUnenforceable = entry.whenUnenforceable ?? "leave-out";
  if (whenUnenforceable === "gateway")
    report.add("host/no-gateway", keyOf({ ...place, path: [...place.path, "whenUnenforceable"] }), { host: id });
  if (entry.role !== undefined && !roles.has(entry.role))
    report.add("role/unknown", within(place, "role"), {
      owner: `host \`${id}\``,
      role: entry.role,
      nearest: nearest(entry.role, roles),
    });
  if (entry.into !== undefined && id !== "opencode")
    report.add("host/no-into", keyOf({ ...place, path: [...place.path, "into"] }), { host: id });
  return {
    id,
    place,
    whenUnenforceable: whenUnenforceable === "error" ? "error" : "leave-out",
    assumedSet: new Set(Object.entries(entry.assume ?? {}).flatMap(([name, state]) => (state === "set" ? [name] : []))),
    role: entry.role as RoleName | undefined,
    into: entry.into === undefined ? undefined : plainPath(entry.into),
  };
}
