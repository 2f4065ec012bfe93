import { underscored } from "../host-text.ts";
import type { HostDoor } from "../host-door.ts";
import { inProcess } from "../in-process.ts";
import type { Host } from "../../target.ts";
import type { RuntimeFile } from "../../runtime-file.ts";
import { KEPT } from "./kept-names.ts";

/** The role's tools as function tools of OpenAI Agents. */
export function openaiAgents(runtime: readonly RuntimeFile[]): Host {
  const host = inProcess(
    {
      id: "openai-agents",
      title: "OpenAI Agents",
      alsoCalled: ["openai"],
      signs: { package: "@openai/agents" },
      use: (session) => `tools: await agentTools(${session})`,
      ownTools: undefined,
      kept: KEPT,
      door: DOOR,
    },
    runtime,
  );
  return { ...host, joinedName: (server, tool) => `${underscored(server)}_${underscored(tool)}` };
}

const DOOR: HostDoor = {
  make: "agentsHost",
  functions: {
    agentTools: "The role's tools for an `Agent`. Every call goes through the session.",
    agentPrompt: "The role's prompt, or its description where it has none: `instructions` of an `Agent`.",
  },
  types: ["AgentTool"],
};
