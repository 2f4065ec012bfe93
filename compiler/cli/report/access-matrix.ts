import type { Plan, PlannedRole, Server } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { codeCell, visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { matrixLines, text, type TableCell, type Piece } from "../table.ts";
import { page } from "../page.ts";

/** `rolecall report`: how much of each server each role holds, and how. Counted once, shown in three ways. */
export interface Share {
  readonly held: number;
  /** How many tools the server has; undefined without a manifest, where nobody knows. */
  readonly of: number | undefined;
  readonly ask: number;
  readonly where: number;
}

export function shareOf(role: PlannedRole, server: Server): Share {
  const decisions = role.grants.find((grant) => grant.server.name === server.name)?.decisions ?? [];
  const held = decisions.filter((decision) => decision.effect !== "deny");
  return {
    held: held.length,
    of: server.manifest === undefined ? undefined : server.tools.length,
    ask: held.filter((decision) => decision.effect === "ask").length,
    where: held.filter((decision) => decision.where.length > 0).length,
  };
}

export function matrixText(plan: Plan, style: Style): string {
  if (plan.roles.length === 0 || plan.servers.length === 0) return `${nothingYet(plan)}\n`;
  const lines = matrixLines(
    {
      columns: [{ title: "role" }, ...plan.servers.map((server) => ({ title: server.name }))],
      rows: plan.roles.map((role) => [
        text(role.name),
        ...plan.servers.map((server) => shareCell(shareOf(role, server), style)),
      ]),
    },
    style,
  );
  return page([lines]);
}

export function matrixMarkdown(plan: Plan): string {
  if (plan.roles.length === 0 || plan.servers.length === 0) return `${nothingYet(plan)}\n`;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["role", ...plan.servers.map((server) => codeCell(server.name))]),
    row(["---", ...plan.servers.map(() => "---")]),
    ...plan.roles.map((role) =>
      row([codeCell(role.name), ...plan.servers.map((server) => shareWords(shareOf(role, server)).join(", "))]),
    ),
    "",
  ].join("\n");
}

export function matrixJson(plan: Plan): JsonObject {
  return {
    format: 1,
    project: plan.project.name,
    servers: plan.servers.map((server) => ({
      name: server.name,
      tools: server.tools.length,
      pinned: server.manifest !== undefined,
    })),
    roles: plan.roles.map((role) => ({
      name: role.name,
      servers: plan.servers.map((server) => {
        const share = shareOf(role, server);
        return { name: server.name, held: share.held, of: share.of ?? null, ask: share.ask, where: share.where };
      }),
    })),
  };
}

/** `12 of 26`, `3 ask`, `2 where`; nothing when nothing is held. */
export function shareWords(share: Share): string[] {
  if (share.held === 0) return [];
  return [
    share.of === undefined ? `${share.held} unpinned` : `${share.held} of ${share.of}`,
    ...(share.ask === 0 ? [] : [`${share.ask} ask`]),
    ...(share.where === 0 ? [] : [`${share.where} where`]),
  ];
}

function shareCell(share: Share, style: Style): TableCell {
  const pieces: Piece[] = shareWords(share).map((words) => ({ text: words }));
  return pieces.length === 0 ? text(style.ascii ? "-" : "·", "quiet") : pieces;
}

function nothingYet(plan: Plan): string {
  return `${visible(plan.project.name)} declares no ${plan.roles.length === 0 ? "roles" : "servers"} yet`;
}
