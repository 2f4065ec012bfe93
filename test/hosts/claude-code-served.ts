import path from "node:path";
import { joinedName } from "../../compiler/serve/joined-name.ts";
import { claudeCode, startClaude } from "./claude-code.ts";
import type { Host } from "./host.ts";
import type { Plan, RoleOfPlan } from "./plan.ts";

/** Where builds write nothing: there, what a build doesn't make is out of place. */
const FOLDER = "served";
const CLI = path.join(import.meta.dirname, "..", "..", "dist", "cli.js");

/** Claude Code with one entry that a hand wrote: `rolecall serve` stands between it and all servers. */
export const claudeCodeServed: Host = {
  ...claudeCode,
  id: "claude-code-served",
  installedAs: claudeCode.id,
  // What the host can't judge is judged behind it, and it knows one server's name.
  conditions: "held",
  keeps: [],
  delegation: "closed",
  shown: ({ server, tool }) => `mcp__rolecall__${joinedName(server, tool)}`,
  readResource: (server) => [
    { name: "ListMcpResourcesTool", args: { server: "rolecall" } },
    { name: "ReadMcpResourceTool", args: { server: "rolecall", uri: `note://${server}/one` } },
    { name: "ReadMcpResourceDirTool", args: { server: "rolecall", uri: `note://${server}/` } },
  ],
  start: (place, begin) => startClaude(place, begin, FOLDER),
  handWritten: {
    settings: "serve: { idle: 1s }\n",
    files: (plan) => Object.fromEntries([...plan.roles].flatMap(([role, held]) => filesOf(role, held, plan))),
  },
};

function filesOf(role: string, { held, builtins }: RoleOfPlan, plan: Plan): (readonly [string, string])[] {
  const names = held.map((one) => claudeCodeServed.shown(one));
  const files = `${FOLDER}/${role}`;
  const entry = { type: "stdio", command: process.execPath, args: [CLI, "serve", "--role", role] };
  const own = builtins["claude-code"] ?? claudeCode.ownTools ?? [];
  const agent = ["---", `name: ${role}`, `description: ${role}`, `tools: ${[...own, ...names].join(", ")}`, "---"];
  const prompt = role === "tester" ? plan.prompt : "Work.";
  return [
    [`${files}.mcp.json`, JSON.stringify({ mcpServers: names.length === 0 ? {} : { rolecall: entry } })],
    // Asked tools too: who is asked is behind it.
    [`${files}.settings.json`, JSON.stringify({ permissions: { allow: names } })],
    [`.claude/agents/${role}.md`, `${agent.join("\n")}\n${prompt}\n`],
  ];
}
