import { stableText } from "../../base/stable-text.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import { givenTools } from "../../4-fit/given.ts";
import type { FittedPlan, FittedRole, HostFacts } from "../../4-fit/types.ts";
import { resourceRules } from "../../3-plan/resource-rules.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { HostSettings } from "../../diff/host-direction.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../io/read/resources.ts";

/** What rolecall.yaml says of each host and of our own gateway, and what they get of it. */
export function hostSettings(plan: Plan): HostSettings[] {
  return [...settingsOfHosts(plan), serveSettings(plan.project.serve)];
}

function settingsOfHosts(plan: Plan): HostSettings[] {
  return fitHosts(plan, allHosts(readResources().hosts)).map(({ host, choice, roles, openTools }) => ({
    name: choice.id,
    settings: settingsOf(host, choice, plan.project.name),
    gives: new Set(roles.flatMap((role) => givenTo(role, whoOf(choice, role)))),
    own: new Set(
      host.ownTools === undefined
        ? []
        : roles.flatMap((role) => (role.builtins ?? ["*"]).map((name) => `${whoOf(choice, role)}\0${name}`)),
    ),
    open: new Set(openTools?.unsaid),
  }));
}

/** Every key of an entry, as far as the host takes it. */
function settingsOf({ takes = [] }: HostFacts, choice: FittedPlan["choice"], project: string): JsonObject {
  const { via, whenUnenforceable, assumed, without, role, into, stored, door } = choice;
  const own: Record<(typeof takes)[number], JsonValue | undefined> = {
    ...door,
    claim: door.claim ?? "role",
    project: typeof stored.project === "object" ? { ...stored.project } : (stored.project ?? project),
    product: stored.product,
    transports: sorted(stored.transports ?? ["sse", "stdio"]),
  };
  return {
    ...(via === "serve" && { via }),
    whenUnenforceable,
    assume: Object.fromEntries(assumed),
    without,
    role: role ?? null,
    into: into ?? null,
    ...Object.fromEntries(takes.map((key) => [key, own[key] ?? null])),
  };
}

/** From where a yes may come, and what servers' variables are. */
function serveSettings({ approvers, env }: Plan["project"]["serve"]): HostSettings {
  return {
    name: "serve",
    settings: { approvers, env: env.file },
    gives: new Set(approvers),
    own: new Set(),
    open: new Set(),
  };
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
  return [...tools, ...read, ...role.delegates.map((name) => stableText([who, name]))];
}
