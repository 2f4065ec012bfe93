import type { McpSdkServerConfigWithInstance, McpStdioServerConfig, Options } from "@anthropic-ai/claude-agent-sdk";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type ListToolsResult,
} from "@modelcontextprotocol/sdk/types.js";
import { givenRole, type GivenRole, type GivenServe, type GivenTool, type HostSession } from "../host-session.ts";

export interface ClaudeHost {
  readonly claudeOptions: (session: HostSession, choices?: ClaudeChoices) => Promise<RoleOptions>;
}

export interface ClaudeChoices {
  /** Stands in place of the role's. */
  readonly prompt?: string | undefined;
}

export function claudeHost(given: string): ClaudeHost {
  return { claudeOptions: async (session, choices = {}) => roleOptions(await givenRole(session, given), choices) };
}

function roleOptions(role: GivenRole, choices: ClaudeChoices): RoleOptions {
  const { name, about, prompt, own, tools, served } = role;
  const names = [...tools, ...(served?.tools ?? [])].map((tool) => tool.name);
  return {
    agent: name,
    agents: { [name]: { description: about, prompt: choices.prompt ?? prompt, tools: [...(own ?? []), ...names] } },
    mcpServers: Object.fromEntries([
      ...[...byServer(tools)].map(([server, held]) => [server, liveServer(server, held)] as const),
      ...(served === undefined ? [] : [[served.name, startedServer(served)] as const]),
    ]),
    strictMcpConfig: true,
    // A file `.claude/agents/<role>.md` would stand in place of the agent above, and its prompt be lost.
    settingSources: [],
    // The session asks where the plan says so; a second question from the host would only be one more.
    allowedTools: names,
    disallowedTools: [
      "Agent",
      "Task",
      "Workflow",
      "ListMcpResourcesTool",
      "ReadMcpResourceDirTool",
      "ReadMcpResourceTool",
    ],
  };
}

export type RoleOptions = Pick<
  Options,
  "agent" | "agents" | "mcpServers" | "strictMcpConfig" | "settingSources" | "allowedTools" | "disallowedTools"
>;

function byServer(tools: readonly GivenTool[]): Map<string, Map<string, GivenTool>> {
  const servers = new Map<string, Map<string, GivenTool>>();
  for (const tool of tools) {
    const known = servers.get(tool.server) ?? new Map<string, GivenTool>();
    servers.set(tool.server, known.set(tool.tool, tool));
  }
  return servers;
}

function startedServer({ command, args, timeoutMs: timeout }: GivenServe): McpStdioServerConfig {
  return { type: "stdio", command, args: [...args], timeout };
}

/** Lists the pinned definitions, and never what a live server says of itself. */
function liveServer(name: string, tools: ReadonlyMap<string, GivenTool>): McpSdkServerConfigWithInstance {
  const instance = new McpServer({ name, version: "1" });
  instance.server.registerCapabilities({ tools: {} });
  instance.server.setRequestHandler(ListToolsRequestSchema, (): ListToolsResult => ({
    tools: [...tools.values()].map(({ tool, description, inputSchema }) => ({
      name: tool,
      description,
      inputSchema: inputSchema as ListToolsResult["tools"][number]["inputSchema"],
    })),
  }));
  instance.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    try {
      const tool = tools.get(params.name);
      if (tool === undefined) throw new Error(`server \`${name}\` gives this role no tool of that name`);
      return { content: [{ type: "text", text: await tool.call(params.arguments, signal) }] };
    } catch (error) {
      return {
        isError: true,
        content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }],
      };
    }
  });
  return { type: "sdk", name, instance };
}
