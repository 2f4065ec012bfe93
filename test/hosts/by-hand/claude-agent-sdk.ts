import { enforceable, reachable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { OWN_TOOLS, RESOURCE_TOOLS } from "./claude-code.ts";
import { namesOf, serversOf, stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** An agent with an exact list, selected; servers for it alone; asked tools stay out of what is pre-approved. */
export function byHand(host: Host, plan: Plan): Files {
  const roles = [...plan.roles].map(([role, { builtins, delegates }]) => {
    const all = reachable(host, plan, role);
    const agents = Object.fromEntries(
      [role, ...delegates].map((name) => {
        const handing = name === role && delegates.length > 0 ? [`Agent(${delegates.join(", ")})`] : [];
        const tools = enforceable(host, plan, name).map((one) => host.shown(one));
        const own = (plan.roles.get(name)?.builtins ?? builtins)["claude-agent-sdk"] ?? OWN_TOOLS;
        return [name, { description: `The ${name}.`, prompt: "Work.", tools: [...own, ...handing, ...tools] }];
      }),
    );
    const servers = serversOf(host, plan, role).map((server) => [
      server,
      { type: "stdio", ...stdioServer(plan, server), timeout: TIMEOUT_MS },
    ]);
    const options = {
      agent: role,
      agents,
      mcpServers: Object.fromEntries(servers),
      strictMcpConfig: true,
      settingSources: [],
      allowedTools: namesOf(host, all, "allow"),
      disallowedTools: [...RESOURCE_TOOLS, ...(delegates.length > 0 ? [] : ["Agent", "Workflow"])],
    };
    return [role, options];
  });
  return { "src/mcp/hosts/claude-agent-sdk.ts": `const ROLES = ${JSON.stringify(Object.fromEntries(roles))};\n${MODULE}` };
}

const MODULE = `
export function claudeOptions(session, role) {
  const preToolUse = async (input) => {
    const answer = await session.$hooks.onPreToolUse({ toolName: input.tool_name, toolArgs: input.tool_input });
    return answer === undefined ? {} : { hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } };
  };
  return {
    ...ROLES[role],
    hooks: { PreToolUse: [{ hooks: [preToolUse] }] },
    canUseTool: async () => ({ behavior: "deny", message: "nobody is here to ask" }),
  };
}
`;
