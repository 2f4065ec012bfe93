import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import { common, leaveSignIn, putCommon, putFilter, refuseEnvFile, texts, words } from "../host-server.ts";
import { inFolder } from "../references.ts";
import type { Format } from "../types.ts";
import { cursorSettings } from "./beside.ts";

const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    envFile: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    type: z.optional(z.enum(["http", "sse", "streamable-http", "streamableHttp"])),
    url: z.string(),
    headers: z.optional(texts),
    auth: z.optional(z.record(z.string(), z.unknown())),
    ...common,
  }),
]);
const cursorDocument = () =>
  z.strictObject({ $schema: z.optional(z.string()), mcpServers: z.record(z.string(), server) });

type CursorDocument = z.infer<ReturnType<typeof cursorDocument>>;

/** Cursor's `.cursor/mcp.json`. It finds out by itself which of the two wires an address speaks. */
export const cursor: Format<CursorDocument> = {
  id: "cursor",
  title: "Cursor's mcp.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)\.cursor\/mcp\.json$/,
  schema: cursorDocument,
  beside: cursorSettings,
  read: ({ mcpServers }, made) => {
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      const spell = inFolder(made, at);
      if ("command" in one) {
        putProcess(made, name, one, at, { spell });
        refuseEnvFile(made, one.envFile, at, "${env:NAME}");
      } else {
        if (one.type !== "sse") putAddress(made, name, "http", one, at, { spell });
        if (one.type === undefined) putAddress(made, name, "sse", one, at, { i: 1, spell });
        if (one.type === "sse") putAddress(made, name, "sse", one, at, { spell });
        leaveSignIn(made, one.auth, [...at, "auth"]);
      }
      putFilter(made, name, { exclude: one.disabledTools }, at, ["", "disabledTools"]);
      putCommon(made, name, one, at);
    }
  },
};
