import { stableText } from "../../base/stable-text.ts";
import type { JsonValue } from "../../base/json.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import { givenTools } from "../../4-fit/given.ts";
import type { FittedPlan, FittedRole } from "../../4-fit/types.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { HostSettings } from "../../diff/host-direction.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../io/read/resources.ts";

/** What rolecall.yaml says of each host, and what the host gets of it. */
export function hostSettings(plan: Plan): HostSettings[] {
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

function settingsOf({ via, whenUnenforceable, assumed, without, role, into }: FittedPlan["choice"]): JsonValue {
  return {
    ...(via === "serve" && { via }),
    whenUnenforceable,
    assume: Object.fromEntries(assumed),
    without,
    role: role ?? null,
    into: into ?? null,
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
  return [...tools, ...role.delegates.map((name) => stableText([who, name]))];
}
