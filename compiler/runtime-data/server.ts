import type { Server, Tool } from "../3-plan/types.ts";
import { transportData } from "./transport.ts";

/**
 * The text of ServerData, with the tools that are held. Put together from texts, as role data is: tools may be
 * called `__proto__`, or `10` beside `9`.
 */
export function serverData(server: Server, held: readonly boolean[]): string {
  const tools = server.tools.filter((tool) => held[tool.index]);
  const entries = tools.map((tool) => `${JSON.stringify(tool.name)}:${toolData(tool)}`);
  return `${JSON.stringify(serverHead(server, held)).slice(0, -1)},"tools":{${entries.join(",")}}}`;
}

/** All of it but the tools that are held. */
export function serverHead(server: Server, held: readonly boolean[]): Record<string, unknown> {
  const head: Record<string, unknown> = {
    format: 1,
    server: server.name,
    connect: server.connect.map(transportData),
    root: server.root?.parts,
    timeoutMs: server.limits.timeoutMs,
    ratePerMinute: server.limits.ratePerMinute,
    concurrency: server.limits.concurrency,
    breaker: server.breaker,
    cacheMs: server.cacheMs,
    connection: server.connection,
    mustConnect: server.mustConnect,
    whenDown: server.whenDown,
    instructions: server.manifest?.instructionsDigest,
  };
  const accepted = server.variables.filter(({ acceptedNames }) => acceptedNames.length > 0);
  if (accepted.length > 0) head["acceptedNames"] = accepted.map(({ name, acceptedNames }) => [name, acceptedNames]);
  const notHeld = server.tools.filter((tool) => !held[tool.index]).map((tool) => tool.name);
  if (notHeld.length > 0) head["notHeld"] = notHeld;
  return head;
}

function toolData(tool: Tool): string {
  const { title, description, inputSchema, outputSchema } = tool.texts();
  const head = {
    digest: tool.digest,
    title,
    description,
    resultFromProject: tool.resultFrom === "project" ? true : undefined,
    readOnly: tool.hints.readOnly,
    idempotent: tool.hints.idempotent,
    labels: tool.labels,
    slow: tool.slow === undefined ? undefined : true,
  };
  const output = outputSchema === undefined ? "" : `,"outputSchema":${outputSchema}`;
  return `${JSON.stringify(head).slice(0, -1)},"inputSchema":${inputSchema}${output}}`;
}
