import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "smol-toml";
import type { Plan } from "./plan.ts";

/** Files by their path in the project. */
type Files = Readonly<Record<string, string>>;

export function writeFiles(files: Files, project: string): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `{ command, args, env }`, which most hosts take; `reference` is how a host writes a variable. */
function stdioServer(plan: Plan, server: string, reference = (name: string) => `\${${name}}`) {
  const { command, variables } = plan.connections.get(server) ?? { command: [], variables: [] };
  const env = Object.fromEntries(variables.map((name) => [name, reference(name)]));
  return { command: command[0], args: command.slice(1), ...(variables.length > 0 ? { env } : {}) };
}

/**
 * For each host the files of one role with everything open: every server, every tool, every resource, every agent,
 * nothing asked. Each check has to fail with them, or it couldn't have seen anything.
 */
export function wideFiles(host: string, plan: Plan, role: string): Files {
  const servers = (more: object, reference?: (name: string) => string) =>
    Object.fromEntries(
      [...plan.connections.keys()].map((name) => [name, { ...stdioServer(plan, name, reference), ...more }]),
    );
  const files: Readonly<Record<string, () => Files>> = {
    "claude-code": () => ({
      [`.claude/agents/${role}.md`]: `---\nname: ${role}\ndescription: Wide.\n---\n`,
      [`mcp/hosts/claude-code/${role}.mcp.json`]: json({ mcpServers: servers({ type: "stdio" }) }),
      [`mcp/hosts/claude-code/${role}.settings.json`]: json({ permissions: { allow: claudeAllows(plan) } }),
    }),
    "claude-agent-sdk": () => ({
      "src/mcp/hosts/claude-agent-sdk.ts": `export const claudeOptions = () => (${json({
        mcpServers: servers({ type: "stdio" }),
        allowedTools: claudeAllows(plan),
      })});\n`,
      ...ANYONE,
    }),
    opencode: () => ({
      [`mcp/hosts/opencode/${role}.json`]: json({
        mcp: Object.fromEntries(
          Object.entries(servers({}, (name) => `{env:${name}}`)).map(([name, { command, args, env }]) => [
            name,
            { type: "local", command: [command, ...args], ...(env === undefined ? {} : { environment: env }) },
          ]),
        ),
        agent: { [role]: { mode: "primary", description: "Wide." } },
      }),
    }),
    codex: () => ({
      [`mcp/hosts/codex/${role}.config.toml`]: stringify({
        mcp_servers: Object.fromEntries(
          Object.entries(servers({})).map(([name, { command, args, env }]) => [
            name,
            { command, args, env_vars: Object.keys(env ?? {}), default_tools_approval_mode: "approve" },
          ]),
        ),
      }),
    }),
    "gemini-cli": () => ({
      ".gemini/settings.json": json({ mcpServers: servers({ trust: true }) }),
      [`mcp/hosts/gemini-cli/${role}/policy.toml`]: "",
      [`mcp/hosts/gemini-cli/${role}/servers.txt`]: [...plan.connections.keys()].join(","),
    }),
    "copilot-sdk": () => ({
      "src/mcp/hosts/copilot-sdk.ts": `export const copilotSession = () => ({
        mcpServers: ${json(servers({ type: "stdio", tools: ["*"] }))},
        onPermissionRequest: () => ({ kind: "approve-once" }),
      });\n`,
      ...ANYONE,
    }),
  };
  return files[host]?.() ?? {};
}

/** A team that gives a session to anyone. */
const ANYONE: Files = {
  "src/mcp/index.ts": "export const team = () => ({ as: () => ({}), close: async () => {} });\n",
};

const claudeAllows = (plan: Plan) =>
  ["Agent", "ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool"].concat(
    [...plan.connections.keys()].map((server) => `mcp__${server}`),
  );
