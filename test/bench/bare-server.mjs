// The protocol's own server with a list that is only there, over stdio. usage: node bare-server.mjs <file with the tools>
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));
serveStdio(() => {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: params.arguments.text }],
  }));
  return server;
});
