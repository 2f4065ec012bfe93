// A plain forwarder with the protocol's own libraries on both sides: it hands lists and calls of one server on, and holds no
// rule. usage: node bare-proxy.mjs <command> <args...>
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "forwarder", version: "1" });
await client.connect(new StdioClientTransport({ command, args }));
serveStdio(() => {
  const server = new Server({ name: "forwarder", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => client.listTools());
  server.setRequestHandler("tools/call", ({ params }) => client.callTool(params));
  return server;
});
