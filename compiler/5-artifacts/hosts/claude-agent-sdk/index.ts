import { CLAUDE_NAMES } from "../claude-names.ts";
import { BUILT_IN, CLAUDE_TOOLS } from "../claude-tools.ts";
import { sanitised } from "../host-text.ts";
import type { HostDoor } from "../host-door.ts";
import { inProcess } from "../in-process.ts";
import type { Host } from "../../target.ts";
import type { RuntimeFile } from "../../runtime-file.ts";

/** Options for a role: each server is one of the SDK's in-process servers, and its calls go through the session. */
export function claudeAgentSdk(runtime: readonly RuntimeFile[]): Host {
  const host = inProcess(
    {
      id: "claude-agent-sdk",
      title: "Claude Agent SDK",
      signs: { package: "@anthropic-ai/claude-agent-sdk" },
      use: (session) => `query({ prompt, options: await claudeOptions(${session}) })`,
      ownTools: BUILT_IN,
      kept: CLAUDE_NAMES,
      door: DOOR,
    },
    runtime,
  );
  return {
    ...host,
    gateway: "may",
    served: { comesAgain: true },
    ownTools: CLAUDE_TOOLS,
    joinedName: (server, tool) => `mcp__${sanitised(server, "_")}__${sanitised(tool, "_")}`,
    abilities: {
      ...host.abilities,
      builtins: { holds: "enforced" },
      delegation: { holds: "enforced", but: "closed: your program hands work on, with a session of its own" },
      longestName: undefined,
    },
  };
}

const DOOR: HostDoor = {
  make: "claudeHost",
  functions: {
    claudeOptions: [
      "Options for `query` that make the session's role the main agent, with exactly its tools. Spread your own beside",
      "them, before these. The servers live in this process, so every call goes through the session. Work isn't handed to",
      "sub-agents: theirs would be all tools. Settings and agents in files aren't read. `prompt` stands in place of the",
      "role's.",
    ].join("\n"),
  },
  types: ["ClaudeChoices", "RoleOptions"],
};
