import type { FittedPlan, FittedRole, Host, LeftOut } from "../4-artifacts/fitting/types.ts";
import { keyOf } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Everything that a role holds and a host doesn't get: said once for each role, server and reason. */
export const checkHosts: Check = ({ hosts }, report) => {
  for (const fitted of hosts) {
    checkRoles(fitted, report);
    checkBuiltins(fitted, report);
    checkBuiltinNames(fitted, report);
    checkSpelling(fitted, report);
    checkPrefixes(fitted, report);
    checkDelegates(fitted, report);
  }
  checkLeftOut(hosts, report);
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

/** Hosts that leave out the same for the same reason are told in one sentence. */
function checkLeftOut(hosts: readonly FittedPlan[], report: Report): void {
  const told = new Map<string, { readonly role: FittedRole; readonly left: LeftOut; readonly titles: string[] }>();
  for (const { host, choice, roles } of hosts) {
    for (const role of roles) {
      for (const left of role.leftOut.filter(({ because }) => because !== "references")) {
        const isError = choice.whenUnenforceable === "error" || namesAreFixed(host, left);
        const key = JSON.stringify([isError, role.name, whatOf(left), left.why]);
        if (told.has(key)) told.get(key)!.titles.push(host.title);
        else told.set(key, { role, left, titles: [host.title] });
      }
    }
  }
  for (const [key, { role, left, titles }] of told) {
    const code = key.startsWith("[true") ? "host/cannot-enforce" : "host/left-out";
    const params = { what: whatOf(left), role: role.name, hosts: titles.join(", "), why: left.why };
    report.add(code, keyOf(role.role.place), params);
  }
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

/** `github` and `github_admin` on a host that joins with `_`. */
function checkPrefixes({ host, choice, plan }: FittedPlan, report: Report): void {
  const beginnings = plan.servers.map(({ name }) => ({ name, beginning: host.joinedName(name, "") }));
  for (const { name: shorter, beginning } of beginnings) {
    if (beginning === "") continue;
    for (const other of beginnings)
      if (other.name !== shorter && other.beginning.startsWith(beginning))
        report.add("host/prefix", choice.place, { host: host.title, shorter, longer: other.name });
  }
}

/** Told where work would be handed over: elsewhere the host closes it for everybody. */
function checkDelegates({ host, choice, roles }: FittedPlan, report: Report): void {
  if (!host.handsOver) return;
  for (const { name, role, delegates } of roles) {
    const closed = role.delegates.filter((other) => !delegates.includes(other)).map((other) => `\`${other}\``);
    if (closed.length === 0) continue;
    const what = `handing work to ${closed.join(", ")}`;
    const why = `its files there are for \`${choice.role}\` alone`;
    report.add("host/left-out", choice.place, { what, role: name, hosts: host.title, why });
  }
}
