// What git knows of one repository, as MCP tools. Arguments are handed to git without a shell, and none is taken for an option.
import { execFileSync } from "node:child_process";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const [repository = "."] = process.argv.slice(2);
const server = new McpServer({ name: "git", version: "1.0.0" });
const reads = { readOnlyHint: true };
const revision = z.string().regex(/^[A-Za-z0-9_./~^-]+$/);

tool("git_log", "The latest commits.", { count: z.number().int().min(1).max(100) }, reads, ({ count }) =>
  git("log", `-${count}`, "--format=%h %an: %s"),
);
tool("git_show", "One commit, with what it changed.", { revision }, reads, ({ revision: at }) =>
  git("show", "--stat", "--format=%h %s", "--end-of-options", at),
);
tool("git_blame", "Who wrote each line of a file.", { path: z.string() }, reads, ({ path }) =>
  git("blame", "-s", "--", path),
);
tool("git_commit", "Commits what is staged.", { message: z.string() }, { destructiveHint: false }, ({ message }) =>
  git("commit", `--message=${message}`),
);
await server.connect(new StdioServerTransport());

function tool(name, description, inputSchema, annotations, run) {
  server.registerTool(name, { description, inputSchema, annotations }, (args) => ({
    content: [{ type: "text", text: run(args) }],
  }));
}

function git(...args) {
  return execFileSync("git", ["-C", repository, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}
