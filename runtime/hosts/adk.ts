import { BaseTool, type RunAsyncToolRequest } from "@google/adk";
import { givenPrompt, givenRole, type GivenTool, type HostSession } from "../host-session.ts";
import { given } from "./given.data.ts";

/** The role's tools for an `LlmAgent`, under their own names. Every call goes through the session. */
export async function adkTools(session: HostSession): Promise<RoleTool[]> {
  const { tools } = await givenRole(session, given);
  return tools.map((tool) => new RoleTool(tool));
}

/**
 * The role's prompt, or its description where it has none: `instruction` of an `LlmAgent`. A function, since ADK takes
 * `{name}` in a text for a value of the session's state, and fails where there is none.
 */
export function adkPrompt(session: HostSession): () => string {
  const prompt = givenPrompt(session, given);
  return () => prompt;
}

/** ADK's own function tools take a schema of their making; this one hands on the pinned schema. */
export class RoleTool extends BaseTool {
  readonly #tool: GivenTool;

  constructor(tool: GivenTool) {
    super({ name: tool.name, description: tool.description });
    this.#tool = tool;
  }

  override _getDeclaration(): NonNullable<ReturnType<BaseTool["_getDeclaration"]>> {
    return { name: this.name, description: this.description, parametersJsonSchema: this.#tool.inputSchema };
  }

  /** What a call refused with is an answer too: it tells the agent how to go on. */
  override async runAsync({ args }: RunAsyncToolRequest): Promise<{ result: string } | { error: string }> {
    try {
      return { result: await this.#tool.call(args, undefined) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}
