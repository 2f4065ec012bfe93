import { madeOnce } from "../../../base/made-once.ts";
import { sorted } from "../../../base/order.ts";
import { visibleMarkdown } from "../../../base/visible.ts";
import { conditionSentence } from "../../../3-plan/condition-words.ts";
import { held, holdsAny } from "../../../3-plan/held.ts";
import { resourceRules } from "../../../3-plan/resource-rules.ts";
import type { Decision, Grant, PlannedRole, Server } from "../../../3-plan/types.ts";
import { code, codes } from "./code.ts";

/** Tool names as code, made once for each server: many roles hold the same ones. */
export type ToolCodes = ReadonlyMap<Server, readonly string[]>;

export function roleSection(role: PlannedRole, toolCodes: ToolCodes): string {
  const lines = [`### ${visibleMarkdown(role.name)}`, "", ...facts(role).map((fact) => `- ${fact}`)];
  const grants = role.grants.filter(holdsAny);
  if (grants.length === 0) lines.push("", "It holds no tool.");
  for (const grant of grants) {
    lines.push("", `#### ${visibleMarkdown(role.name)}: ${visibleMarkdown(grant.server.name)}`);
    for (const line of grantLines(grant, toolCodes.get(grant.server)!)) lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}

function facts(role: PlannedRole): string[] {
  const facts: string[] = [];
  const ancestors = role.lineage.slice(1);
  const further = role.reaches.filter((name) => !role.delegates.includes(name));
  if (role.description !== undefined) facts.push(`what for: ${visibleMarkdown(role.description)}`);
  if (role.owner !== undefined) facts.push(`owner: ${code(role.owner)}`);
  if (ancestors.length > 0) facts.push(`extends: ${codes(sorted(ancestors))}`);
  facts.push(...builtinFacts(role));
  facts.push(
    `hands work to: ${role.delegates.length === 0 ? "nobody" : codes(sorted(role.delegates))}${further.length === 0 ? "" : `, and through them ${codes(further)}`}`,
  );
  return facts;
}

function builtinFacts(role: PlannedRole): string[] {
  if (role.builtins.length === 0) return ["built-in tools of hosts: not governed"];
  const governed = role.builtins.map(
    ({ host, names }) =>
      `built-in tools of ${code(host)}: ${names.length === 0 ? "none" : names.includes("*") ? "all of them" : codes(sorted(names))}`,
  );
  return [...governed, "built-in tools of other hosts: not governed"];
}

function grantLines(grant: Grant, names: readonly string[]): string[] {
  const allowed: string[] = [];
  const asked: string[] = [];
  const onlyWhen = madeOnce(({ where }: Decision) =>
    where.length === 0 ? "" : ` only when ${conditionSentence(where, code)}`,
  );
  for (const [tool, decision] of held(grant))
    (decision.effect === "allow" ? allowed : asked).push(`- ${names[tool.index]!}${onlyWhen(decision)}`);
  return [...group("Allowed", allowed), ...group("Asked at each call", asked), ...resourceLines(grant.resources)];
}

/** Their names and descriptions come from the server as they are: no pin holds them. */
function resourceLines(resources: Grant["resources"]): string[] {
  if (resources === undefined) return [];
  const { include, exclude = [], within = [] } = resourceRules(resources);
  const lines = [
    ...include.map((glob) => `- ${code(glob)}`),
    ...within.map((globs) => `- only within ${codes(globs)}`),
    ...exclude.map((glob) => `- not ${code(glob)}`),
  ];
  const words =
    "May be read, through `rolecall serve` and the runtime alone (what the server calls them is its own text, and not pinned)";
  return group(words, lines);
}

function group(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, "", ...lines];
}
