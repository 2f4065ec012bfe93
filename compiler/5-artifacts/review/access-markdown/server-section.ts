import { sorted } from "../../../base/order.ts";
import { visibleMarkdown } from "../../../base/visible.ts";
import type { Server, Transport } from "../../../3-plan/types.ts";
import { code, codes, counted } from "./code.ts";

/** `heldTools`: by index, whether some role holds the tool. */
export function serverSection(server: Server, heldTools: readonly boolean[] | undefined): string {
  const title = server.title === undefined || server.title === server.name ? "" : ` (${visibleMarkdown(server.title)})`;
  const facts = server.description === undefined ? [] : [`- what for: ${visibleMarkdown(server.description)}`];
  facts.push(`- owner: ${server.owner === undefined ? "nobody is named" : code(server.owner)}`);
  facts.push(
    ...server.connect.map((transport, i) => `- ${i === 0 ? "reached by" : "else by"} ${transportWords(transport)}`),
  );
  if (server.connect.length === 0) facts.push("- reached by: nothing is written");
  if (server.variables.length > 0)
    facts.push(`- variables: ${codes(sorted(server.variables.map((variable) => variable.name)))}`);
  if (server.root !== undefined) facts.push(`- paths are relative to ${code(server.root.written)}`);
  facts.push(`- pin: ${pinWords(server)}`);
  facts.push(`- held: ${heldWords(server, heldTools)}`);
  return `### ${visibleMarkdown(server.name)}${title}\n\n${facts.join("\n")}\n`;
}

function transportWords(transport: Transport): string {
  const named = transport.kind === "stdio" ? transport.env : transport.headers;
  const parts =
    transport.kind === "stdio"
      ? [
          `stdio ${codes(transport.command.map((word) => word.written))}`,
          ...(transport.cwd ? [`in ${code(transport.cwd.written)}`] : []),
        ]
      : [`${transport.kind} ${code(transport.url.written)}`];
  if (named.length > 0)
    parts.push(`${transport.kind === "stdio" ? "environment" : "headers"} ${codes(sorted(named.map((n) => n.name)))}`);
  return parts.join("; ");
}

function pinWords(server: Server): string {
  if (server.manifest === undefined) return "none; no manifest was captured";
  const { file, serverVersion, instructionsDigest } = server.manifest;
  const version = serverVersion === undefined ? "" : `, version ${code(serverVersion)}`;
  const instructions =
    instructionsDigest === undefined ? "no instructions" : `instructions ${code(instructionsDigest)}`;
  return `${code(file)}${version}, ${instructions}`;
}

function heldWords(server: Server, heldTools: readonly boolean[] | undefined): string {
  const count = heldTools?.filter(Boolean).length ?? 0;
  return count === 0 ? "no role holds a tool of it" : `${count} of ${counted(server.tools.length, "tool")}`;
}
