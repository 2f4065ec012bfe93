import { conditionDemands } from "../../3-plan/condition-words.ts";
import { reasonJson, whereJson } from "../../3-plan/plan-json.ts";
import type { Plan, Tool } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { toolPath } from "../../base/names.ts";
import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { tableLines, text, type TableCell, type Table } from "../table.ts";
import {
  decisiveReason,
  effectOf,
  holdersOf,
  howWords,
  inOrder,
  lookOf,
  reasonWords,
  standings,
  type RoleStanding,
} from "../access-words.ts";
import { page, placeWords } from "../page.ts";
import { aboutOf, hintWords } from "../tool-words.ts";

/** `rolecall explain <server.tool>`: every role, whether it holds the tool, and why in a word. */
export function toolPage(plan: Plan, tool: Tool, locate: Locate, style: Style): string {
  const paint = paintWith(style.colour);
  const count = holdersOf(plan, tool).length;
  const headline = `${visible(toolPath(tool.server, tool.name))}: held by ${count} of ${plan.roles.length} roles`;
  const about = visible(aboutOf(tool));
  return page([
    [
      ...wrap(headline, style.width, "  ").map((line) => paint("strong", line)),
      ...(about === "" ? [] : wrap(`  ${about}`, style.width, "  ")),
      ...wrap(
        `  ${[...hintWords(tool.hints), ...tool.labels.map((label) => `label ${label}`)].join(", ")}`,
        style.width,
        "  ",
      ),
    ],
    plan.roles.length === 0 ? [] : tableLines(holdersTable(plan, tool, locate), style),
  ]);
}

export function toolJson(plan: Plan, tool: Tool, locate: Locate): JsonObject {
  return {
    format: 1,
    server: tool.server,
    tool: tool.name,
    roles: standings(plan, tool).map(({ role, decision }) => ({
      role: role.name,
      effect: effectOf(decision),
      where: whereJson(decision?.where ?? []),
      because: inOrder(decision?.because ?? []).map((reason) => reasonJson(reason, locate)),
    })),
  };
}

function holdersTable(plan: Plan, tool: Tool, locate: Locate): Table {
  return {
    columns: [{ title: "role" }, { title: "how" }, { title: "why", mayShrink: true }, { title: "line" }],
    rows: standings(plan, tool).map((standing) => row(standing, locate)),
  };
}

function row(standing: RoleStanding, locate: Locate): TableCell[] {
  const { role, decision } = standing;
  const reason = decision && decisiveReason(decision);
  const why = reason === undefined ? "doesn't mention the server" : reasonWords(reason);
  const conditions = conditionDemands(decision?.where ?? []);
  return [
    text(role.name),
    text(howWords(decision), lookOf(decision)),
    [{ text: why }, ...conditions.map((condition) => ({ text: condition }))],
    text(placeWords(reason?.from ?? role.place, locate)),
  ];
}
