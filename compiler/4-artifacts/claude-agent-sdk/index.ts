import { BUILT_IN, CLOSED_TOOLS } from "../fitting/claude-tools.ts";
import { sanitised } from "../fitting/host-text.ts";
import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/** Options for a role: each server is one of the SDK's in-process servers, and its calls go through the session. */
export function claudeAgentSdk(sources: readonly HostSource[]): Host {
  const host = inProcess(
    {
      id: "claude-agent-sdk",
      title: "Claude Agent SDK",
      use: (session) => `query({ prompt, options: await claudeOptions(${session}) })`,
      ownTools: BUILT_IN,
    },
    sources,
  );
  return {
    ...host,
    joinedName: (server, tool) => `mcp__${sanitised(server, "_")}__${sanitised(tool, "_")}`,
    abilities: {
      ...host.abilities,
      builtins: { holds: "enforced" },
      delegation: { holds: "enforced", but: "closed: your program hands work on, with a session of its own" },
      longestName: undefined,
      closedTools: CLOSED_TOOLS,
    },
  };
}
