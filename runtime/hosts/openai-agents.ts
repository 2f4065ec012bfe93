import { tool, type FunctionTool } from "@openai/agents";
import { givenPrompt, givenRole, type HostSession } from "../host-session.ts";
import { given } from "./given.data.ts";

/** The role's tools for an `Agent`. Every call goes through the session. */
export async function agentTools(session: HostSession): Promise<AgentTool[]> {
  const { tools } = await givenRole(session, given);
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

/** The role's prompt, or its description where it has none: `instructions` of an `Agent`. */
export function agentPrompt(session: HostSession): string {
  return givenPrompt(session, given);
}

export type AgentTool = FunctionTool<unknown, Parameters, unknown>;

/** As the host types a schema that isn't strict; the pinned one may say more, and less. */
interface Parameters {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: true;
}
