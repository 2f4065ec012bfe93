import { jsonSchema, tool, type ToolSet } from "ai";
import { givenPrompt, givenRole, type HostSession } from "../host-session.ts";
import { given } from "./given.data.ts";

/** The role's tools for `generateText`, `streamText` or an agent. Every call goes through the session. */
export async function aiTools(session: HostSession): Promise<ToolSet> {
  const { tools } = await givenRole(session, given);
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

/** The role's prompt, or its description where it has none: `system` of `generateText`, `instructions` of an agent. */
export function aiPrompt(session: HostSession): string {
  return givenPrompt(session, given);
}
