import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import { common, putCommon, putFilter, texts, words } from "../host-server.ts";
import { elsewhere } from "../elsewhere.ts";
import { ofNobody, respelling } from "../references.ts";
import type { Format } from "../types.ts";

const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    ...common,
  }),
  z.strictObject({
    type: z.optional(z.enum(["http", "sse"])),
    url: z.string(),
    headers: z.optional(texts),
    ...common,
  }),
]);
const desktopDocument = () => z.strictObject({ mcpServers: z.record(z.string(), server) });

type DesktopDocument = z.infer<ReturnType<typeof desktopDocument>>;

/** `claude_desktop_config.json`: servers beside settings of the program, and no references at all. */
export const claudeDesktop: Format<DesktopDocument> = {
  id: "claude-desktop",
  title: "Claude Desktop's configuration",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)claude_desktop_config\.json$/,
  passes: elsewhere(["mcpServers"], ["preferences", "globalShortcut", "scale", "locale", "userThemeMode"]),
  schema: desktopDocument,
  read: ({ mcpServers }, made) => {
    const spell = respelling(made, ofNobody(made, "in a source of rolecall it would be a variable"));
    for (const [theirs, one] of Object.entries(mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      if ("command" in one) putProcess(made, name, one, at, { spell });
      else {
        putAddress(made, name, one.type ?? "http", one, at, { spell });
        if (one.type === undefined) putAddress(made, name, "sse", one, at, { i: 1, spell });
      }
      putFilter(made, name, { exclude: one.disabledTools }, at, ["", "disabledTools"]);
      putCommon(made, name, one, at);
    }
  },
};
