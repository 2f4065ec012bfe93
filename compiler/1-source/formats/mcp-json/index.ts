import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import type { Format } from "../types.ts";

const texts = z.record(z.string(), z.string());
const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(z.array(z.string())),
    env: z.optional(texts),
  }),
  z.strictObject({ type: z.enum(["http", "sse"]), url: z.string(), headers: z.optional(texts) }),
]);
const mcpJsonDocument = () => z.strictObject({ mcpServers: z.record(z.string(), server) });

type McpJsonDocument = z.infer<ReturnType<typeof mcpJsonDocument>>;

/** `.mcp.json`, as Claude Code has it: servers, and nothing of who may use them. */
export const mcpJson: Format<McpJsonDocument> = {
  id: "mcp-json",
  title: ".mcp.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)\.mcp\.json$/,
  schema: mcpJsonDocument,
  read: ({ mcpServers }, made) => {
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      const spell = (text: string): string =>
        spelled(text, (reference) => made.refuse(at, `\`${reference}\``, "write it as `${NAME}`"));
      if ("command" in one) putProcess(made, name, one, at, { spell });
      else putAddress(made, name, one.type, one, at, { spell });
    }
  },
};

/** `${NAME}` and `${NAME:-default}` are references there too, any other dollar is a dollar. */
function spelled(text: string, refuse: (reference: string) => void): string {
  return text.replace(/\$\{[^}]*\}|\$/g, (found) => {
    if (/^\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^$}]*)?\}$/.test(found)) return found;
    if (found.length > 1) refuse(found);
    return `$$${found.slice(1)}`;
  });
}
