import type { Decision, Plan, PlannedRole, Server } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { codeCell } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { matrixLines, text, type TableCell } from "../table.ts";
import { effectOf, lookOf, standings } from "../access-words.ts";
import { page } from "../page.ts";
import { toolWords } from "../tool-words.ts";
import { wrap } from "../../base/wrap.ts";

/** `rolecall report --server NAME`: every tool of one server, every role that holds any of them. */
interface Marks {
  readonly allow: string;
  readonly ask: string;
  readonly where: string;
  readonly deny: string;
}

const MARKS: Marks = { allow: "●", ask: "?", where: "~", deny: "·" };
const ASCII_MARKS: Marks = { allow: "+", ask: "?", where: "~", deny: "." };

export function toolMatrixText(plan: Plan, server: Server, style: Style): string {
  if (server.tools.length === 0) return `${server.name} has no tools\n`;
  const roles = holders(plan, server);
  if (roles.length === 0) return `no role holds a tool of ${server.name}\n`;
  const marks = style.ascii ? ASCII_MARKS : MARKS;
  const rows = server.tools.map((tool) => [
    text(toolWords(tool)),
    ...standings({ ...plan, roles }, tool).map(({ decision }): TableCell =>
      text(markOf(decision, marks), lookOf(decision)),
    ),
  ]);
  const columns = [{ title: server.name }, ...roles.map((role) => ({ title: role.name }))];
  const legend = `${marks.allow} allowed  ${marks.ask} asked  ${marks.where} only where conditions hold  ${marks.deny} denied`;
  return page([matrixLines({ columns, rows }, style), [...wrap(legend, style.width), ...without(plan, roles, style)]]);
}

export function toolMatrixMarkdown(plan: Plan, server: Server): string {
  const roles = holders(plan, server);
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row([codeCell(server.name), ...roles.map((role) => codeCell(role.name))]),
    row(["---", ...roles.map(() => "---")]),
    ...server.tools.map((tool) =>
      row([
        codeCell(toolWords(tool)),
        ...standings({ ...plan, roles }, tool).map(({ decision }) => markdownWords(decision)),
      ]),
    ),
    "",
  ].join("\n");
}

export function toolMatrixJson(plan: Plan, server: Server): JsonObject {
  return {
    format: 1,
    project: plan.project.name,
    server: server.name,
    tools: server.tools.map((tool) => ({
      name: tool.name,
      roles: standings(plan, tool).map(({ role, decision }) => ({
        name: role.name,
        effect: effectOf(decision),
        where: (decision?.where.length ?? 0) > 0,
      })),
    })),
  };
}

function holders(plan: Plan, server: Server): PlannedRole[] {
  return plan.roles.filter((role) =>
    role.grants.some((grant) => grant.server.name === server.name && grant.decisions.some((d) => d.effect !== "deny")),
  );
}

/** Roles that hold nothing here would be empty columns: they are named below the table instead. */
function without(plan: Plan, shown: readonly PlannedRole[], style: Style): string[] {
  const rest = plan.roles.filter((role) => !shown.includes(role)).map((role) => role.name);
  return rest.length === 0 ? [] : wrap(`nothing here for: ${rest.join(", ")}`, style.width, "  ");
}

function markOf(decision: Decision | undefined, marks: Marks): string {
  const effect = effectOf(decision);
  const conditioned = (decision?.where.length ?? 0) > 0;
  if (effect === "deny") return marks.deny;
  if (effect === "ask") return conditioned ? marks.ask + marks.where : marks.ask;
  return conditioned ? marks.where : marks.allow;
}

function markdownWords(decision: Decision | undefined): string {
  const effect = effectOf(decision);
  if (effect === "deny") return "";
  const conditioned = (decision?.where.length ?? 0) > 0;
  return conditioned ? `${effect}, where` : effect;
}
