import type { Tool } from "../2-model/types.ts";
import type { Decision, Grant } from "./types.ts";

/** The tools that a grant gives, asked or not, sorted by name as the server's tools are. */
export function* held(grant: Grant): Generator<readonly [Tool, Decision]> {
  for (const tool of grant.server.tools) {
    const decision = grant.decisions[tool.index]!;
    if (decision.effect !== "deny") yield [tool, decision];
  }
}

export function holdsAny(grant: Grant): boolean {
  return grant.decisions.some((decision) => decision.effect !== "deny");
}
