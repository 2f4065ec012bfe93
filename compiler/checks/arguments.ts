import { isObject, own, type JsonValue } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import { keyOf } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import { argumentAt } from "../2-model/argument-path.ts";
import type { ArgumentCondition, Server, Tool } from "../2-model/types.ts";
import type { Check, Subject } from "./types.ts";

/** A held tool that a condition is written for and that lacks the argument would be unscoped. */
export const checkArguments: Check = (subject, report) => {
  const roles = new Map(subject.model.roles.map((role) => [role.name, role]));
  const servers = new Map(subject.model.servers.map((server) => [server.name, server]));
  for (const role of subject.plan.roles) {
    for (const ancestor of role.lineage) {
      for (const entry of roles.get(ancestor)!.entries) {
        for (const { selection, conditions } of entry.where)
          checkTools(selection.tools, conditions, role.name, servers.get(entry.server)!, subject, report);
      }
    }
  }
  for (const policy of subject.model.policies) {
    for (const role of policy.roles) {
      for (const [server, tools] of policy.selections.flatMap((selection) => [...selection.tools])) {
        checkTools(tools, policy.conditions, role, servers.get(server)!, subject, report);
      }
    }
  }
};

function checkTools(
  tools: readonly number[],
  conditions: readonly ArgumentCondition[],
  role: RoleName,
  server: Server,
  { grant }: Subject,
  report: Report,
): void {
  if (!server.manifest || conditions.length === 0) return;
  const decisions = grant(role, server.name)?.decisions;
  for (const index of tools) {
    if (!decisions || decisions[index]!.effect === "deny") continue;
    for (const condition of conditions) checkArgument(server.tools[index]!, condition, role, report);
  }
}

function checkArgument(tool: Tool, condition: ArgumentCondition, role: RoleName, report: Report): void {
  const found = argumentAt(tool.definition().inputSchema, condition.argument);
  if (found.found) return checkText(found.schemas, tool, condition, role, report);
  const known = found.known.map((name) => `\`${name}\``).join(", ");
  const help = known
    ? `it has ${known}; condition one of those, or take the tool out`
    : "it has no arguments that a condition could name; take the tool out";
  report.add("role/argument-missing", keyOf(condition.place), {
    role,
    tool: `${tool.server}.${tool.name}`,
    argument: condition.argument,
    help,
  });
}

/** `glob` and `pattern` judge text. Where the schema says that it is never text, each call would be refused. */
function checkText(
  schemas: readonly JsonValue[],
  tool: Tool,
  { argument, condition, place }: ArgumentCondition,
  role: RoleName,
  report: Report,
): void {
  const kind = condition.glob !== undefined ? "glob" : condition.pattern !== undefined ? "pattern" : undefined;
  const types = schemas.flatMap((schema) => (isObject(schema) ? [own(schema, "type")] : [undefined]));
  const known = types.flatMap((type) =>
    typeof type === "string" ? [type] : Array.isArray(type) ? (type as string[]) : ["any"],
  );
  if (kind === undefined || known.length === 0 || known.some((type) => !NEVER_TEXT.has(type))) return;
  report.add("role/argument-not-text", keyOf(place), {
    role,
    tool: `${tool.server}.${tool.name}`,
    argument,
    type: known.join(" or "),
    kind,
  });
}

const NEVER_TEXT = new Set(["integer", "number", "boolean", "object", "null"]);
