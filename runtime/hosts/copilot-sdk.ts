import type { CustomAgentConfig, MCPServerConfig, PermissionHandler, SessionConfig } from "@github/copilot-sdk";
import type { ConnectionsOptions, HostConnection, SessionHooks } from "../api.ts";
import { givenRole, type GivenRole, type GivenServe, type GivenTool, type HostSession } from "../host-session.ts";

export interface CopilotHostSession extends HostSession {
  readonly $hooks: SessionHooks;
  $connections(options?: ConnectionsOptions): Promise<readonly HostConnection[]>;
}

export interface CopilotChoices {
  /** The agent's name and charter; the role's name and prompt when left out, or its description where it has none. */
  readonly name?: string;
  readonly prompt?: string;
  /** Puts the question before a call that is asked. Left out, such a call is refused. */
  readonly ask?: (question: AskedCall) => boolean | Promise<boolean>;
  /** What is offered beside the role's tools, as `createSession` takes it. Left out, all of the host's and your program's own. */
  readonly availableTools?: readonly string[];
  /** For whatever isn't a tool of the role: shell, files, addresses. Left out, it is refused. */
  readonly onPermissionRequest?: PermissionHandler;
}

export interface AskedCall {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
}

export type CopilotSession = Required<
  Pick<
    SessionConfig,
    | "customAgents"
    | "agent"
    | "availableTools"
    | "excludedTools"
    | "excludedBuiltinAgents"
    | "hooks"
    | "onPermissionRequest"
  >
>;

export interface CopilotHost {
  readonly copilotSession: (session: CopilotHostSession, choices?: CopilotChoices) => Promise<CopilotSession>;
}

export function copilotHost(given: string): CopilotHost {
  return {
    copilotSession: async (session, choices = {}) => sessionOf(await givenRole(session, given), session, choices),
  };
}

async function sessionOf(
  role: GivenRole,
  session: CopilotHostSession,
  choices: CopilotChoices,
): Promise<CopilotSession> {
  const agent = await agentOf(role, session, choices);
  // What is served is judged and counted where it is served: the session knows no such name.
  const served = new Set(role.served?.tools.map(({ name }) => name));
  return {
    customAgents: [agent],
    agent: agent.name,
    availableTools: available(role, choices),
    // It would hand work to agents that hold more: the hooks judge what those call as if the role had called it.
    excludedTools: ["task", "list_agents", "read_agent", "write_agent"],
    excludedBuiltinAgents: [...BUILT_IN_AGENTS],
    hooks: {
      onPreToolUse: unless(served, judge(role, session, choices)),
      onPostToolUse: unless(served, (input) => session.$hooks.onPostToolUse(input)),
      onPostToolUseFailure: unless(served, (input) => session.$hooks.onPostToolUseFailure(input)),
    },
    onPermissionRequest: permit(role, choices),
  };
}

/** By exact names: servers of a person's own files are started beside the role's, and none of their tools is one of these. */
function available(role: GivenRole, { availableTools = ["builtin:*", "custom:*"] }: CopilotChoices): string[] {
  return [...availableTools, ...givenNames(role).map(({ name }) => `mcp:${name}`)];
}

function unless<Input extends { readonly toolName: string }, More extends unknown[], Answer>(
  served: ReadonlySet<string>,
  hook: (input: Input, ...more: More) => Answer,
): (input: Input, ...more: More) => Answer | undefined {
  return (input, ...more) => (served.has(input.toolName) ? undefined : hook(input, ...more));
}

const BUILT_IN_AGENTS: readonly string[] = [
  "code-review",
  "explore",
  "general-purpose",
  "rem-agent",
  "research",
  "rubber-duck",
  "security-review",
  "task",
];

