import type { JsonValue } from "../base/json.ts";
import { firstOf } from "../base/list-words.ts";
import { toolPath, type RoleName } from "../base/names.ts";
import { keyOf } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import { argumentAt, type ArgumentAt } from "../2-model/argument-path.ts";
import { neverText } from "./never-text.ts";
import type { ArgumentCondition, Server, Tool } from "../2-model/types.ts";
import type { Check, Subject } from "./types.ts";

/** A held tool that a condition is written for and that lacks the argument would be unscoped. */
export const checkArguments: Check = (subject, report) => {
  const found = new Map<ArgumentCondition, Scoped>();
  const servers = new Map(subject.model.servers.map((server) => [server.name, server]));
  const collect = (
    roles: readonly RoleName[],
    server: Server,
    tools: readonly number[],
    conditions: readonly ArgumentCondition[],
  ): void => {
    if (!server.manifest || conditions.length === 0) return;
    for (const role of roles) collectHeld(role, server, tools, conditions, subject, found);
  };
  const heirs = heirsOf(subject);
  for (const role of subject.model.roles) {
    for (const entry of role.entries) {
      for (const { selection, conditions } of entry.where) {
        collect(heirs.get(role.name)!, servers.get(entry.server)!, selection.tools, conditions);
      }
    }
  }
  for (const policy of subject.model.policies) {
    for (const [server, tools] of policy.selections.flatMap((selection) => [...selection.tools])) {
      collect(policy.roles, servers.get(server)!, tools, policy.conditions);
    }
  }
  for (const [condition, scoped] of found) judge(condition, scoped, report);
};

/** What a condition is held against: each tool once, and the roles that hold one. */
interface Scoped {
  readonly tools: Set<Tool>;
  readonly roles: Set<RoleName>;
}

/** A condition also binds the roles that extend the one that wrote it. */
function heirsOf({ plan }: Subject): Map<RoleName, RoleName[]> {
  const heirs = new Map<RoleName, RoleName[]>(plan.roles.map((role) => [role.name, []]));
  for (const role of plan.roles) for (const ancestor of role.lineage) heirs.get(ancestor)!.push(role.name);
  return heirs;
}

function collectHeld(
  role: RoleName,
  server: Server,
  tools: readonly number[],
  conditions: readonly ArgumentCondition[],
  { grant }: Subject,
  found: Map<ArgumentCondition, Scoped>,
): void {
  const decisions = grant(role, server.name)?.decisions;
  if (!decisions) return;
  for (const index of tools) {
    if (decisions[index]!.effect === "deny") continue;
    for (const condition of conditions) {
      let scoped = found.get(condition);
      if (!scoped) found.set(condition, (scoped = { tools: new Set(), roles: new Set() }));
      scoped.tools.add(server.tools[index]!);
      scoped.roles.add(role);
    }
  }
}

/** One message for a condition, however many tools lack its argument. */
function judge(condition: ArgumentCondition, { tools, roles }: Scoped, report: Report): void {
  const answers = [...tools].map(
    (tool) => [tool, argumentAt(tool.definition().inputSchema, condition.argument)] as const,
  );
  const missing = answers.filter(([, answer]) => !answer.found);
  if (missing.length > 0) {
    const names = firstOf(missing.map(([tool]) => `\`${toolPath(tool.server, tool.name)}\``));
    const which = `${names}, which ${missing.length > 1 ? "have" : "has"} no argument`;
    const params = { holders: holders(roles), which, argument: condition.argument, help: helpFor(missing[0]![1]) };
    report.add("role/argument-missing", keyOf(condition.place), params);
  }
  for (const [tool, answer] of answers)
    if (answer.found && sayNotText(condition, tool, answer.schema, roles, report)) break;
}

function holders(roles: ReadonlySet<RoleName>): string {
  const names = firstOf([...roles].map((role) => `\`${role}\``));
  return roles.size > 1 ? `roles ${names} hold` : `role ${names} holds`;
}

function helpFor(answer: ArgumentAt): string {
  const known = answer.found ? "" : answer.known.map((name) => `\`${name}\``).join(", ");
  return known === ""
    ? "it has no arguments that a condition could name; take the tool out"
    : `it has ${known}; condition one of those, or take the tool out`;
}

/** `glob` and `pattern` judge text. Where the schema says that it is never text, each call would be refused. */
function sayNotText(
  { argument, condition, place }: ArgumentCondition,
  tool: Tool,
  schema: JsonValue,
  roles: ReadonlySet<RoleName>,
  report: Report,
): boolean {
  const kind = condition.glob !== undefined ? "glob" : condition.pattern !== undefined ? "pattern" : undefined;
  const type = kind === undefined ? undefined : neverText(tool.definition().inputSchema, schema);
  if (kind === undefined || type === undefined) return false;
  report.add("role/argument-not-text", keyOf(place), {
    holders: holders(roles),
    tool: toolPath(tool.server, tool.name),
    argument,
    type,
    kind,
  });
  return true;
}
