import { sorted } from "../../../base/order.ts";
import type { FittedRole } from "../../../4-fit/types.ts";
import { RESOURCE_TOOLS } from "../claude-tools.ts";

/** Allow only saves the question for what the role holds: what hides a tool is the agent's own list. */
export function settings(roles: readonly FittedRole[]): object {
  const tools = roles.flatMap(({ servers }) => servers.flatMap((server) => server.tools));
  const named = (effect: "allow" | "ask") =>
    sorted(new Set(tools.filter((tool) => tool.effect === effect).map(({ joined }) => joined)));
  // One role's own entry is all that there is to read of: what it may read is judged behind it.
  const mayRead = roles.length === 1 && roles[0]!.readsThroughGateway === true;
  const allow = [...named("allow"), ...(mayRead ? RESOURCE_TOOLS : [])];
  return { permissions: { allow, ask: named("ask"), deny: mayRead ? [] : RESOURCE_TOOLS } };
}
