import { visibleMarkdown } from "../../../base/visible.ts";
import { heldByServer } from "../../../3-plan/held.ts";
import type { Plan } from "../../../3-plan/types.ts";
import { markdownHeader } from "../../header.ts";
import type { Target } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import type { FittedPlan } from "../../../4-fit/types.ts";
import { code } from "./code.ts";
import { hostSection, openToolsLines } from "./host-section.ts";
import { matrix } from "./matrix.ts";
import { roleSection, type ToolCodes } from "./role-section.ts";
import { serverSection } from "./server-section.ts";

/** `<out>/ACCESS.md`: the plan for people reading a pull request. Sorted, and one tool to a line, so that a diff says what changed. */
export const accessMarkdown: Target = {
  id: "access-markdown",
  title: "the plan as a page",
  emit: function* (plan: Plan, hosts: readonly FittedPlan[]): Iterable<Artifact> {
    yield { path: `${plan.project.out}/ACCESS.md`, fingerprint: plan.fingerprint, chunks: pageChunks(plan, hosts) };
  },
};

/** The text of the page, a section at a time. */
export function* pageChunks(plan: Plan, hosts: readonly FittedPlan[]): Generator<string> {
  const toolCodes: ToolCodes = new Map(
    plan.servers.map((server) => [server, server.tools.map((tool) => code(tool.name))]),
  );
  const held = heldByServer(plan);
  yield `${markdownHeader}\n`;
  yield `\n# Who may do what in ${visibleMarkdown(plan.project.name)}\n`;
  for (const section of openToolsLines(hosts)) yield `\n${section}`;
  yield "\nA number is how many tools of a server the role holds; `ask` means that each call needs a yes. What isn't here is denied.\n";
  yield `\n${matrix(plan).join("\n")}\n`;
  for (const section of guards(plan)) yield `\n${section}`;
  for (const section of hostSection(hosts)) yield `\n${section}`;
  yield "\n## Roles\n";
  for (const role of plan.roles) yield `\n${roleSection(role, toolCodes)}`;
  yield "\n## Servers\n";
  for (const server of plan.servers) yield `\n${serverSection(server, held.get(server.name))}`;
}

function guards(plan: Plan): string[] {
  if (plan.guards.length === 0) return [];
  return [
    "## Policies and invariants\n",
    `${plan.guards.map(({ name }) => `- ${visibleMarkdown(name)}`).join("\n")}\n`,
  ];
}
