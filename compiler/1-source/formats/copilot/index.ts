import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import type { Format } from "../types.ts";
import { copilotServer, putCopilotServer } from "./server.ts";
import { copilotSettings } from "./beside.ts";

const copilotDocument = () =>
  z.strictObject({ $schema: z.optional(z.string()), mcpServers: z.record(z.string(), copilotServer) });

type CopilotDocument = z.infer<ReturnType<typeof copilotDocument>>;

/** Copilot's `mcp-config.json` and `.github/mcp.json`: servers, each with the tools that are left of it. */
export const copilot: Format<CopilotDocument> = {
  id: "copilot",
  title: "Copilot's mcp-config.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)(?:mcp-config\.json|\.github\/mcp\.json)$/,
  schema: copilotDocument,
  beside: copilotSettings,
  read: ({ mcpServers }, made) => {
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      putCopilotServer(made, made.serverName(theirs, at), one, at);
    }
  },
};
