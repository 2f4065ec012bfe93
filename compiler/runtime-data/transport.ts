import type { TemplateData, TransportData } from "../../runtime/server-data.ts";
import type { NamedTemplate, Template, Transport } from "../3-plan/types.ts";

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
