import { isObject, own, type JsonObject } from "../base/json.ts";
import { held } from "../3-plan/held.ts";
import { keyOf } from "../base/place.ts";
import type { Tool } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** A tool that chooses between reading and writing by one argument: a condition can split what its name can't. */
export const checkMixedEnums: Check = ({ plan }, report) => {
  const mixed = new Map<Tool, Mixed | undefined>();
  for (const role of plan.roles) {
    for (const grant of role.grants) {
      for (const [tool, decision] of held(grant)) {
        if (tool.hints.readOnly) continue;
        if (!mixed.has(tool)) mixed.set(tool, findMixed(tool.inputSchema));
        const found = mixed.get(tool);
        if (!found || decision.where.some((rule) => rule.argument === found.argument)) continue;
        const params = { tool: `${grant.server.name}.${tool.name}`, argument: found.argument, values: found.values };
        report.add("role/mixed-enum", keyOf(role.place), params);
      }
    }
  }
};

interface Mixed {
  readonly argument: string;
  readonly values: string;
}

const READS = /^(get|list|read|search|view|describe|fetch|query|show|find|status|count|info|check)/i;
const WRITES = /^(create|update|delete|write|add|remove|set|edit|move|merge|close|insert|drop|rename|put|patch|upsert|send|cancel|archive)/i;

function findMixed(schema: JsonObject): Mixed | undefined {
  const properties = own(schema, "properties");
  if (!isObject(properties)) return undefined;
  for (const [argument, property] of Object.entries(properties)) {
    const values = isObject(property) ? own(property, "enum") : undefined;
    if (!Array.isArray(values)) continue;
    const texts = values.filter((value): value is string => typeof value === "string");
    const reading = texts.find((text) => READS.test(text));
    const writing = texts.find((text) => WRITES.test(text));
    if (reading !== undefined && writing !== undefined) return { argument, values: `\`${reading}\`, \`${writing}\`` };
  }
  return undefined;
}
