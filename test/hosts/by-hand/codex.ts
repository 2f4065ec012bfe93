import { stringify } from "smol-toml";
import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** Raw names under `enabled_tools`; sub-agents off; a server with resources isn't given. */
export function byHand(host: Host, plan: Plan): Files {
  const files: Record<string, string> = {};
  for (const role of plan.roles.keys()) {
    const held = enforceable(host, plan, role);
    const servers = [...new Set(held.map((one) => one.server))].map((server) => {
      const { command, args, env } = stdioServer(plan, server);
      const own = held.filter((one) => one.server === server);
      const mode = (effect: string) => ({ approval_mode: effect === "ask" ? "prompt" : "approve" });
      return [
        server,
        {
          command,
          args,
          ...(env === undefined ? {} : { env_vars: Object.keys(env) }),
          startup_timeout_sec: TIMEOUT_MS / 1000,
          tool_timeout_sec: TIMEOUT_MS / 1000,
          enabled_tools: own.map((one) => one.tool),
          default_tools_approval_mode: "prompt",
          tools: Object.fromEntries(own.map((one) => [one.tool, mode(one.effect)])),
        },
      ];
    });
    files[`mcp/hosts/codex/${role}.config.toml`] = `${stringify({
      agents: { enabled: false },
      mcp_servers: Object.fromEntries(servers),
    })}\n`;
  }
  return files;
}
