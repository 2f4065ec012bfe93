import type { ServerName, ToolName } from "../base/names.ts";
import type { Place } from "../base/place.ts";
import type { Server, Tool } from "../3-plan/types.ts";

/** `rolecall serve` as a server that hosts are told of: what nobody writes of it is as a server has it that says nothing. */
export function gatewayServer(
  name: string,
  tools: readonly Tool[],
  { place, timeoutMs }: { readonly place: Place; readonly timeoutMs: number },
): Server {
  return {
    name: name as ServerName,
    place,
    preset: undefined,
    givesWay: false,
    title: undefined,
    version: undefined,
    description: undefined,
    product: { id: undefined, name: undefined },
    connect: [],
    root: undefined,
    limits: { timeoutMs, ratePerMinute: undefined, concurrency: undefined },
    breaker: { failures: 3, cooldownMs: 30_000 },
    cacheMs: undefined,
    connection: "project",
    // A host that waits for none would begin without these tools while the daemon starts.
    mustConnect: true,
    whenDown: undefined,
    owner: undefined,
    pin: name,
    // It declares tools and nothing else.
    manifest: {
      file: "",
      instructions: undefined,
      instructionsDigest: undefined,
      capabilities: { tools: {} },
      serverVersion: undefined,
    },
    tools,
    ceilings: [],
    addresses: { within: [], exclude: [] },
    scopes: undefined,
    knownScopes: [],
    labels: [],
    variables: [],
    notes: [],
  };
}

/** What a host's file says of a tool is its name; what it is told is told to its clients. */
export function gatewayTool(server: string, name: string, index: number): Tool {
  const hints = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
  return {
    server: server as ServerName,
    name: name as ToolName,
    index,
    digest: null,
    texts: () => ({ title: undefined, description: undefined, inputSchema: "{}", outputSchema: undefined }),
    definition: () => ({ title: undefined, description: undefined, inputSchema: {}, outputSchema: undefined }),
    resultFrom: undefined,
    hints,
    hintsSaid: [hints],
    labels: [],
    choice: undefined,
    contradiction: undefined,
    slow: undefined,
  };
}