async function agentOf(
  role: GivenRole,
  session: CopilotHostSession,
  choices: CopilotChoices,
): Promise<CustomAgentConfig> {
  const servers: [string, MCPServerConfig][] = [];
  // It waits for a server that is silent before its first turn, whatever time-out it is told.
  for (const connection of role.tools.length === 0 ? [] : await session.$connections({ probe: true })) {
    const tools = role.tools.filter(({ server }) => server === connection.server).map(({ tool }) => tool);
    // An empty list would still start the server.
    if (tools.length > 0) servers.push([connection.server, serverConfig(connection, tools)]);
  }
  if (role.served !== undefined) servers.push([role.served.name, servedServer(role.served, session.$root)]);
  return {
    name: choices.name ?? role.name,
    description: role.about,
    prompt: choices.prompt ?? role.prompt,
    mcpServers: Object.fromEntries(servers),
    ...(role.own === undefined ? {} : { tools: [...role.own, ...givenNames(role).map(({ name }) => name)] }),
  };
}

function givenNames({ tools, served }: GivenRole): readonly { readonly server: string; readonly name: string }[] {
  return [...tools, ...(served?.tools ?? []).map(({ name }) => ({ server: served!.name, name }))];
}

function servedServer(
  { name, command, args, timeoutMs: timeout, tools }: GivenServe,
  workingDirectory: string,
): MCPServerConfig {
  refuseReferences(name, [command, ...args]);
  return { type: "stdio", command, args: [...args], workingDirectory, tools: tools.map(({ tool }) => tool), timeout };
}

function serverConfig(connection: HostConnection, tools: string[]): MCPServerConfig {
  const { server, timeoutMs: timeout } = connection;
  if (connection.kind !== "stdio") {
    const { kind: type, url, headers } = connection;
    refuseReferences(server, [url, ...Object.values(headers)]);
    return { type, url, headers: { ...headers }, tools, timeout };
  }
  const { command, args, env, cwd: workingDirectory } = connection;
  refuseReferences(server, [command, ...args, ...Object.values(env)]);
  return { type: "stdio", command, args: [...args], env: { ...env }, workingDirectory, tools, timeout };
}

/** Copilot expands `$NAME` once more, and has no way to write a dollar. */
function refuseReferences(server: string, values: readonly string[]): void {
  if (values.some((value) => /\$[A-Za-z_{]/.test(value)))
    throw new Error(`${server} can't be given to Copilot: one of its values holds a \`$\` that Copilot would expand`);
}

type PreToolUseHandler = NonNullable<NonNullable<SessionConfig["hooks"]>["onPreToolUse"]>;

/** Every rule is judged here, before the host's own permissions: a handler of yours can't lift one. */
function judge(role: GivenRole, session: CopilotHostSession, { ask }: CopilotChoices): PreToolUseHandler {
  const tools = new Map(role.tools.map((tool) => [tool.name, tool]));
  return async (input) => {
    const { toolName, toolArgs } = input;
    const answer = await session.$hooks.onPreToolUse(input);
    if (answer?.permissionDecision !== "ask") return answer;
    const tool = tools.get(toolName);
    if (tool !== undefined && (await isYes(role, tool, toolArgs, ask))) return undefined;
    return {
      permissionDecision: "deny",
      permissionDecisionReason: `${answer.permissionDecisionReason} It was refused.`,
    };
  };
}

/** Only `true` is a yes. */
async function isYes(
  role: GivenRole,
  { server, tool }: GivenTool,
  args: unknown,
  ask: CopilotChoices["ask"],
): Promise<boolean> {
  try {
    return (await ask?.({ role: role.name, server, tool, args })) === true;
  } catch {
    return false;
  }
}

/** What the role was given has been judged; anything else is the program's to decide. */
function permit(role: GivenRole, { onPermissionRequest }: CopilotChoices): PermissionHandler {
  return (request, invocation) => {
    if (request.kind !== "mcp") return onPermissionRequest?.(request, invocation) ?? { kind: "reject" };
    const isGiven = givenNames(role).some(
      ({ server, name }) => server === request.serverName && name === request.toolName,
    );
    return isGiven ? { kind: "approve-once" } : { kind: "reject", feedback: "The role doesn't hold this tool." };
  };
}
