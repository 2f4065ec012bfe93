import { enforceable, reachable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { json, namesOf, serversOf, stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** What the host brings, without what starts other agents and without what reads resources. */
export const OWN_TOOLS =
  "Bash Edit Glob Grep Monitor NotebookEdit Read Skill TaskCreate TaskGet TaskList TaskStop TaskUpdate WebFetch WebSearch Write".split(
    " ",
  );

export const RESOURCE_TOOLS = ["ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool"];

/** An exact list of tools in the agent's file; a config with its servers alone; settings that bind sub-agents too. */
export function byHand(host: Host, plan: Plan): Files {
  const files: Record<string, string> = {};
  for (const [role, { builtins, delegates }] of plan.roles) {
    const own = enforceable(host, plan, role);
    const all = reachable(host, plan, role);
    const agents = delegates.length > 0 ? [`Agent(${delegates.join(", ")})`] : [];
    const tools = [...(builtins["claude-code"] ?? OWN_TOOLS), ...agents, ...own.map((one) => host.shown(one))];
    const servers = serversOf(host, plan, role);
    const held = new Set(all.map((one) => host.shown(one)));
    const notHeld = plan.tools.filter((one) => servers.includes(one.server)).map((one) => host.shown(one));
    files[`.claude/agents/${role}.md`] =
      `---\nname: ${role}\ndescription: The ${role}.\ntools: ${JSON.stringify(tools)}\n---\n`;
    files[`mcp/hosts/claude-code/${role}.mcp.json`] = json({
      mcpServers: Object.fromEntries(
        servers.map((server) => [server, { type: "stdio", ...stdioServer(plan, server), timeout: TIMEOUT_MS }]),
      ),
    });
    files[`mcp/hosts/claude-code/${role}.settings.json`] = json({
      permissions: {
        allow: namesOf(host, all, "allow"),
        ask: namesOf(host, all, "ask"),
        deny: [
          ...RESOURCE_TOOLS,
          ...(delegates.length > 0 ? [] : ["Agent", "Workflow"]),
          ...notHeld.filter((name) => !held.has(name)),
        ],
      },
    });
  }
  return files;
}
