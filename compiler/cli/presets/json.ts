import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Server, Transport } from "../../3-plan/types.ts";
import { labelsOf, notesOf, scopesOf, serversOf, type Gallery, type PresetShown, type RoleShown } from "./words.ts";

/** `rolecall presets --json`: all that a form needs to offer a server. `withText`: their files too. */
export function galleryJson({ presets, roles }: Gallery, withText: boolean): JsonObject {
  return {
    format: 1,
    presets: presets.map((one) => ({ ...presetJson(one), ...(withText && { text: one.text }) })),
    roles: roles.map((one) => ({ ...roleJson(one), ...(withText && { text: one.text }) })),
  };
}

function presetJson({ name, preset, server }: PresetShown): JsonObject {
  const { version, title, description, verified, policies } = preset;
  return {
    name,
    version: version ?? null,
    title: title ?? null,
    description: description ?? null,
    verified: verified ? { name: verified.name, version: verified.version ?? null } : null,
    transports: server.connect.map(transportJson),
    variables: variablesJson(server),
    scopes: scopesOf(preset).map((scope) => ({
      name: scope.name,
      tools: scope.tools.map((tool) => ({ name: tool.name, optional: tool.optional })),
    })),
    labels: Object.fromEntries(labelsOf(preset)),
    limits: {
      timeoutMs: server.limits.timeoutMs,
      ratePerMinute: server.limits.ratePerMinute ?? null,
      concurrency: server.limits.concurrency ?? null,
    },
    connection: server.connection,
    whenDown: server.whenDown ?? null,
    policies: (policies ?? []) as JsonValue,
    notes: [...notesOf(preset)],
  };
}

function variablesJson({ variables }: Server): JsonObject[] {
  return variables.map((variable) => ({
    name: variable.name,
    required: variable.required,
    default: variable.default ?? null,
    for: variable.purpose ?? null,
    url: variable.url ?? null,
    also: [...variable.acceptedNames],
  }));
}

/** As written, with references: nothing is expanded. */
function transportJson(transport: Transport): JsonObject {
  const pairs = (entries: readonly { readonly name: string; readonly value: { readonly written: string } }[]) =>
    Object.fromEntries(entries.map(({ name, value }) => [name, value.written]));
  if (transport.kind !== "stdio")
    return { kind: transport.kind, url: transport.url.written, headers: pairs(transport.headers) };
  return {
    kind: "stdio",
    command: transport.command.map((word) => word.written),
    env: pairs(transport.env),
    cwd: transport.cwd?.written ?? null,
  };
}

function roleJson(shown: RoleShown): JsonObject {
  const { description, tools, builtins } = shown.role;
  return {
    name: shown.name,
    description: description ?? null,
    servers: serversOf(shown),
    tools: (tools ?? {}) as JsonObject,
    builtins: (builtins ?? {}) as JsonObject,
  };
}
