import { sorted } from "../../../base/order.ts";
import type { FittedRole } from "../../../4-fit/types.ts";
import { RESOURCE_TOOLS } from "../claude-tools.ts";

/** Allow only saves the question for what the role holds: what hides a tool is the agent's own list. */
export function settings(roles: readonly FittedRole[]): object {
  const tools = roles.flatMap(({ servers }) => servers.flatMap((server) => server.tools));
  const named = (effect: "allow" | "ask") =>
    sorted(new Set(tools.filter((tool) => tool.effect === effect).map(({ joined }) => joined)));
  return { permissions: { allow: named("allow"), ask: named("ask"), deny: RESOURCE_TOOLS } };
}
