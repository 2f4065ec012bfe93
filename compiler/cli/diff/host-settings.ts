import { stableText } from "../../base/stable-text.ts";
import type { JsonValue } from "../../base/json.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import type { FittedPlan, FittedRole } from "../../4-fit/types.ts";
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
    settings: settingsOf(choice),
    gives: new Set(roles.flatMap((role) => givenTo(role, whoOf(choice, role)))),
    own: new Set(
      host.ownTools === undefined
        ? []
        : roles.flatMap((role) => (role.builtins ?? ["*"]).map((name) => `${whoOf(choice, role)}\0${name}`)),
    ),
    open: new Set(openTools?.unsaid),
  }));
}

function settingsOf(choice: FittedPlan["choice"]): JsonValue {
  const { whenUnenforceable, assumed, without, role, into, door, stored } = choice;
  const written = Object.entries({ ...door, ...stored }).filter(([, value]) => value !== undefined);
  return {
    whenUnenforceable,
    assume: Object.fromEntries(assumed),
    without,
    role: role ?? null,
    into: into ?? null,
    ...(Object.fromEntries(written) as Readonly<Record<string, JsonValue>>),
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

function givenTo({ servers, delegates }: FittedRole, who: string): string[] {
  const tools = servers.flatMap(({ server, tools: given }) =>
    given.flatMap(({ tool, effect, decision: { where } }) =>
      (effect === "allow" ? ["ask", "allow"] : ["ask"]).map((one) =>
        stableText([who, server.name, tool.name, one, where as unknown as JsonValue]),
      ),
    ),
  );
  return [...tools, ...delegates.map((name) => stableText([who, name]))];
}
