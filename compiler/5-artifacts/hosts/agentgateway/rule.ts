import { sortedBy } from "../../../base/order.ts";
import type { FittedRole } from "../../../4-fit/types.ts";
import { indented } from "../../yaml-lines.ts";
import { asciiText } from "../host-text.ts";

/**
 * What a call has to be, in CEL: of a role, by the claim of its token, and one of the tools that the role holds there. It
 * is one expression of kind `require`, since several rules of kind `allow` would each open something, beside those of
 * other levels too. What isn't a call of a tool has no `mcp.tool`: the expression fails, and that counts as no.
 */
export function ruleLines(roles: readonly FittedRole[], claim: string): string[] {
  const held = sortedBy(
    roles.filter(({ servers }) => servers.length > 0),
    ({ name }) => name,
  );
  if (held.length === 0) return ["false"];
  return held.flatMap((role, i) => [
    `${i === 0 ? "" : "|| "}(jwt.${claim} == ${asciiText(role.name)} && (`,
    ...indented(role.servers.map(serverLine), 2),
    "))",
  ]);
}

function serverLine({ server, tools }: FittedRole["servers"][number], i: number): string {
  const names = tools.map(({ tool }) => asciiText(tool.name)).join(", ");
  return `${i === 0 ? "" : "|| "}(mcp.tool.target == ${asciiText(server.name)} && mcp.tool.name in [${names}])`;
}
