import { firstOf } from "../../base/list-words.ts";
import { codeCell, visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { combinationFacts, combinationWords, grouped, toolWords, type GroupedCombination } from "../combinations.ts";
import { factLines } from "../page.ts";
import type { Combination } from "../../questions/combinations.ts";
import type { Review } from "./review.ts";

/** Below the table: what is dangerous together in which roles, and what nobody has said. */

interface Shown {
  readonly roles: readonly string[];
  readonly combination: GroupedCombination;
}

/** More would hide the table. */
const MOST_SHOWN = 8;

export function combinationSections(review: Review, style: Style): string[][] {
  const paint = paintWith(style.colour);
  const { shown: all, shells } = shownOf(review);
  const blocks = all
    .slice(0, MOST_SHOWN)
    .map(({ roles, combination }) => [
      ...wrap(headWords(roles, combination, visible), style.width, "  ").map((line) => paint("warning", line)),
      ...factLines(combinationFacts(combination), style),
    ]);
  const more = all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more combinations, all in --json`] : [];
  const lines = (words: readonly string[]): string[] => words.flatMap((line) => wrap(line, style.width, "  "));
  return [...blocks, more, lines(shellWords(shells, visible)), lines(unknownWords(review, visible))];
}

export function combinationsMarkdown(review: Review): string {
  const { shown: all, shells } = shownOf(review);
  const items = all.slice(0, MOST_SHOWN).map(({ roles, combination }) => {
    const facts = combinationFacts(combination, codeCell).flatMap(([name, values]) =>
      values.map((value) => `${name}: ${value}`),
    );
    return `- ${[headWords(roles, combination, codeCell), ...facts].join("; ")}\n`;
  });
  const more = all.length > MOST_SHOWN ? [`- and ${all.length - MOST_SHOWN} more\n`] : [];
  const others = [...shellWords(shells, codeCell), ...unknownWords(review, codeCell)].map((line) => `- ${line}\n`);
  const lines = [...items, ...more, ...others];
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

/**
 * Roles in which it is the same are told at once. Where a host's own shell is every part by itself there is no more to say
 * than who holds it: roles by hosts.
 */
function shownOf({ combined }: Review): {
  readonly shown: readonly Shown[];
  readonly shells: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const found = new Map<string, { roles: string[]; combination: GroupedCombination }>();
  const shells = new Map<string, Set<string>>();
  for (const [role, { combinations }] of combined) {
    const byShell = combinations.filter(isByShell);
    const hosts = [...new Set(byShell.map(({ host }) => visible(host!)))].join(", ");
    if (hosts !== "") shells.set(hosts, (shells.get(hosts) ?? new Set()).add(role.name));
    for (const combination of grouped(combinations.filter((one) => !byShell.includes(one)))) {
      const key = JSON.stringify(combination);
      const known = found.get(key) ?? { roles: [], combination };
      known.roles.push(role.name);
      found.set(key, known);
    }
  }
  return { shown: [...found.values()], shells };
}

function isByShell({ parts: [first, ...others] }: Combination): boolean {
  return first!.tools.some((tool) => tool.server === undefined && others.every(({ tools }) => tools.includes(tool)));
}

function shellWords(shells: ReadonlyMap<string, ReadonlySet<string>>, shown: (name: string) => string): string[] {
  return [...shells].map(
    ([hosts, roles]) =>
      `on ${hosts} the host's own shell does what any tool does, each combination by itself: ${firstOf([...roles].map(shown))}`,
  );
}

function headWords(roles: readonly string[], combination: GroupedCombination, shown: (name: string) => string): string {
  return `${firstOf(roles.map(shown))}: ${combinationWords(combination)}`;
}

/** Only where somebody has begun to say what tools are: else there is nothing that one could be without. */
function unknownWords({ plan, combined }: Review, shown: (name: string) => string): string[] {
  if (!plan.servers.some(({ labels }) => labels.length > 0)) return [];
  const unknown = new Set(
    [...combined.values()].flatMap((one) =>
      one.unknown.map((tool) =>
        toolWords({ ...tool, isAsked: false, isConditioned: false, through: undefined }, shown),
      ),
    ),
  );
  if (unknown.size === 0) return [];
  return [`neither a label nor a hint says what these are, so they count for no combination: ${firstOf([...unknown])}`];
}
