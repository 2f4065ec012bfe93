import { digestOf } from "../../base/digest.ts";
import type { ProjectSettings, Server } from "../../3-plan/types.ts";
import { serverData, serverHead } from "../../runtime-data/server.ts";
import { code, typeScriptFile } from "../typescript/writer.ts";

/**
 * `<out>/servers/<server>.data.ts`: what the runtime needs to reach the server and to judge its calls, as JSON text. It is
 * imported at the first connection, and never by the types.
 */
export function serverDataModule(server: Server, held: readonly boolean[]): string {
  return typeScriptFile(code`export const data: string = ${serverData(server, held)};\n`);
}

/**
 * Of all that a server's modules are made from; `ofPlan` for the little that only the sources say. A tool's
 * digest isn't enough: it is the same however the keys of a schema are ordered.
 */
export function serverFingerprint(
  server: Server,
  held: readonly boolean[],
  { runtime, importExtension }: ProjectSettings,
  ofPlan: string | undefined,
): string | undefined {
  if (server.manifest !== undefined && server.manifest.fingerprint === undefined) return undefined;
  const tools = server.tools.filter((tool) => held[tool.index]);
  const sources = tools.some((tool) => tool.resultFrom === "project") ? ofPlan : "";
  if (sources === undefined) return undefined;
  const facts = tools.map((tool) => [tool.name, tool.hints, tool.labels, tool.resultFrom]);
  return digestOf(
    JSON.stringify([runtime, importExtension, server.manifest?.fingerprint, sources, serverHead(server, held), facts]),
  );
}
