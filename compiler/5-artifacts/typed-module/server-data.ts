import { digestOf } from "../../base/digest.ts";
import type { NamedTemplate, ProjectSettings, Server, Template, Tool, Transport } from "../../3-plan/types.ts";
import type { TemplateData, TransportData } from "../../../runtime/server-data.ts";
import { code, literalInPieces, typeScriptChunks } from "../typescript/writer.ts";

/**
 * `<out>/servers/<server>.data.ts`: what the runtime needs to reach the server and to judge its calls, as JSON text. It is
 * imported at the first connection, and never by the types.
 */
export function* serverDataModule(server: Server, held: readonly boolean[]): Generator<string> {
  const data = literalInPieces(serverData(server, held));
  yield* typeScriptChunks([code`export const data: string = `, ...data, code`;\n`]);
}

/**
 * Names all that a server's modules are made from; `decidedFrom` for the little that only the sources say. A tool's
 * digest isn't enough: it is the same however the keys of a schema are ordered.
 */
export function serverMadeFrom(
  server: Server,
  held: readonly boolean[],
  { runtime, importExtension }: ProjectSettings,
  decidedFrom: string | undefined,
): string | undefined {
  if (server.manifest !== undefined && server.manifest.bytes === undefined) return undefined;
  const tools = server.tools.filter((tool) => held[tool.index]);
  const sources = tools.some((tool) => tool.resultFrom === "project") ? decidedFrom : "";
  if (sources === undefined) return undefined;
  const facts = tools.map((tool) => [tool.name, tool.hints, tool.labels, tool.resultFrom]);
  return digestOf(
    JSON.stringify([runtime, importExtension, server.manifest?.bytes, sources, headOf(server, held), facts]),
  );
}

/** Put together from texts, as role data is: tools may be called `__proto__`, or `10` beside `9`. */
function serverData(server: Server, held: readonly boolean[]): string[] {
  const tools = server.tools.filter((tool) => held[tool.index]);
  const entries = tools.map((tool, i) => `${i === 0 ? "" : ","}${JSON.stringify(tool.name)}:${toolData(tool)}`);
  return [`${JSON.stringify(headOf(server, held)).slice(0, -1)},"tools":{`, ...entries, "}}"];
}

function headOf(server: Server, held: readonly boolean[]): Record<string, unknown> {
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

/** A connection as the runtime takes it. */
export function transportData(transport: Transport): TransportData {
  if (transport.kind !== "stdio")
    return { kind: transport.kind, url: transport.url.parts, headers: named(transport.headers) };
  const { command, env, cwd } = transport;
  return { kind: "stdio", command: command.map(partsOf), env: named(env), ...(cwd && { cwd: cwd.parts }) };
}

function named(list: readonly NamedTemplate[]): (readonly [string, TemplateData])[] {
  return list.map(({ name, value }) => [name, value.parts]);
}

function partsOf(template: Template): Template["parts"] {
  return template.parts;
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
