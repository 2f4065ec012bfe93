import { visible } from "../../base/visible.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { wrap } from "../../base/wrap.ts";
import type { Described } from "../../diff/describe.ts";
import type { Direction } from "../../diff/types.ts";
import { page } from "../page.ts";
import { asideLines } from "./aside-words.ts";
import {
  becauseLines,
  changeWords,
  firstOf,
  gainWords,
  gateLines,
  headline,
  nameList,
  renamedWords,
  settingWords,
  SIGNS,
  type ShownDifference,
} from "./words.ts";

const LOOKS: Readonly<Record<Direction, Look>> = { widens: "warning", narrows: "good", changed: "note" };

/** The verdict, who gains, then servers and rules, role by role what it gains first, and tools that changed. */
export function differencePage(shown: ShownDifference, style: Style): string {
  const { difference, summary, base, locate } = shown;
  const paint = paintWith(style.colour);
  const wrapped = (line: string, indent: string): string[] => wrap(indent + line, style.width, `${indent}  `);
  const lines = (one: Described, tools: readonly string[] = [], more: readonly string[] = []): string[] => [
    ...wrapped(`${SIGNS[one.change.direction]} ${changeWords(one, tools)}`, "  ").map((line) =>
      paint(LOOKS[one.change.direction], line),
    ),
    ...[...(tools.length > 1 ? [nameList(tools)] : []), ...more, ...becauseLines(one, { locate })]
      .flatMap((line) => wrapped(line, "      "))
      .map((line) => paint("quiet", line)),
  ];
  const some = <T>(list: readonly T[], what: string, of: (one: T) => readonly string[]): string[] => {
    const { shown: first, more } = firstOf(list, what);
    return [...first.flatMap(of), ...more];
  };
  const common = some(summary.common, "changes", (one) => lines(one));
  const roles = firstOf(summary.roles, "roles");
  const settings = shown.settings.flatMap((one) => wrapped(settingWords(one), "  "));
  return page([
    [
      `${paint("strong", `access: ${headline(difference)}`)} (since ${visible(base)})`,
      ...gateLines(shown).flatMap((line) => wrapped(line, "  ")),
    ],
    renamedWords(difference),
    summary.gains.length < 2
      ? []
      : some(summary.gains, "roles gain", (gain) => [`${visible(gain.role)} gains ${gainWords(gain)}`]),
    common.length === 0 ? [] : ["servers and rules", ...common],
    ...roles.shown.map(({ role, groups }) => [
      visible(role),
      ...some(groups, "changes", ({ first, tools }) => lines(first, tools)),
    ]),
    roles.more,
    summary.definitions.length === 0
      ? []
      : [
          "tools that changed",
          ...some(summary.definitions, "tools", ({ first, roles: holders }) =>
            lines(first, [], [`held by ${nameList(holders)}`]),
          ),
        ],
    asideLines(shown.aside).flatMap((line) => wrapped(line, "")),
    settings.length === 0 ? [] : ["this check, from the next change on", ...settings],
  ]);
}
