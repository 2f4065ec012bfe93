// The quickest server there can be: raw JSON-RPC, one tool that gives back its arguments. Over stdio, or with the argument
// `http` on a free port of the loopback, which it prints.
import { createServer } from "node:http";
import { ECHO } from "./echo-tool.mjs";

function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  return { jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} };
}

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  }),
  "tools/list": () => ({ tools: [ECHO] }),
  "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: args.text }] }),
};

if (process.argv[2] === "http") serveHttp();
else serveStdio();

function serveStdio() {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    const answers = lines.map((line) => answer(JSON.parse(line))).filter((said) => said !== undefined);
    if (answers.length > 0) process.stdout.write(answers.map((said) => `${JSON.stringify(said)}\n`).join(""));
  });
  process.stdin.on("end", () => process.exit(0));
}

function serveHttp() {
  let sessions = 0;
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const part of request) body += part;
    const message = JSON.parse(body);
    const said = answer(message);
    if (said === undefined) return response.writeHead(202).end();
    const session = message.method === "initialize" ? { "mcp-session-id": `s${sessions++}` } : {};
    response.writeHead(200, { "content-type": "application/json", ...session }).end(JSON.stringify(said));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
  process.on("disconnect", () => process.exit(0));
}
