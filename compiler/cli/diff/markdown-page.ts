import { visibleMarkdown } from "../../base/visible.ts";
import type { Direction } from "../../diff/types.ts";
import { asideLines } from "./aside-words.ts";
import { becauseLines, changeWords, headline, SIGNS, type ShownDifference } from "./words.ts";

/** The same for a pull request: text of strangers stands in code, where nothing in it is a link or a mention. */
export function differenceMarkdown({ difference, described, aside, base, locate }: ShownDifference): string {
  const section = (title: string, role: string | undefined): string[] => {
    const found = ORDER.flatMap((direction) =>
      described.filter(({ change }) => change.role === role && change.direction === direction),
    );
    if (found.length === 0) return [];
    const lines = found.flatMap((one) => [
      `${SIGNS[one.change.direction]} ${changeWords(one.change)}`,
      ...becauseLines(one, locate).map((line) => `    ${line}`),
    ]);
    return [`**${visibleMarkdown(title)}**`, fenced(lines)];
  };
  const roles = [...new Set(described.flatMap(({ change }) => change.role ?? []))];
  const renamed = difference.renamed.map(
    ({ kind, before, after }) => `${kind} ${visibleMarkdown(before)} is called ${visibleMarkdown(after)} now`,
  );
  const parts = [
    `### Access: ${headline(difference)}`,
    ...renamed,
    ...section("Servers and rules", undefined),
    ...roles.flatMap((role) => section(role, role)),
    ...asideLines(aside).map((line) => visibleMarkdown(line)),
    ...(difference.verdict === "same"
      ? []
      : [`since ${visibleMarkdown(base)}; this change is \`${difference.digest}\``]),
  ];
  return `${parts.join("\n\n")}\n`;
}

const ORDER: readonly Direction[] = ["widens", "changed", "narrows"];

/** A fence longer than any run of backticks within. */
function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}
