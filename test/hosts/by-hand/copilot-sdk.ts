import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** One agent for a role, with its servers and their raw names in it; nothing at session level. */
export function byHand(host: Host, plan: Plan): Files {
  const agents = [...plan.roles].map(([role, { delegates }]) => {
    const held = enforceable(host, plan, role);
    const servers = [...new Set(held.map((one) => one.server))].map((server) => [
      server,
      {
        type: "stdio",
        ...stdioServer(plan, server),
        timeout: TIMEOUT_MS,
        tools: held.filter((one) => one.server === server).map((one) => one.tool),
      },
    ]);
    const allowed = held.filter((one) => one.effect === "allow").map((one) => host.shown(one));
    return [role, { servers: Object.fromEntries(servers), allowed, delegates }];
  });
  return { "src/mcp/hosts/copilot-sdk.ts": `const ROLES = ${JSON.stringify(Object.fromEntries(agents))};\n${MODULE}` };
}

// A hung server keeps this host from beginning: the role's servers are tried first, and those that don't answer left out.
const MODULE = `
const agent = (name, up) => ({
  name,
  prompt: "",
  mcpServers: Object.fromEntries(Object.entries(ROLES[name].servers).filter(([server]) => up === undefined || up[server] === "up")),
});

export async function copilotSession(session, role) {
  const { allowed, delegates } = ROLES[role];
  const up = await session.$ready();
  const open = new Set([...allowed, ...delegates.flatMap((other) => ROLES[other].allowed)]);
  return {
    customAgents: [agent(role, up), ...delegates.map((other) => agent(other, up))],
    agent: role,
    excludedTools: delegates.length === 0 ? ["task"] : [],
    excludedBuiltinAgents: ["general-purpose", "explore", "task", "code-review", "research", "rubber-duck"],
    hooks: { onPreToolUse: session.$hooks.onPreToolUse },
    onPermissionRequest: (request) =>
      request.kind === "mcp" && open.has(request.toolName)
        ? { kind: "approve-once" }
        : { kind: "reject", feedback: "nobody is here to ask" },
  };
}
`;
