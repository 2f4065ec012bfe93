import { isGateway } from "../4-fit/given.ts";
import type { Can, FittedPlan, FittedTool, HostFacts, LeftOut } from "../4-fit/types.ts";
import { keyOf, type Place } from "../base/place.ts";
import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import type { Params, Report } from "../diagnostics/report.ts";
import type { HostRemark } from "../diagnostics/types.ts";
import { causesOf, stopsTheBuild } from "./hosts.ts";
import type { Check } from "./types.ts";

/** What is worth knowing of each chosen host: said once a host and kind, with all roles, and not again where the project chose it. */
export const checkHostRemarks: Check = ({ hosts }, report) => {
  for (const fitted of hosts) {
    tellOpenTools(fitted, report);
    tellLeftOut(fitted, report);
    tellGrowing(fitted, report);
    tellOpenToOthers(fitted, report);
    tellConnections(fitted, report);
    tellOtherTransports(fitted, report);
    tellClosed(fitted, report);
    tellPrefixes(fitted, report);
  }
};

function tellOpenTools(fitted: FittedPlan, report: Report): void {
  const { unsaid = [], dangers = [] } = fitted.openTools ?? {};
  const { host, roles } = fitted;
  const silent = roles.filter(({ name }) => unsaid.includes(name)).map(({ role }) => keyOf(role.place));
  const remarks = dangers.map(({ can, names }) => remark(unsaid, names, DOES[can], silent));
  const list = host.abilities.builtins.holds === "none" ? "all" : `[${readersOf(host).join(", ")}]`;
  const params = {
    host: host.title,
    count: counted(unsaid.length, "role"),
    example: `builtins: { ${host.id}: ${list} }`,
  };
  if (unsaid.length > 0) tell("role/builtins-open", "own tools", remarks, params, fitted, report);
}

/** A few that a role which looks around would have, for an example. */
function readersOf({ ownTools }: HostFacts): string[] {
  const reads = [...(ownTools?.tools ?? [])].filter(([, can]) => can === "reads").map(([name]) => name);
  return reads.filter((name) => /^(read|view|grep|glob|search)/i.test(name) && !name.includes("/")).slice(0, 3);
}

/** Completes "these ..."; those that do less aren't named. */
const DOES: Readonly<Partial<Record<Can, string>>> = {
  runs: "run commands",
  writes: "write files",
  "reaches out": "reach out",
};

function tellLeftOut(fitted: FittedPlan, report: Report): void {
  if (fitted.choice.isChosen && fitted.choice.whenUnenforceable !== "gateway") return;
  const left = leftOf(fitted).filter(({ one }) => one.because !== "references" && one.because !== "chosen");
  const tools = left.reduce((sum, { one }) => sum + one.tools.length, 0);
  const remarks = left.map(({ role, one }) => remark([role], namesOf(one), one.why, causesOf(one)));
  tell(
    "host/left-out",
    "left out",
    remarks,
    { host: fitted.host.title, count: counted(tools, "tool") },
    fitted,
    report,
  );
}

/** Of a host that can't hide a tool: what its servers add is there. */
function tellGrowing(fitted: FittedPlan, report: Report): void {
  if (fitted.host.abilities.hide.holds !== "none") return;
  const remarks = fitted.roles.flatMap(({ name, servers }) =>
    servers
      .filter((server) => !isGateway(server))
      .map(({ server, tools }) => remark([name], [server.name], "every tool that it has", grantsOf(tools))),
  );
  const servers = counted(new Set(remarks.flatMap(({ names }) => names)).size, "server");
  tell("host/may-grow", "may grow", remarks, { host: fitted.host.title, servers }, fitted, report);
}

/** Of a host that holds a role's agent to its tools, and nobody else who works there. */
function tellOpenToOthers(fitted: FittedPlan, report: Report): void {
  const { openToOthers: names } = fitted;
  if (names.length === 0) return;
  const remarks = [remark([], names, "every tool, to whoever works there without a role's agent")];
  const servers = counted(names.length, "server");
  const [first = ""] = names;
  const isServed = fitted.choice.via === "serve";
  const example = isServed ? undefined : `{ id: ${fitted.host.id}, without: [${first}] }`;
  const alone = isServed ? `{ id: ${fitted.host.id}, role: ${fitted.roles[0]!.name}, via: serve }` : undefined;
  tell("host/open-to-others", "open", remarks, { host: fitted.host.title, servers, example, alone }, fitted, report);
}

/** What gives them to the role. */
function grantsOf(tools: readonly FittedTool[]): Place[] {
  const given = new Set(tools.flatMap(({ decision }) => decision.because.filter(({ rule }) => rule === "include")));
  return [...new Set([...given].map(({ from }) => from))].map(keyOf);
}

