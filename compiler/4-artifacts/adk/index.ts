import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/** The role's tools as ADK's own tools, under the names that their servers gave them. */
export function adk(sources: readonly HostSource[]): Host {
  const host = inProcess(
    { id: "adk", title: "ADK", use: (session) => `tools: await adkTools(${session})`, ownTools: undefined },
    sources,
  );
  return { ...host, joinedName: (_server, tool) => tool };
}
