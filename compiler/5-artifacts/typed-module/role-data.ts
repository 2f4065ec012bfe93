import { canonicalText } from "../../base/canonical.ts";
import type { JsonValue } from "../../base/json.ts";
import { held } from "../../3-plan/held.ts";
import type { Decision, Grant, PlannedRole, Server } from "../../3-plan/types.ts";
import type { ToolTexts } from "./tool-texts.ts";

/**
 * The text of RoleData, put together from texts: names are keys in it, and an object of ours would lose `__proto__`
 * and sort `10` before `9`.
 */
export function roleData(role: PlannedRole, grants: readonly Grant[], texts: ReadonlyMap<Server, ToolTexts>): string {
  const servers = grants.map(
    (grant) => `${JSON.stringify(grant.server.name)}:${serverData(grant, texts.get(grant.server)!)}`,
  );
  const needed = grants.flatMap(({ server }) => (server.mustConnect ? server.name : []));
  const mustConnect = needed.length === 0 ? "" : `"mustConnect":${JSON.stringify(needed)},`;
  return `{"format":1,"role":${JSON.stringify(role.name)},"servers":{${servers.join(",")}},${mustConnect}"delegates":${JSON.stringify(role.delegates)}}`;
}

function serverData(grant: Grant, { keys }: ToolTexts): string {
  let tools = "";
  let where = "";
  for (const [tool, decision] of held(grant)) {
    const name = keys[tool.index]!;
    tools += `${tools === "" ? "" : ","}${name}:"${decision.effect}"`;
    if (decision.where.length > 0) where += `${where === "" ? "" : ","}${name}:${conditionsOf(decision)}`;
  }
  return where === "" ? `{"tools":{${tools}}}` : `{"tools":{${tools}},"where":{${where}}}`;
}

/** One condition as it is, several as a list (decisions.md 66). */
function conditionsOf(decision: Decision): string {
  const entries = decision.where.map(({ argument, conditions }) => {
    const value = conditions.length === 1 ? conditions[0]! : conditions;
    return `${JSON.stringify(argument)}:${canonicalText(value as JsonValue)}`;
  });
  return `{${entries.join(",")}}`;
}
