import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** One agent for a role, with its servers and their raw names in it; nothing at session level. */
export function byHand(host: Host, plan: Plan): Files {
  const agents = [...plan.roles.keys()].map((role) => {
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
    return [role, { servers: Object.fromEntries(servers), allowed }];
  });
  return { "src/mcp/hosts/copilot-sdk.ts": `const ROLES = ${JSON.stringify(Object.fromEntries(agents))};\n${MODULE}` };
}

// A hung server keeps this host from beginning: the role's servers are tried first, and those that don't answer left out.
const MODULE = `
export async function copilotSession(session) {
  const role = process.env.ROLE;
  const { servers, allowed } = ROLES[role];
  const up = await session.$ready();
  return {
    customAgents: [
      { name: role, prompt: "", mcpServers: Object.fromEntries(Object.entries(servers).filter(([name]) => up[name] === "up")) },
    ],
    agent: role,
    excludedTools: ["task"],
    hooks: { onPreToolUse: session.$hooks.onPreToolUse },
    onPermissionRequest: (request) =>
      request.kind === "mcp" && allowed.includes(request.toolName)
        ? { kind: "approve-once" }
        : { kind: "reject", feedback: "nobody is here to ask" },
  };
}
`;