function tellConnections(fitted: FittedPlan, report: Report): void {
  const { host, choice, roles, mended } = fitted;
  const unspelt = leftOf(fitted).filter(({ one }) => one.because === "references");
  const away = unspelt.map(({ one }) => remark([], [one.server.name], one.why, causesOf(one)));
  const servers = counted(new Set(unspelt.map(({ one }) => one.server)).size, "server");
  if (!choice.isChosen || choice.whenUnenforceable === "gateway")
    tell("host/cannot-spell", "connection", away, { host: host.title, servers }, fitted, report, mended);
  const given = roles.flatMap((role) => role.servers);
  const unsaid = given.flatMap(({ server, transport, omitted }) =>
    omitted.filter(({ isChosen }) => !isChosen).map((one) => ({ server, at: transport.place, ...one })),
  );
  const without = unsaid.map(({ server, at, what, variable }) =>
    remark([], [server.name], `without ${what}: \`${variable}\` counts as unset`, [at]),
  );
  const [variable] = unsaid.map((one) => one.variable);
  tell(
    "host/counts-as-unset",
    "unset",
    without,
    { host: host.title, example: variable && `assume: { ${variable}: unset }` },
    fitted,
    report,
  );
}

/** Of a host that takes some kinds alone: ways that were written before the one that it is told. */
function tellOtherTransports(fitted: FittedPlan, report: Report): void {
  const { host, choice, roles } = fitted;
  const kinds = host.transports?.(choice);
  if (kinds === undefined) return;
  const remarks = roles.flatMap((role) =>
    role.servers.flatMap(({ server, transport }) => {
      const [first] = server.connect;
      if (first === undefined || kinds.includes(first.kind)) return [];
      return [
        remark([], [server.name], `\`${transport.kind}\` in place of \`${first.kind}\``, [keyOf(transport.place)]),
      ];
    }),
  );
  const servers = counted(new Set(remarks.flatMap(({ names }) => names)).size, "server");
  tell("host/other-transport", "transport", remarks, { host: host.title, servers }, fitted, report);
}

function tellClosed(fitted: FittedPlan, report: Report): void {
  const { host, roles } = fitted;
  const remarks = roles.flatMap(({ name, closedDelegation }) =>
    closedDelegation === undefined
      ? []
      : [
          remark(
            [name],
            closedDelegation.delegates.map((other) => `to ${other}`),
            closedDelegation.why,
            [closedDelegation.cause],
          ),
        ],
  );
  tell("host/closed-delegation", "hands over", remarks, { host: host.title }, fitted, report);
}

/** `github` and `github_admin` on hosts that join with `_`. */
function tellPrefixes(fitted: FittedPlan, report: Report): void {
  const { host, choice, plan } = fitted;
  const servers = plan.servers
    .filter(({ name }) => choice.via === "files" && !choice.without.includes(name))
    .map(({ name, place }) => ({ name, place, beginning: host.joinedName(name, "") }));
  const remarks = servers.flatMap((shorter) =>
    servers
      .filter((other) => shorter.beginning !== "" && other !== shorter && other.beginning.startsWith(shorter.beginning))
      .map((longer) =>
        remark(
          [],
          [shorter.name, longer.name],
          "can't be told apart by their beginning",
          [shorter, longer].map(({ place }) => keyOf(place)),
        ),
      ),
  );
  tell("host/prefix", "names", remarks, { host: host.title }, fitted, report);
}

function leftOf(fitted: FittedPlan): { readonly role: string; readonly one: LeftOut }[] {
  return fitted.roles.flatMap(({ name: role, leftOut }) =>
    leftOut.filter((one) => !stopsTheBuild(one, fitted)).map((one) => ({ role, one })),
  );
}

function namesOf({ server, tools, wholeServer }: LeftOut): string[] {
  return wholeServer ? [`all of ${server.name}`] : tools.map((tool) => `${server.name}.${tool.name}`);
}

function remark(
  roles: readonly string[],
  names: readonly string[],
  says = "",
  causes: readonly Place[] = [],
): HostRemark<Place> {
  return { roles, names, says, causes };
}

/** What is true of several roles alike is one remark; without any, nothing is said. */
function tell<C extends DiagnosticCode>(
  code: C,
  label: string,
  remarks: readonly HostRemark<Place>[],
  params: Params<C>,
  { host, choice }: FittedPlan,
  report: Report,
  next?: string,
): void {
  const same = new Map<string, HostRemark<Place>>();
  for (const one of remarks) {
    const key = JSON.stringify([one.names, one.says]);
    const before = same.get(key);
    const roles = [...(before?.roles ?? []), ...one.roles];
    const causes = new Map([...(before?.causes ?? []), ...one.causes].map((at) => [JSON.stringify(at), at]));
    same.set(key, { ...one, roles: [...new Set(roles)], causes: [...causes.values()] });
  }
  const remarked = { id: host.id, title: host.title, label, remarks: [...same.values()], next };
  if (same.size > 0) report.addOfHost(code, choice.place, params, remarked);
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
