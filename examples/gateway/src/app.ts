/** What an agent host does with its file: it starts the one entry that is there, and calls what that lists. */
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

interface HostFile {
  readonly mcpServers: { readonly rolecall: { readonly command: string; readonly args: string[] } };
}

const file = JSON.parse(readFileSync("mcp/hosts/claude-code/tester.mcp.json", "utf8")) as HostFile;
const { command, args } = file.mcpServers.rolecall;
const client = new Client({ name: "a-host", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env as Record<string, string> }));
const call = async (name: string, given: Record<string, string>): Promise<void> => {
  const { content } = await client.callTool({ name, arguments: given });
  console.log((content as readonly { readonly text: string }[])[0]?.text);
};

const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(", "));
await call("notes__write_note", { path: "tests/tides.md", text: "High water at noon." });
await call("notes__write_note", { path: "src/tides.md", text: "High water at noon." });
await call("notes__delete_note", { path: "tests/tides.md" });
await client.close();
