import { visibleMarkdown } from "../../../base/visible.ts";
import { holdsAny } from "../../../3-plan/held.ts";
import type { Grant, Plan, PlannedRole } from "../../../3-plan/types.ts";

/** More columns than this can't be read on a page: then each role has its servers in one cell. */
const MOST_COLUMNS = 8;

/** Roles against servers: how many tools, and how many of them are asked. */
export function matrix(plan: Plan): string[] {
  if (plan.roles.length === 0) return ["No role is written yet."];
  const reached = new Set(plan.roles.flatMap((role) => role.grants.filter(holdsAny).map((grant) => grant.server.name)));
  const servers = plan.servers.map((server) => server.name).filter((name) => reached.has(name));
  if (servers.length > MOST_COLUMNS || servers.length === 0) return longTable(plan.roles);
  return [
    row(["role", ...servers.map(visibleMarkdown)]),
    row(["---", ...servers.map(() => "---")]),
    ...plan.roles.map((role) => {
      const cells = new Map(role.grants.map((grant) => [grant.server.name, countWords(grant)]));
      return row([visibleMarkdown(role.name), ...servers.map((server) => cells.get(server) ?? "")]);
    }),
  ];
}

function longTable(roles: readonly PlannedRole[]): string[] {
  const cell = (role: PlannedRole) =>
    role.grants
      .flatMap((grant) => (holdsAny(grant) ? [`${visibleMarkdown(grant.server.name)} ${countWords(grant)}`] : []))
      .join(", ");
  return [
    row(["role", "tools of servers"]),
    row(["---", "---"]),
    ...roles.map((role) => row([visibleMarkdown(role.name), cell(role) || "none"])),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Empty when nothing is held. */
export function countWords(grant: Grant): string {
  const { held, asked } = count(grant);
  const tools = asked === 0 ? String(held) : asked === held ? `${held} (ask)` : `${held} (${asked} ask)`;
  return [...(held === 0 ? [] : [tools]), ...(grant.resources === undefined ? [] : ["reads"])].join(", ");
}

function count(grant: Grant): { readonly held: number; readonly asked: number } {
  let held = 0;
  let asked = 0;
  for (const { effect } of grant.decisions) {
    if (effect !== "deny") held++;
    if (effect === "ask") asked++;
  }
  return { held, asked };
}
