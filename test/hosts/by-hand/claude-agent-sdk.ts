import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { OWN_TOOLS, RESOURCE_TOOLS } from "./claude-code.ts";
import { namesOf, serversOf, stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** An agent with an exact list, selected; servers for it alone; asked tools stay out of what is pre-approved. */
export function byHand(host: Host, plan: Plan): Files {
  const roles = [...plan.roles].map(([role, { builtins }]) => {
    const held = enforceable(host, plan, role);
    const tools = [...(builtins["claude-agent-sdk"] ?? OWN_TOOLS), ...held.map((one) => host.shown(one))];
    const servers = serversOf(host, plan, role).map((server) => [
      server,
      { type: "stdio", ...stdioServer(plan, server), timeout: TIMEOUT_MS },
    ]);
    const options = {
      agent: role,
      agents: { [role]: { description: `The ${role}.`, prompt: "Work.", tools } },
      mcpServers: Object.fromEntries(servers),
      strictMcpConfig: true,
      settingSources: [],
      allowedTools: namesOf(host, held, "allow"),
      disallowedTools: [...RESOURCE_TOOLS, "Agent", "Workflow"],
    };
    return [role, options];
  });
  return {
    "src/mcp/hosts/claude-agent-sdk.ts": `const ROLES = ${JSON.stringify(Object.fromEntries(roles))};\n${MODULE}`,
  };
}

const MODULE = `
export function claudeOptions(session) {
  const preToolUse = async (input) => {
    const answer = await session.$hooks.onPreToolUse({ toolName: input.tool_name, toolArgs: input.tool_input });
    return answer === undefined ? {} : { hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } };
  };
  return {
    ...ROLES[process.env.ROLE],
    hooks: { PreToolUse: [{ hooks: [preToolUse] }] },
    canUseTool: async () => ({ behavior: "deny", message: "nobody is here to ask" }),
  };
}
`;
