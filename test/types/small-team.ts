import { textOf } from "../support/artifact-text.ts";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { typedModule } from "../../compiler/5-artifacts/typed-module/typed-module.ts";
import type { RuntimeFile } from "../../compiler/5-artifacts/runtime-file.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { planned } from "../support/compiled.ts";
import { temporaryProject, type Project } from "./tsc.ts";

/** Three servers and three roles: a usual one, one that is a keyword, one that holds nothing. */

export const issue = {
  type: "object",
  properties: { owner: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
  required: ["owner"],
};
/** A tool that takes anything, unless it says what. */
const tool = (name: string, more: object = {}): object => ({ name, inputSchema: { type: "object" }, ...more });
const manifest = (...tools: readonly object[]): string => JSON.stringify({ tools });
const createIssue = tool("create_issue", {
  title: "New issue",
  description: "Opens an issue.",
  inputSchema: issue,
  outputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
});
const owner = { type: "string", description: "Whose", default: "me" };
const listIssues = tool("list_issues", { inputSchema: { type: "object", properties: { owner } } });

export const { plan: smallTeam } = planned({
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/team.yaml": `
servers:
  azure-devops: { connect: [{ stdio: [azure] }] }
  github: { connect: [{ stdio: [gh] }] }
  notes: { connect: [{ stdio: [notes] }] }
roles:
  tester:
    description: Tries things.
    tools:
      azure-devops: all
      github:
        include: [create_issue, list_issues]
        ask: [create_issue]
        where: { create_issue: { labels: { enum: [bug] }, owner: { enum: [{ b: 1, a: 2 }] } } }
  delete: { tools: { github: [merge_pull_request] } }
  no-body: { tools: { notes: { exclude: ["*"] } } }
policies:
  - { name: labels, roles: [tester], tools: [github.create_issue], where: { labels: { pattern: ^b } } }
`,
  "mcp/manifests/azure-devops.json": manifest(...["read", "issues.list", "10", ""].map((name) => tool(name))),
  "mcp/manifests/github.json": manifest(createIssue, listIssues, tool("merge_pull_request", { inputSchema: issue })),
  "mcp/manifests/notes.json": manifest(tool("search")),
});

export function emitted(plan: Plan, runtime: readonly RuntimeFile[] = readResources().runtime): Map<string, string> {
  const texts = new Map<string, string>();
  for (const artifact of typedModule(runtime).emit(plan, [])) texts.set(artifact.path, textOf(artifact));
  return texts;
}

/**
 * The plan's modules in a temporary project; remove it when done. The runtime is checked here like all else: projects are
 * spared that.
 */
export function filled(plan: Plan): Project {
  const project = temporaryProject();
  for (const [path, text] of emitted(plan)) project.write(path, text.replace("// @ts-nocheck\n", ""));
  return project;
}
