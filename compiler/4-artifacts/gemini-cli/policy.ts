import { tomlText } from "../fitting/host-text.ts";
import type { FittedRole } from "../fitting/types.ts";
import { hashHeader } from "../header.ts";

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS = ["list_mcp_resources", "read_mcp_resource"];
/** It hands work to the host's sub-agents. */
export const HANDING_OVER = "invoke_agent";

/**
 * `policy.toml`, the boundary: it holds under yolo, with `trust`, and whatever other settings say. The host's own answers
 * to a question that was asked before come at 950, so what is asked stands above them. One rule that the host can't read
 * makes it drop the whole file; what is left then is `includeTools`, and a question before every call.
 */
export function policy({ servers, delegates }: FittedRole): string {
  const held = servers.flatMap(({ server, tools }) =>
    tools.map(({ tool, effect }) => rule([tool.name], effect === "ask" ? "ask_user" : "allow", 999, server.name)),
  );
  const closed = [...RESOURCE_TOOLS, ...(delegates.length === 0 ? [HANDING_OVER] : [])];
  return `${[hashHeader, ...held, rule(["*"], "deny", 998, "*"), rule(closed, "deny", 999)].join("\n\n")}\n`;
}

function rule(tools: readonly string[], decision: string, priority: number, server?: string): string {
  const names = tools.map(tomlText);
  return [
    "[[rule]]",
    ...(server === undefined ? [] : [`mcpName = ${tomlText(server)}`]),
    `toolName = ${names.length === 1 ? names[0] : `[${names.join(", ")}]`}`,
    `decision = ${tomlText(decision)}`,
    `priority = ${priority}`,
  ].join("\n");
}
