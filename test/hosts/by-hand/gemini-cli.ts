import { stringify } from "smol-toml";
import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { json, stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

const CLOSED = ["list_mcp_resources", "read_mcp_resource", "invoke_agent"];

/** `includeTools` in the settings; a policy that holds whatever other settings, `trust` or yolo say. */
export function byHand(host: Host, plan: Plan): Files {
  const files: Record<string, string> = {};
  for (const role of plan.roles.keys()) {
    const held = enforceable(host, plan, role);
    const servers = [...new Set(held.map((one) => one.server))];
    const named = (server: string) => held.filter((one) => one.server === server).map((one) => one.tool);
    files[`mcp/hosts/gemini-cli/${role}/settings.json`] = json({
      policyPaths: [`mcp/hosts/gemini-cli/${role}/policy.toml`],
      mcpServers: Object.fromEntries(
        servers.map((server) => [
          server,
          { ...stdioServer(plan, server), timeout: TIMEOUT_MS, includeTools: named(server) },
        ]),
      ),
    });
    const open = held.map(({ server, tool, effect }) => ({
      mcpName: server,
      toolName: tool,
      decision: effect === "ask" ? "ask_user" : "allow",
      priority: 900,
    }));
    files[`mcp/hosts/gemini-cli/${role}/policy.toml`] = `${stringify({
      rule: [
        ...open,
        { mcpName: "*", toolName: "*", decision: "deny", priority: 800 },
        { toolName: CLOSED, decision: "deny", priority: 999 },
      ],
    })}\n`;
  }
  return files;
}
