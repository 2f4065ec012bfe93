import type { FittedPlan, Host, LeftOut } from "../4-artifacts/fitting/types.ts";
import { keyOf, type Place } from "../base/place.ts";
import type { Code } from "../diagnostics/catalogue.ts";
import type { Params, Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Everything that a role holds and a host doesn't get: said once for each role, server and reason. */
export const checkHosts: Check = ({ hosts }, report) => {
  for (const fitted of hosts) {
    checkRoles(fitted, report);
    checkBuiltins(fitted, report);
    checkBuiltinNames(fitted, report);
    checkSpelling(fitted, report);
  }
  checkPrefixes(hosts, report);
  checkLeftOut(hosts, report);
  checkDelegates(hosts, report);
};

function checkRoles({ host, choice, roles }: FittedPlan, report: Report): void {
  if (host.abilities.roles || roles.length < 2) return;
  report.add("host/needs-role", choice.place, { host: host.title, id: host.id, count: String(roles.length) });
}

function checkBuiltins({ host, roles }: FittedPlan, report: Report): void {
  if (host.abilities.builtins.holds !== "none") return;
  for (const { name, role, builtins } of roles)
    if (builtins !== undefined && !builtins.includes("*"))
      report.add("host/builtins", keyOf(role.place), { host: host.title, id: host.id, role: name });
}

/** A host takes all names of tools from one list: one under `builtins` could give what no policy has seen. */
function checkBuiltinNames({ host, roles, plan }: FittedPlan, report: Report): void {
  for (const { name: role, role: planned, builtins = [] } of roles) {
    for (const name of builtins) {
      const server = plan.servers.find((one) => isOfServer(name, host.joinedName(one.name, "")));
      const isClosed = host.abilities.closedTools?.includes(name) === true;
      if (server === undefined && !isClosed) continue;
      const why = server ? `it would be a tool of \`${server.name}\`` : "it hands work over, or reads resources";
      report.add("host/no-builtin", keyOf(planned.place), { host: host.title, role, name, why });
    }
  }
}

/** Without what joins, the beginning means all of the server's tools to some hosts. */
function isOfServer(name: string, beginning: string): boolean {
  return beginning !== "" && (name.startsWith(beginning) || name === beginning.replace(/[^A-Za-z0-9]+$/, ""));
}

/** A connection that can't be written down is the server's, not a role's: said once. */
function checkSpelling({ host, roles }: FittedPlan, report: Report): void {
  const told = new Set<string>();
  for (const { server, because, why } of roles.flatMap(({ leftOut }) => leftOut)) {
    if (because !== "references" || told.has(server.name)) continue;
    told.add(server.name);
    report.add("host/cannot-spell", keyOf(server.place), { host: host.title, server: server.name, why });
  }
}

function checkLeftOut(hosts: readonly FittedPlan[], report: Report): void {
  const findings = hosts.flatMap(({ host, choice, roles }) =>
    roles.flatMap(({ name, role, leftOut }) =>
      leftOut
        .filter(({ because }) => because !== "references")
        .map((left) => ({
          isError: choice.whenUnenforceable === "error" || namesAreFixed(host, left),
          host: host.title,
          at: keyOf(role.place),
          params: { what: whatOf(left), role: name, why: left.why },
        })),
    ),
  );
  const told = (wanted: boolean) => findings.filter(({ isError }) => isError === wanted);
  tellTogether("host/cannot-enforce", told(true), report);
  tellTogether("host/left-out", told(false), report);
}

/** A host that takes names as they are can't have both, and which one is meant only the author knows. */
function namesAreFixed(host: Host, { because, tools }: LeftOut): boolean {
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

/** `github` and `github_admin` on hosts that join with `_`. */
function checkPrefixes(hosts: readonly FittedPlan[], report: Report): void {
  const findings = hosts.flatMap(({ host, plan }) => {
    const servers = plan.servers.map(({ name, place }) => ({ name, place, beginning: host.joinedName(name, "") }));
    return servers.flatMap(({ name: shorter, beginning }) =>
      servers
        .filter((other) => beginning !== "" && other.name !== shorter && other.beginning.startsWith(beginning))
        .map(({ name: longer, place }) => ({ host: host.title, at: keyOf(place), params: { shorter, longer } })),
    );
  });
  tellTogether("host/prefix", findings, report);
}

function checkDelegates(hosts: readonly FittedPlan[], report: Report): void {
  const findings = hosts.flatMap(({ host, choice, roles }) =>
    roles.flatMap(({ name, role, closedDelegation }) => {
      if (closedDelegation === undefined) return [];
      const delegates = closedDelegation.delegates.map((other) => `\`${other}\``).join(", ");
      const into = choice.role === undefined ? choice.into : undefined;
      const params = { role: name, delegates, why: closedDelegation.why, into };
      return [{ host: host.title, at: keyOf(role.place), params }];
    }),
  );
  tellTogether("host/closed-delegation", findings, report);
}

/** What is to be said of a host, and maybe of others just so. */
interface Finding<C extends Code> {
  readonly host: string;
  readonly at: Place;
  readonly params: Omit<Params<C>, "hosts">;
}

/** Hosts of which the same is to be said are named in one sentence. */
function tellTogether<C extends Code>(code: C, findings: readonly Finding<C>[], report: Report): void {
  const told = new Map<string, { readonly finding: Finding<C>; readonly hosts: string[] }>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.at, finding.params]);
    const same = told.get(key);
    if (same === undefined) told.set(key, { finding, hosts: [finding.host] });
    else same.hosts.push(finding.host);
  }
  for (const { finding, hosts } of told.values())
    report.add(code, finding.at, { ...finding.params, hosts: hosts.join(", ") } as unknown as Params<C>);
}
