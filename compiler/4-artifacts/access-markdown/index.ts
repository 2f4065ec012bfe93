import { visibleMarkdown } from "../../base/visible.ts";
import type { Plan, Server } from "../../3-plan/types.ts";
import { markdownHeader } from "../header.ts";
import type { Artifact, Target } from "../types.ts";
import { code } from "./code.ts";
import { matrix } from "./matrix.ts";
import { roleSection, type ToolCodes } from "./role-section.ts";
import { serverSection } from "./server-section.ts";

/** `<out>/ACCESS.md`: the plan for people reading a pull request. Sorted, and one tool to a line, so that a diff says what changed. */
export const accessMarkdown: Target = {
  id: "access-markdown",
  title: "the plan as a page",
  emit: function* (plan: Plan): Iterable<Artifact> {
    yield { path: `${plan.project.out}/ACCESS.md`, text: accessPage(plan) };
  },
};

export function accessPage(plan: Plan): string {
  const toolCodes: ToolCodes = new Map(plan.servers.map((server) => [server, server.tools.map((tool) => code(tool.name))]));
  const held = heldTools(plan);
  const sections = [
    `${markdownHeader}\n`,
    `# Who may do what in ${visibleMarkdown(plan.project.name)}\n`,
    "A number is how many tools of a server the role holds; `ask` means that each call needs a yes. What isn't here is denied.\n",
    `${matrix(plan).join("\n")}\n`,
    ...guards(plan),
    "## Roles\n",
    ...plan.roles.map((role) => roleSection(role, toolCodes)),
    "## Servers\n",
    ...plan.servers.map((server) => serverSection(server, held.get(server))),
  ];
  return sections.join("\n");
}

function guards(plan: Plan): string[] {
  if (plan.guards.length === 0) return [];
  return ["## Policies and invariants\n", `${plan.guards.map(({ name }) => `- ${visibleMarkdown(name)}`).join("\n")}\n`];
}

function heldTools(plan: Plan): Map<Server, boolean[]> {
  const held = new Map<Server, boolean[]>(plan.servers.map((server) => [server, []]));
  for (const { server, decisions } of plan.roles.flatMap((role) => role.grants)) {
    const tools = held.get(server);
    decisions.forEach(({ effect }, i) => {
      if (tools && effect !== "deny") tools[i] = true;
    });
  }
  return held;
}
