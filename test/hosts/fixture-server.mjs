/**
 * The servers of the battery's project, over stdio: node fixture-server.mjs <server>. Everything lies beside this
 * file, since what a host hands to a server's environment is one of the things under test:
 * `state.json`: { grow: true, faults: { <server>: "dead" | "hung" | "dies" } }; `log.jsonl`: what reached a server.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const READS = { readOnlyHint: true };
const SERVERS = {
  tracker: {
    needs: "TRACKER_TOKEN",
    tools: [
      tool("list_issues", ["state"], READS),
      tool("get_issue", ["id"], READS),
      tool("create_issue", ["title"]),
      tool("merge_change", ["id"]),
    ],
  },
  files: { tools: [tool("read_file", ["path"], READS), tool("write_file", ["path"]), tool("delete_file", ["path"])] },
  vault: {
    needs: "VAULT_TOKEN",
    resources: true,
    tools: [tool("list_secrets", ["prefix"], READS), tool("get_secret", ["name"]), tool("rotate-key", ["name"])],
  },
  wiki: {
    resources: true,
    tools: [tool("search-pages", ["text"], READS), tool("page.read", ["id"], READS), tool("page.write", ["id"])],
  },
  // Names that a host keeps for itself: a key of permissions where they are joined, and servers of hosts' own.
  external: { tools: [tool("directory", ["id"]), tool("look", ["id"])] },
  workspace: { tools: [tool("tidy", ["id"])] },
  codex_apps: { tools: [tool("open_app", ["id"])] },
  "github-mcp-server": { tools: [tool("get_me", ["id"])] },
  // In no project: one of a person's own.
  "persons-own": { tools: [tool("peek", ["id"])] },
};

const name = process.argv[2];
const server = SERVERS[name];
const beside = (file) => path.join(import.meta.dirname, file);
const state = existsSync(beside("state.json")) ? JSON.parse(readFileSync(beside("state.json"), "utf8")) : {};
const fault = state.faults?.[name];
let tools = state.grow ? [...server.tools, tool("grown_at_start", [])] : server.tools;
let grown = !state.grow;

setTimeout(() => process.exit(9), 90_000);
log("start");
if (fault === "dead") process.exit(3);
if (server.needs && !process.env[server.needs]?.startsWith("test-")) {
  log("no variable");
  process.stderr.write(`${server.needs} isn't set\n`);
  process.exit(4);
}

const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (fault === "hung" || id === undefined || method === undefined) return;
  const result = answer(method, params);
  send(result === undefined ? { id, error: { code: -32601, message: `no ${method} here` } } : { id, result });
});

function answer(method, params) {
  if (method === "initialize") return initialize(params);
  if (method === "ping") return {};
  if (method === "tools/list") {
    log("list", { tools: tools.map((one) => one.name) });
    return { tools };
  }
  if (method === "tools/call") return call(params);
  if (!server.resources) return undefined;
  const uri = `note://${name}/one`;
  if (method === "resources/list") return { resources: [{ uri, name: `a-note-of-${name}` }] };
  if (method === "resources/templates/list") return { resourceTemplates: [] };
  if (method === "resources/read") {
    log("read", { uri: params.uri });
    return { contents: [{ uri, text: `what the note of ${name} says` }] };
  }
  return undefined;
}

function initialize(params) {
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true }, ...(server.resources ? { resources: {} } : {}) },
    serverInfo: { name, version: "1.0.0" },
  };
}

function call(params) {
  log("call", { tool: params.name, args: params.arguments });
  if (fault === "dies") process.exit(5);
  if (!grown) {
    grown = true;
    tools = [...tools, tool("grown_later", [])];
    send({ method: "notifications/tools/list_changed" });
  }
  return { content: [{ type: "text", text: `${name} did ${params.name}` }] };
}

function tool(toolName, properties, annotations) {
  return {
    name: toolName,
    description: `Does ${toolName}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(properties.map((one) => [one, { type: "string" }])),
    },
    ...(annotations ? { annotations } : {}),
  };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function log(did, more) {
  appendFileSync(beside("log.jsonl"), `${JSON.stringify({ server: name, did, pid: process.pid, ...more })}\n`);
}
