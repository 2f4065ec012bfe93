import type { RoleWeight } from "../../questions/weight.ts";
import type { Plan, PlannedRole, Server } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { codeCell, visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { matrixLines, text, type TableCell } from "../table.ts";
import { wrap } from "../../base/wrap.ts";
import { combinationJson, combinedToolJson } from "../combinations.ts";
import { page } from "../page.ts";
import { weightWords } from "../token-words.ts";
import { combinationSections, combinationsMarkdown } from "./combinations-page.ts";
import type { Review } from "./review.ts";

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

export function matrixText(review: Review, style: Style): string {
  const { plan, weighed } = review;
  if (plan.roles.length === 0 || plan.servers.length === 0) return `${nothingYet(plan)}\n`;
  const lines = matrixLines(
    {
      columns: [{ title: "role" }, ...plan.servers.map((server) => ({ title: server.name })), { title: TOKENS }],
      rows: plan.roles.map((role) => [
        text(role.name),
        ...plan.servers.map((server) => wordsCell(shareWords(shareOf(role, server)), style)),
        wordsCell(tokenWords(weighed.get(role)!), style),
      ]),
    },
    style,
  );
  return page([lines, ...combinationSections(review, style)]);
}

/** `rolecall report --tokens`: what the definitions cost a model, server by server. */
export function tokensText({ plan, weighed }: Review, style: Style): string {
  if (plan.roles.length === 0 || plan.servers.length === 0) return `${nothingYet(plan)}\n`;
  const rows = plan.roles.map((role) => {
    const { servers, ...whole } = weighed.get(role)!;
    const of = (server: Server): string[] => {
      const found = servers.find((one) => one.server === server);
      return found === undefined ? [] : weightWords(found.held, found.all);
    };
    const words = [...plan.servers.map(of), tokenWords({ servers, ...whole })];
    return [text(role.name), ...words.map((one) => wordsCell(one, style))];
  });
  const columns = [{ title: "role" }, ...plan.servers.map((server) => ({ title: server.name })), { title: "in all" }];
  return page([matrixLines({ columns, rows }, style), wrap(TOKENS_LEGEND, style.width, "  ")]);
}

const TOKENS = "tokens, about";
const TOKENS_LEGEND = "tokens of definitions, about: held, of all tools of these servers";

function tokenWords({ held, all, servers }: RoleWeight): string[] {
  return servers.length === 0 ? [] : weightWords(held, all);
}

export function matrixMarkdown(review: Review): string {
  const { plan, weighed } = review;
  if (plan.roles.length === 0 || plan.servers.length === 0) return `${nothingYet(plan)}\n`;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["role", ...plan.servers.map((server) => codeCell(server.name)), TOKENS]),
    row(["---", ...plan.servers.map(() => "---"), "---"]),
    ...plan.roles.map((role) =>
      row([
        codeCell(role.name),
        ...plan.servers.map((server) => shareWords(shareOf(role, server)).join(", ")),
        tokenWords(weighed.get(role)!).join(", "),
      ]),
    ),
    combinationsMarkdown(review),
  ].join("\n");
}

export function matrixJson({ plan, weighed, combined }: Review): JsonObject {
  return {
    format: 1,
    project: plan.project.name,
    servers: plan.servers.map((server) => ({
      name: server.name,
      tools: server.tools.length,
      pinned: server.manifest !== undefined,
    })),
    roles: plan.roles.map((role) => {
      const { held, all, servers } = weighed.get(role)!;
      const { combinations, unknown } = combined.get(role)!;
      return {
        name: role.name,
        tokens: tokensJson({ held, all }),
        servers: plan.servers.map((server) => {
          const share = shareOf(role, server);
          const weight = servers.find((one) => one.server === server);
          return {
            name: server.name,
            held: share.held,
            of: share.of ?? null,
            ask: share.ask,
            where: share.where,
            tokens: weight === undefined ? null : tokensJson(weight),
          };
        }),
        combinations: combinations.map(combinationJson),
        unknown: unknown.map(combinedToolJson),
      };
    }),
  };
}

/** `unpinned`: how many of the tools that are held nobody can weigh. */
function tokensJson({ held, all }: Pick<RoleWeight, "held" | "all">): JsonObject {
  return { held: held.tokens, all: all.tokens, unpinned: held.unknown };
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

function wordsCell(words: readonly string[], style: Style): TableCell {
  return words.length === 0 ? text(style.ascii ? "-" : "·", "quiet") : words.map((one) => ({ text: one }));
}

function nothingYet(plan: Plan): string {
  return `${visible(plan.project.name)} declares no ${plan.roles.length === 0 ? "roles" : "servers"} yet`;
}
