import { canonicalText } from "../base/canonical.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { held } from "../3-plan/held.ts";
import { resourceRules } from "../3-plan/resource-rules.ts";
import type { Decision, Grant, PlannedRole } from "../3-plan/types.ts";

/**
 * The text of RoleData, put together from texts: names are keys in it, and an object of ours would lose `__proto__`
 * and sort `10` before `9`.
 */
export function roleData(role: PlannedRole, grants: readonly Grant[]): string {
  const servers = grants.map((grant) => `${JSON.stringify(grant.server.name)}:${grantData(grant)}`);
  const needed = grants.flatMap(({ server }) => (server.mustConnect ? server.name : []));
  const mustConnect = needed.length === 0 ? "" : `"mustConnect":${JSON.stringify(needed)},`;
  return `{"format":1,"role":${JSON.stringify(role.name)},"servers":{${servers.join(",")}},${mustConnect}"delegates":${JSON.stringify(role.delegates)}}`;
}

function grantData(grant: Grant): string {
  let tools = "";
  let where = "";
  const conditionsOf = madeOnce(conditionsText);
  for (const [tool, decision] of held(grant)) {
    const name = JSON.stringify(tool.name);
    tools += `${tools === "" ? "" : ","}${name}:"${decision.effect}"`;
    if (decision.where.length > 0) where += `${where === "" ? "" : ","}${name}:${conditionsOf(decision)}`;
  }
  const conditions = where === "" ? "" : `,"where":{${where}}`;
  return `{"tools":{${tools}}${conditions}${resourcesData(grant.resources)}}`;
}

function resourcesData(resources: Grant["resources"]): string {
  return resources === undefined ? "" : `,"resources":${canonicalText({ ...resourceRules(resources) } as JsonObject)}`;
}

/** One condition as it is, several as a list. */
function conditionsText(decision: Decision): string {
  const entries = decision.where.map(({ argument, conditions }) => {
    const value = conditions.length === 1 ? conditions[0]! : conditions;
    return `${JSON.stringify(argument)}:${canonicalText(value as JsonValue)}`;
  });
  return `{${entries.join(",")}}`;
}
