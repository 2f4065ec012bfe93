import { type HostData, hostMeant, OWN_KEYS } from "../base/host-data.ts";
import type { RoleName, ServerName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import { keyOf, type Place, within } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Sources } from "../1-source/types.ts";
import { checkRoleName, checkServerName, type KnownNames } from "./names.ts";
import type { HostChoice } from "./types.ts";

/** What `hosts:` asks for, in the order of the ids. A host that isn't known, or stands there twice, is left out and said. */
export function chosenHosts(hosts: Sources["hosts"], known: KnownNames, report: Report): HostChoice[] {
  const chosen = new Map<string, HostChoice>();
  hosts.forEach((written, index) => {
    const place: Place = { file: PROJECT_FILE, path: ["hosts", index] };
    const entry = typeof written === "string" ? { id: written } : written;
    const host = known.hosts.find(({ id }) => id === entry.id);
    if (host === undefined)
      report.add("host/unknown", place, {
        host: entry.id,
        nearest: hostMeant(entry.id, known.hosts),
      });
    else if (chosen.has(host.id))
      report.add("host/twice", place, { host: host.id }, [{ says: "the first", at: chosen.get(host.id)!.place }]);
    else chosen.set(host.id, choiceOf(host, entry, place, known, report));
  });
  return [...chosen.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type WrittenHost = Exclude<Sources["hosts"][number], string>;

function choiceOf(host: HostData, entry: WrittenHost, place: Place, known: KnownNames, report: Report): HostChoice {
  const { id, places } = host;
  const whenUnenforceable = entry.whenUnenforceable ?? "leave-out";
  sayGateway(host, entry, place, report);
  const owner = `host \`${id}\``;
  if (entry.role !== undefined) checkRoleName(entry.role, owner, within(place, "role"), known, report);
  const without = (entry.without ?? []).filter((server, i) =>
    checkServerName(server, owner, within(place, "without", i), known, report),
  );
  if (entry.into !== undefined && places?.into === undefined) {
    const others = known.hosts.flatMap((host) => (host.places?.into === undefined ? [] : [host.id])).join(", ");
    report.add("host/no-into", keyOf({ ...place, path: [...place.path, "into"] }), { host: id, others });
  }
  sayOthersKeys(host, entry, place, known, report);
  return {
    id,
    place,
    via: host.gateway === "must" ? "serve" : (entry.via ?? "files"),
    whenUnenforceable,
    isChosen: entry.whenUnenforceable !== undefined,
    assumed: new Map(Object.entries(entry.assume ?? {})),
    without: sorted(new Set(without)) as ServerName[],
    role: entry.role as RoleName | undefined,
    into: entry.into === undefined ? undefined : plainPath(entry.into),
    stored: { project: entry.project, product: entry.product, transports: entry.transports },
    door: {
      issuer: entry.issuer,
      audience: entry.audience,
      jwks: entry.jwks,
      claim: entry.claim,
      url: entry.url,
      gateway: entry.gateway,
    },
  };
}

/** What is asked for of `rolecall serve` where it can't be told, and what isn't where nothing else can. */
function sayGateway({ id, title, gateway }: HostData, entry: WrittenHost, place: Place, report: Report): void {
  const key = entry.via !== undefined ? "via" : "whenUnenforceable";
  const isAsked = entry.via !== undefined || entry.whenUnenforceable === "gateway";
  if (isAsked && gateway === undefined) report.add("host/no-gateway", keyOf(within(place, key)), { host: title, key });
  if (gateway === "must" && entry.via === undefined) {
    const example = `{ id: ${id}, role: ${entry.role ?? "R"}, via: serve }`;
    report.add("host/needs-gateway", place, { host: title, example });
  }
}

function sayOthersKeys(
  { id, takes = [], needs = [] }: HostData,
  entry: WrittenHost,
  place: Place,
  known: KnownNames,
  report: Report,
): void {
  const lacking = needs.filter((key) => entry[key] === undefined).map((key) => `\`${key}\``);
  if (lacking.length > 0) report.add("host/lacks-key", place, { host: id, keys: lacking.join(", ") });
  for (const key of OWN_KEYS) {
    if (entry[key] === undefined || takes.includes(key)) continue;
    const others = known.hosts.flatMap((host) => (host.takes?.includes(key) ? [host.id] : [])).join(", ");
    report.add("host/no-such-key", keyOf(within(place, key)), { host: id, key, others });
  }
}
