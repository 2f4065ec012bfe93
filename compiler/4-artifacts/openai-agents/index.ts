import { underscored } from "../fitting/host-text.ts";
import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/** The role's tools as function tools of OpenAI Agents. */
export function openaiAgents(sources: readonly HostSource[]): Host {
  const host = inProcess(
    {
      id: "openai-agents",
      title: "OpenAI Agents",
      use: (session) => `tools: await agentTools(${session})`,
      ownTools: undefined,
    },
    sources,
  );
  return { ...host, joinedName: (server, tool) => `${underscored(server)}_${underscored(tool)}` };
}
