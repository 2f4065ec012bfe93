import type { FittedPlan, HostFacts, LeftOut } from "../4-fit/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { nearest } from "../base/nearest.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import type { Related, Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** What stops the build for a host: a choice that it needs, or something that it can't hold where that is an error. */
export const checkHosts: Check = ({ hosts, plan }, report) => {
  checkAssumed(plan, report);
  checkTransports(hosts, report);
  for (const { host, choice, roles } of hosts) {
    if (host.abilities.roles || roles.length < 2) continue;
    report.add("host/needs-role", choice.place, { host: host.title, id: host.id, count: String(roles.length) });
  }
  checkEnforced(hosts, report);
};

/** What is assumed of a variable that no connection has decides nothing, and the one that was meant stays undecided. */
function checkAssumed({ project, servers }: Plan, report: Report): void {
  const known = servers.flatMap(({ variables }) => variables.map(({ name }) => name));
  for (const { assumed, place } of project.hosts)
    for (const name of assumed.keys())
      if (!known.includes(name))
        report.add("host/unknown-variable", keyOf(within(place, "assume", name)), {
          name,
          nearest: nearest(name, known),
        });
}

/** Whatever is chosen for what can't be enforced: without a way to it a server isn't restricted there, it is missing. */
function checkTransports(hosts: readonly FittedPlan[], report: Report): void {
  for (const { host, choice, roles } of hosts) {
    const left = roles.flatMap(({ leftOut }) => leftOut.filter(({ because }) => because === "transport"));
    const held = host.transports?.(choice) ?? [];
    for (const server of new Set(left.map((one) => one.server))) {
      const ways = [...new Set(server.connect.map(({ kind }) => kind))];
      const [first] = server.connect;
      report.add("host/no-transport", keyOf(within(first!.place, first!.kind)), {
        server: server.name,
        host: host.title,
        ways: ways.join(" and "),
        held: held.join(" and "),
        wanted: `[${[...held, ...ways].join(", ")}]`,
      });
    }
  }
}

/** What can't go somewhere: of several hosts it is said in one sentence, and so is a connection of several roles. */
function checkEnforced(hosts: readonly FittedPlan[], report: Report): void {
  const told = new Map<string, Finding>();
  for (const fitted of hosts) {
    for (const { name, role, leftOut } of fitted.roles) {
      for (const left of leftOut.filter((one) => one.because !== "transport" && stopsTheBuild(one, fitted))) {
        const ofServer = left.because === "references" || left.because === "limits";
        const [at = keyOf(ofServer ? left.server.place : role.place), ...others] = causesOf(left);
        const also = [
          ...others.slice(0, MOST).map((place) => ({ says: "this is behind it as well", at: place })),
          ...(ofServer || at === role.place ? [] : [{ says: "the role", at: keyOf(role.place) }]),
        ];
        const { why } = left;
        const mended = left.because === "references" ? fitted.mended : undefined;
        const finding = {
          at,
          also,
          what: whatOf(left),
          why,
          mended,
          hosts: new Set<string>(),
          roles: new Set<string>(),
        };
        const key = JSON.stringify([at, finding.what, why, mended, ofServer ? "" : name]);
        const known = told.get(key) ?? finding;
        told.set(key, known);
        known.hosts.add(fitted.host.title);
        known.roles.add(`\`${name}\``);
      }
    }
  }
  for (const { at, also, what, why, mended, ...whose } of told.values()) {
    const [titles, roles] = [[...whose.hosts].join(", "), [...whose.roles].join(", ")];
    report.add("host/cannot-enforce", at, { what, why, mended, hosts: titles, roles }, also);
  }
}

interface Finding {
  readonly at: Place;
  readonly also: readonly Related[];
  readonly what: string;
  readonly why: string;
  readonly mended: string | undefined;
  readonly hosts: Set<string>;
  readonly roles: Set<string>;
}

/** What was written that keeps it away: its rules, or what was declared that the host can't take. */
export function causesOf({ rules, declared }: LeftOut): Place[] {
  const places = [...rules.map(({ from }) => from), ...declared];
  return places.map((place) => (typeof place.path.at(-1) === "string" ? keyOf(place) : place));
}

export function stopsTheBuild(left: LeftOut, { host, choice }: Pick<FittedPlan, "host" | "choice">): boolean {
  if (left.because === "chosen") return false;
  if (left.because === "transport") return true;
  return choice.whenUnenforceable === "error" || namesAreFixed(host, left);
}

/** A host that takes names as they are can't have both, and which one is meant only the author knows. */
function namesAreFixed(host: HostFacts, { because, tools }: LeftOut): boolean {
  return because === "clash" && tools.every((tool) => host.joinedName("", tool.name) === tool.name);
}

/** At most this many names in one sentence. */
const MOST = 5;

function whatOf({ server, tools, wholeServer }: LeftOut): string {
  if (wholeServer) return `server \`${server.name}\``;
  const names = tools.slice(0, MOST).map((tool) => `\`${server.name}.${tool.name}\``);
  const more = tools.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
