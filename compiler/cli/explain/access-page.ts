import { conditionDemands } from "../../3-plan/condition-words.ts";
import { reasonJson, whereJson } from "../../3-plan/plan-json.ts";
import type { Plan, PlannedRole, Reason, Tool } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { toolPath } from "../../base/names.ts";
import type { Locate } from "../../base/place.ts";
import { cutToWidth } from "../../base/display-width.ts";
import { wrap } from "../../base/wrap.ts";
import { visible } from "../../base/visible.ts";
import { paintWith, type Paint } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import {
  effectOf,
  holdersOf,
  howWords,
  inOrder,
  lookOf,
  reasonWords,
  standingOf,
  type RoleStanding,
} from "../access-words.ts";
import { argumentLines, argumentsJson, type TriedArguments } from "./arguments-page.ts";
import { factLines, lineWords, page } from "../page.ts";

/** `rolecall explain <role> <server.tool>`: the verdict, the lines that made it, who else. */
export function accessPage(
  plan: Plan,
  role: PlannedRole,
  tool: Tool,
  tried: TriedArguments | undefined,
  locate: Locate,
  style: Style,
): string {
  const paint = paintWith(style.colour);
  const standing = standingOf(role, tool);
  return page([
    [...verdictLines(standing, tool, style, paint), ...conditionLines(standing, style)],
    tried === undefined ? [] : argumentLines(tried, standing, locate, style),
    ["why", ...reasonLines(standing, tool, locate, style)],
    ["who else", ...otherLines(plan, role, tool, style)],
  ]);
}

export function accessJson(
  plan: Plan,
  role: PlannedRole,
  tool: Tool,
  tried: TriedArguments | undefined,
  locate: Locate,
): JsonObject {
  const { decision } = standingOf(role, tool);
  return {
    format: 1,
    role: role.name,
    server: tool.server,
    tool: tool.name,
    effect: effectOf(decision),
    where: whereJson(decision?.where ?? []),
    ...(tried && { arguments: argumentsJson(tried, locate) }),
    because: inOrder(decision?.because ?? []).map((reason) => reasonJson(reason, locate)),
    alsoHeldBy: othersOf(plan, role, tool).map((other) => ({
      role: other.role.name,
      effect: effectOf(other.decision),
      where: whereJson(other.decision?.where ?? []),
    })),
  };
}

function verdictLines(standing: RoleStanding, tool: Tool, style: Style, paint: Paint): string[] {
  const who = standing.role.name;
  const what = visible(toolPath(tool.server, tool.name));
  const sentence = {
    allow: `${who} may call ${what}: allowed`,
    ask: `${who} may call ${what}: asked, each call needs a yes`,
    deny: `${who} can't call ${what}: denied`,
  }[effectOf(standing.decision)];
  return wrap(sentence, style.width, "  ").map((line) => paint("strong", line));
}

function conditionLines(standing: RoleStanding, style: Style): string[] {
  const conditions = conditionDemands(standing.decision?.where ?? []);
  return factLines([["only where", conditions]], style);
}

function reasonLines(standing: RoleStanding, tool: Tool, locate: Locate, style: Style): string[] {
  if (standing.decision === undefined) {
    const words = `neither ${standing.role.name} nor a role that it extends mentions ${tool.server}`;
    return [...wrap(`  ${words}`, style.width, "  "), sourceLine(lineWords(standing.role.place, locate), style)];
  }
  return inOrder(standing.decision.because).flatMap((reason) => oneReason(reason, locate, style));
}

function oneReason(reason: Reason, locate: Locate, style: Style): string[] {
  return [...wrap(`  ${reasonWords(reason)}`, style.width, "    "), sourceLine(lineWords(reason.from, locate), style)];
}

function sourceLine(words: string, style: Style): string {
  const room = (style.width ?? 160) - 4;
  return paintWith(style.colour)("quiet", `    ${cutToWidth(words, room, style.ascii ? "..." : "…")}`);
}

function otherLines(plan: Plan, role: PlannedRole, tool: Tool, style: Style): string[] {
  const others = othersOf(plan, role, tool);
  if (others.length === 0) return ["  no other role holds it"];
  const paint = paintWith(style.colour);
  const groups = new Map<string, RoleStanding[]>();
  for (const other of others)
    groups.set(howWords(other.decision), [...(groups.get(howWords(other.decision)) ?? []), other]);
  return [...groups].flatMap(([how, standings]) => {
    const names = standings.map((standing) => standing.role.name).join(", ");
    const [first = "", ...rest] = wrap(`  ${how}  ${names}`, style.width, " ".repeat(how.length + 4));
    return [`  ${paint(lookOf(standings[0]!.decision), how)}${first.slice(how.length + 2)}`, ...rest];
  });
}

function othersOf(plan: Plan, role: PlannedRole, tool: Tool): RoleStanding[] {
  return holdersOf(plan, tool).filter((holder) => holder.role.name !== role.name);
}
