import { BaseTool, type RunAsyncToolRequest } from "@google/adk";
import { givenPrompt, givenRole, type GivenTool, type HostSession } from "../host-session.ts";

export interface AdkHost {
  readonly adkTools: (session: HostSession) => Promise<RoleTool[]>;
  readonly adkPrompt: (session: HostSession) => () => string;
}

export function adkHost(given: string): AdkHost {
  return {
    adkTools: async (session) => (await givenRole(session, given)).tools.map((tool) => new RoleTool(tool)),
    adkPrompt: (session) => {
      const prompt = givenPrompt(session, given);
      return () => prompt;
    },
  };
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
