import { textOf } from "../support/artifact-text.ts";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { typedModule } from "../../compiler/5-artifacts/typed-module/typed-module.ts";
import type { RuntimeFile } from "../../compiler/5-artifacts/runtime-file.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { allowed, planOf, roleOf, serverOf } from "./plan.ts";
import { temporaryProject, type Project } from "./tsc.ts";

/** Three servers and three roles: a usual one, one that is a keyword, one that holds nothing. */

export const issue = {
  type: "object",
  properties: { owner: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
  required: ["owner"],
};
export const github = serverOf("github", [
  {
    name: "create_issue",
    title: "New issue",
    description: "Opens an issue.",
    inputSchema: issue,
    outputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
  },
  {
    name: "list_issues",
    inputSchema: { type: "object", properties: { owner: { type: "string", description: "Whose", default: "me" } } },
  },
  { name: "merge_pull_request", inputSchema: issue },
]);
const files = serverOf("azure-devops", [{ name: "read" }, { name: "issues.list" }, { name: "10" }, { name: "" }]);
const notes = serverOf("notes", [{ name: "search" }]);

const held = new Set(["create_issue", "list_issues", "read", "issues.list", "10", ""]);
const tester = roleOf(
  "tester",
  [files, github, notes],
  (tool) => {
    if (!held.has(tool.name)) return undefined;
    if (tool.name !== "create_issue") return allowed();
    return {
      effect: "ask",
      where: [
        { argument: "labels", conditions: [{ enum: ["bug"] }, { pattern: "^b" }] },
        { argument: "owner", conditions: [{ enum: [{ b: 1, a: 2 }] }] },
      ],
    };
  },
  { description: "Tries things.", delegates: [] },
);
export const keyword = roleOf("delete", [github], (tool) =>
  tool.name === "merge_pull_request" ? allowed() : undefined,
);
const nobody = roleOf("no-body", [notes], () => undefined);
export const smallTeam = planOf([github, files, notes], [tester, keyword, nobody]);

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
