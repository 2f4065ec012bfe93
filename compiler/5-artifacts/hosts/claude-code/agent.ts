import { visible } from "../../../base/visible.ts";
import { promptKey } from "../prompt-key.ts";
import type { FittedRole } from "../../../4-fit/types.ts";
import type { ManagedKey } from "../../types.ts";
import { BUILT_IN, RESOURCE_TOOLS } from "../claude-tools.ts";

/** The keys of `.claude/agents/<role>.md` that are ours. Every other key is the user's, and so is its text without a prompt. */
export function agentKeys(role: FittedRole): ManagedKey[] {
  return [
    { at: ["name"], value: role.name },
    { at: ["tools"], value: toolsOf(role) },
    { at: ["description"], value: visible(role.role.description ?? `Works as ${role.name}.`) },
    ...promptKey(role),
  ];
}

/**
 * Exact names. Left out, or with a glob in it, the list would give everything or nothing. `Agent` with names in
 * parentheses hands work to these alone; without it no sub-agent can be reached.
 */
function toolsOf({ builtins, servers, delegates, readsThroughGateway }: FittedRole): string[] {
  const own = builtins === undefined || builtins.includes("*") ? BUILT_IN : builtins;
  const agents = delegates.length > 0 ? [`Agent(${delegates.join(", ")})`] : [];
  const reading = readsThroughGateway === true ? RESOURCE_TOOLS : [];
  return [...own, ...reading, ...agents, ...servers.flatMap(({ tools }) => tools.map(({ joined }) => joined))];
}
