import { stableText } from "../../base/stable-text.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { OWN_KEYS } from "../../base/host-data.ts";
import { sorted } from "../../base/order.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import { givenTools, isGateway } from "../../4-fit/given.ts";
import type { FittedPlan, FittedRole } from "../../4-fit/types.ts";
import { resourceRules } from "../../3-plan/resource-rules.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { Given, HostSettings } from "../../diff/host-direction.ts";
import { ownSettings } from "../../diff/own-settings.ts";
import { inOrder, type TellingKey } from "../../diff/setting-meanings.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../io/read/resources.ts";

/** What rolecall.yaml says of each host and of our own servers, and what hosts get of it. */
export function hostSettings(plan: Plan): HostSettings[] {
  const hosts = fitHosts(plan, allHosts(readResources().hosts)).map((fitted): HostSettings => ({
    block: "hosts",
    name: fitted.choice.id,
    settings: settingsOf(fitted),
    given: () => givenBy(fitted),
    away: () => new Set(fitted.roles.flatMap(awayFrom)),
    unsaid: new Set(fitted.openTools?.unsaid),
  }));
  return [...hosts, ...ownSettings(plan.project, plan.roles)];
}

/** Every key of an entry, as far as the host takes it. */
function settingsOf(fitted: FittedPlan): JsonObject {
  const { host, choice, plan } = fitted;
  const { via, whenUnenforceable, assumed, without, role, into, stored, door } = choice;
  const values: Readonly<Record<TellingKey<"hosts">, JsonValue | undefined>> = {
    via: via === "serve" ? via : undefined,
    open: openServers(fitted),
    whenUnenforceable,
    assume: Object.fromEntries(assumed),
    without,
    role,
    into,
    ...door,
    claim: door.claim ?? "role",
    project: typeof stored.project === "object" ? { ...stored.project } : (stored.project ?? plan.project.name),
    product: stored.product,
    transports: sorted(stored.transports ?? ["sse", "stdio"]),
  };
  const others: readonly string[] = OWN_KEYS.filter((key) => host.takes?.includes(key) !== true);
  return inOrder("hosts", Object.fromEntries(Object.entries(values).filter(([key]) => !others.includes(key))));
}

/** Those that a host which can't hide a tool is told of, and those that are open there to whoever has no role's agent. */
function openServers({ host, roles, openToOthers }: FittedPlan): string[] {
  const isWhole = host.abilities.hide.holds === "none";
  const open = directly(roles).filter((name) => isWhole || openToOthers.includes(name));
  return sorted(new Set(open));
}

/** Servers that the host is told of itself. */
function directly(roles: readonly FittedRole[]) {
  return roles.flatMap(({ servers }) => servers.filter((one) => !isGateway(one)).map(({ server }) => server.name));
}

function givenBy({ host, choice, roles }: FittedPlan): Given {
  return {
    tools: new Set(roles.flatMap((role) => givenTo(role, whoOf(choice, role)))),
    names: new Set(roles.flatMap(namesGiven)),
    own: new Set(
      host.ownTools === undefined
        ? []
        : roles.flatMap((role) => (role.builtins ?? ["*"]).map((name) => `${whoOf(choice, role)}\0${name}`)),
    ),
  };
}

function namesGiven(role: FittedRole): string[] {
  const tools = givenTools(role).map(({ server, tool }) => `${role.name}: ${server.name}.${tool.name}`);
  return [...tools, ...role.delegates.map((name) => `${role.name}: to ${name}`)];
}

/** But for what the project keeps away by name. */
function awayFrom({ name: role, leftOut, closedDelegation }: FittedRole): string[] {
  const tools = leftOut.flatMap(({ server, tools, because }) =>
    because === "chosen" ? [] : tools.map((tool) => `${role}: ${server.name}.${tool.name}`),
  );
  return [...tools, ...(closedDelegation?.delegates ?? []).map((name) => `${role}: to ${name}`)];
}

/** Where the files are for one role, whoever works there has what it holds, whatever its name. */
function whoOf({ role: only }: FittedPlan["choice"], { name }: FittedRole): string {
  return only === undefined ? name : "";
}

function givenTo(role: FittedRole, who: string): string[] {
  const tools = givenTools(role).flatMap(({ server, tool, decision: { effect, where } }) =>
    (effect === "allow" ? ["ask", "allow"] : ["ask"]).map((one) =>
      stableText([who, server.name, tool.name, one, where as unknown as JsonValue]),
    ),
  );
  const read = role.servers.flatMap(({ reads = [] }) =>
    role.role.grants.flatMap(({ server, resources }) =>
      resources === undefined || !reads.includes(server)
        ? []
        : stableText([who, server.name, "resources", resourceRules(resources) as unknown as JsonValue]),
    ),
  );
  // Its rules are the host's to hold.
  const told = directly([role]).map((server) => stableText([who, server, "itself"]));
  return [...tools, ...read, ...told, ...role.delegates.map((name) => stableText([who, name]))];
}
