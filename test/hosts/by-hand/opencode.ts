import { enforceable } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Host } from "../host.ts";
import { json, serversOf, stdioServer, TIMEOUT_MS } from "./parts.ts";
import type { Files } from "./parts.ts";

/** Everything of the servers denied at the top, where it binds every agent; each agent opens its own tools by exact name. */
export function byHand(host: Host, plan: Plan): Files {
  const files: Record<string, string> = {};
  for (const [role, { delegates }] of plan.roles) {
    const servers = serversOf(host, plan, role);
    const closed = Object.fromEntries(servers.map((server) => [`${server}_*`, "deny"]));
    const agent = (name: string, mode: string) => {
      const rules = enforceable(host, plan, name).map((one) => [host.shown(one), one.effect]);
      const builtins = plan.roles.get(name)?.builtins["opencode"];
      const handing =
        name === role && delegates.length > 0 ? Object.fromEntries(delegates.map((one) => [one, "allow"])) : {};
      const permission = {
        ...(builtins === undefined
          ? {}
          : { "*": "deny", ...Object.fromEntries(builtins.map((one) => [one, "allow"])) }),
        ...closed,
        ...Object.fromEntries(rules),
        task: Object.keys(handing).length > 0 ? { "*": "deny", ...handing } : "deny",
        ...(builtins !== undefined && !builtins.includes("read") ? {} : { read: readRule(builtins !== undefined) }),
      };
      return { mode, description: `The ${name}.`, permission };
    };
    files[`mcp/hosts/opencode/${role}.json`] = json({
      $schema: "https://opencode.ai/config.json",
      mcp: Object.fromEntries(
        servers.map((server) => {
          const { command, args, env } = stdioServer(plan, server, (name) => `{env:${name}}`);
          const environment = env === undefined ? {} : { environment: env };
          return [server, { type: "local", command: [command, ...args], ...environment, timeout: TIMEOUT_MS }];
        }),
      ),
      permission: { ...closed, read: { "mcp:*": "deny" }, task: "deny" },
      agent: {
        [role]: agent(role, "primary"),
        ...Object.fromEntries(delegates.map((one) => [one, agent(one, "subagent")])),
      },
    });
  }
  return files;
}

/** Resources are read under the key of files. A bare `*` here would also lift the host's own question about .env files. */
const readRule = (governed: boolean) =>
  governed
    ? { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow", "mcp:*": "deny" }
    : { "mcp:*": "deny" };
