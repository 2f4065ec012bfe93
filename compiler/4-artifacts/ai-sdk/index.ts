import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/** The role's tools as the AI SDK's own objects. */
export function aiSdk(sources: readonly HostSource[]): Host {
  return inProcess(
    { id: "ai-sdk", title: "AI SDK", use: (session) => `tools: await aiTools(${session})`, ownTools: undefined },
    sources,
  );
}
