import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { elsewhere } from "../elsewhere.ts";
import { words } from "../host-server.ts";
import { shown } from "../shown-names.ts";
import type { Format } from "../types.ts";
import { type CopilotServer, copilotServer, namesIn, putCopilotServer } from "./server.ts";

const agentDocument = () =>
  z.strictObject({
    "mcp-servers": z.record(z.string(), copilotServer),
    tools: z.optional(z.union([words, z.string()])),
  });

type AgentDocument = z.infer<ReturnType<typeof agentDocument>>;

/** An agent's file of Copilot's: servers that this agent alone has. What its list of tools leaves out, nobody has of them. */
export const copilotAgent: Format<AgentDocument> = {
  id: "copilot-agent",
  title: "Copilot's agent file",
  recognises: (value) => isObject(value["mcp-servers"]),
  usualFile: /(?:^|\/)\.github\/agents\/[^/]+\.md$/,
  passes: elsewhere(["mcp-servers", "tools"], ["name", "model", "models", "skills", "hooks"]),
  schema: agentDocument,
  read: ({ "mcp-servers": servers, tools }, made) => {
    const listed = typeof tools === "string" ? tools.split(",").map((one) => one.trim()) : tools;
    for (const [theirs, one] of Object.entries(servers)) {
      const at = ["mcp-servers", theirs];
      putCopilotServer(made, made.serverName(theirs, at), one, at, toolsOf(theirs, one, listed));
    }
  },
};

/** Copilot's word for its own server: `github/...` never means one of the file's. */
const BUILT_IN = "github";

/** Undefined: every tool. `server/*`, `server/tool` and `server-tool`, where odd letters of a name became `-`. */
function toolsOf(
  server: string,
  one: CopilotServer,
  listed: readonly string[] | undefined,
): readonly string[] | undefined {
  const isNamedWithSlash = server !== BUILT_IN;
  if (listed === undefined || listed.includes("*")) return undefined;
  if (isNamedWithSlash && listed.includes(`${server}/*`)) return undefined;
  const behind = (head: string): readonly string[] =>
    listed.flatMap((entry) => (entry.startsWith(head) ? [entry.slice(head.length)] : []));
  const named = isNamedWithSlash ? behind(`${server}/`) : [];
  const seen = behind(`${shown(server, "-")}-`).filter((tool) => tool === shown(tool, "-"));
  const known = namesIn(one.tools);
  if (known === undefined) return [...named, ...seen];
  return known.filter((tool) => named.includes(tool) || seen.includes(shown(tool, "-")));
}
