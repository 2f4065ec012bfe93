import { jsonSchema, tool, type ToolSet } from "ai";
import { givenPrompt, givenRole, type GivenRole, type HostSession } from "../host-session.ts";

export interface AiHost {
  readonly aiTools: (session: HostSession) => Promise<ToolSet>;
  readonly aiPrompt: (session: HostSession) => string;
}

export function aiHost(given: string): AiHost {
  return {
    aiTools: async (session) => toolSet(await givenRole(session, given)),
    aiPrompt: (session) => givenPrompt(session, given),
  };
}

function toolSet({ tools }: GivenRole): ToolSet {
  const entries = tools.map(({ name, description, inputSchema, call }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
      execute: (args: unknown, { abortSignal }) => call(args, abortSignal),
    }),
  ]);
  return Object.fromEntries(entries) as ToolSet;
}
