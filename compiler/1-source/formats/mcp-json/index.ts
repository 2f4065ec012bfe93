import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import {
  common,
  leaveSignIn,
  milliseconds,
  oauth,
  putCommon,
  putFilter,
  putTimeout,
  texts,
  words,
} from "../host-server.ts";
import { inBraces, respelling } from "../references.ts";
import type { Format } from "../types.ts";
import { claudeSettings } from "./beside.ts";

const shared = { ...common, timeout: z.optional(milliseconds), alwaysLoad: z.optional(z.boolean()) };
const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    ...shared,
  }),
  z.strictObject({
    type: z.enum(["http", "sse", "streamable-http"]),
    url: z.string(),
    headers: z.optional(texts),
    headersHelper: z.optional(z.string()),
    oauth: z.optional(oauth),
    ...shared,
  }),
]);
const mcpJsonDocument = () =>
  z.strictObject({ $schema: z.optional(z.string()), mcpServers: z.record(z.string(), server) });

type McpJsonDocument = z.infer<ReturnType<typeof mcpJsonDocument>>;

/** `.mcp.json`, as Claude Code has it: servers, and nothing of who may use them. */
export const mcpJson: Format<McpJsonDocument> = {
  id: "mcp-json",
  title: ".mcp.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)\.mcp\.json$/,
  schema: mcpJsonDocument,
  beside: claudeSettings,
  read: ({ mcpServers }, made) => {
    const spell = respelling(made, inBraces);
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      if ("command" in one) putProcess(made, name, one, at, { spell });
      else {
        putAddress(made, name, one.type === "sse" ? "sse" : "http", one, at, { spell });
        leaveSignIn(made, one.oauth, [...at, "oauth"]);
        if (one.headersHelper !== undefined)
          made.refuse([...at, "headersHelper"], "`headersHelper`", "write the headers, with the token as `${NAME}`");
      }
      putTimeout(made, name, one.timeout, [...at, "timeout"]);
      putFilter(made, name, { exclude: one.disabledTools }, at, ["", "disabledTools"]);
      putCommon(made, name, one, at);
    }
  },
};
