import { visibleMarkdown } from "../../base/visible.ts";
import { COLUMNS, factsOf, factWords } from "../fitting/facts.ts";
import type { FittedPlan } from "../fitting/types.ts";
import { code } from "./code.ts";

/** What each chosen host holds of this plan, and what it therefore doesn't get. */
export function hostSection(hosts: readonly FittedPlan[]): string[] {
  if (hosts.length === 0) return [];
  const rows = hosts.map((fitted) => `| ${[fitted.host.title, ...factsOf(fitted).map(factWords)].join(" | ")} |`);
  const table = [`| host | ${COLUMNS.join(" | ")} |`, `|${" --- |".repeat(COLUMNS.length + 1)}`, ...rows];
  const sentence = "`left out 3`: the host can't hold the restriction, so three tools stay away from it.";
  const away = hosts.flatMap(awayLines);
  return ["## Hosts\n", `${sentence}\n\n${table.join("\n")}\n`, ...(away.length > 0 ? [`${away.join("\n")}\n`] : [])];
}

function awayLines({ host, roles }: FittedPlan): string[] {
  return roles.flatMap(({ name, leftOut }) =>
    leftOut.map(({ server, tools, wholeServer, why }) => {
      const what = wholeServer
        ? `all of ${code(server.name)}`
        : tools.map((tool) => code(`${server.name}.${tool.name}`)).join(", ");
      return `- ${host.title}, ${visibleMarkdown(name)}: without ${what}, since ${visibleMarkdown(why)}`;
    }),
  );
}
