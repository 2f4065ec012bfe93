import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/** The role's tools as function tools of OpenAI Agents. */
export function openaiAgents(sources: readonly HostSource[]): Host {
  return inProcess(
    {
      id: "openai-agents",
      title: "OpenAI Agents",
      use: "tools: await agentTools(harbor.as(<role>))",
      ownTools: undefined,
    },
    sources,
  );
}
