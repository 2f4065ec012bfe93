import { tool, type FunctionTool } from "@openai/agents";
import { givenPrompt, givenRole, type GivenRole, type HostSession } from "../host-session.ts";

export interface AgentsHost {
  readonly agentTools: (session: HostSession) => Promise<AgentTool[]>;
  readonly agentPrompt: (session: HostSession) => string;
}

export function agentsHost(given: string): AgentsHost {
  return {
    agentTools: async (session) => agentToolsOf(await givenRole(session, given)),
    agentPrompt: (session) => givenPrompt(session, given),
  };
}

function agentToolsOf({ tools }: GivenRole): AgentTool[] {
  return tools.map(({ name, description, inputSchema, call }) =>
    tool({
      name,
      description,
      // Not strict: the host would rewrite the schema. The session judges the arguments by the pinned one.
      strict: false,
      parameters: inputSchema as unknown as Parameters,
      execute: (args, _context, details) => call(args, details?.signal),
      errorFunction: (_context, error) => (error instanceof Error ? error.message : String(error)),
    }),
  );
}

export type AgentTool = FunctionTool<unknown, Parameters, unknown>;

/** As the host types a schema that isn't strict; the pinned one may say more, and less. */
interface Parameters {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: true;
}
