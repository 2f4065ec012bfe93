import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import { common, milliseconds, putCommon, putFilter, putTimeout, texts, words } from "../host-server.ts";
import { ofNobody, respelling } from "../references.ts";
import type { Format } from "../types.ts";

const shared = { name: z.optional(z.string()), timeout: z.optional(milliseconds), ...common };
const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    transport: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    cwd: z.optional(z.string()),
    workingDirectory: z.optional(z.string()),
    ...shared,
  }),
  z.strictObject({
    type: z.optional(z.enum(["http", "sse", "streamable-http"])),
    transport: z.optional(z.enum(["http", "sse", "streamable-http"])),
    url: z.string(),
    headers: z.optional(texts),
    ...shared,
  }),
]);
const junieDocument = () =>
  z.strictObject({ $schema: z.optional(z.string()), mcpServers: z.record(z.string(), server) });

type JunieDocument = z.infer<ReturnType<typeof junieDocument>>;

/** Junie's `.junie/mcp/mcp.json`, and what JetBrains' AI Assistant takes: one form, without references. */
export const junie: Format<JunieDocument> = {
  id: "junie",
  title: "Junie's mcp.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)(?:\.junie\/mcp|\.ai\/mcp|\.aiassistant\/mcp|\.idea)\/mcp\.json$/,
  schema: junieDocument,
  read: ({ mcpServers }, made) => {
    const spell = respelling(made, ofNobody(made, "in a source of rolecall it would be a variable"));
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      if ("command" in one) {
        const isLong = one.workingDirectory !== undefined;
        const cwd = isLong ? one.workingDirectory : one.cwd;
        if (isLong && one.cwd !== undefined && one.cwd !== cwd)
          made.refuse([...at, "cwd"], "`cwd` beside another `workingDirectory`", "keep the one that is meant");
        putProcess(made, name, { ...one, cwd }, at, { spell, keys: { cwd: isLong ? "workingDirectory" : "cwd" } });
      } else {
        const kind = one.type ?? one.transport;
        if (kind !== "sse") putAddress(made, name, "http", one, at, { spell });
        if (kind === undefined || kind === "sse")
          putAddress(made, name, "sse", one, at, { i: kind === "sse" ? 0 : 1, spell });
      }
      putTimeout(made, name, one.timeout, [...at, "timeout"]);
      putFilter(made, name, { exclude: one.disabledTools }, at, ["", "disabledTools"]);
      putCommon(made, name, one, at);
    }
  },
};
