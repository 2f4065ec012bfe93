import { visible } from "../../base/visible.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { wrap } from "../../base/wrap.ts";
import type { Described } from "../../diff/describe.ts";
import type { Direction } from "../../diff/types.ts";
import { page } from "../page.ts";
import {
  becauseLines,
  changeWords,
  gainWords,
  gateLines,
  headline,
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
    ...[...(tools.length > 1 ? [tools.map(visible).join(", ")] : []), ...more, ...becauseLines(one, { locate })]
      .flatMap((line) => wrapped(line, "      "))
      .map((line) => paint("quiet", line)),
  ];
  const common = summary.common.flatMap((one) => lines(one));
  const settings = shown.settings.flatMap((one) => wrapped(settingWords(one), "  "));
  return page([
    [
      `${paint("strong", `access: ${headline(difference)}`)} (since ${visible(base)})`,
      ...gateLines(shown).flatMap((line) => wrapped(line, "  ")),
    ],
    renamedWords(difference),
    summary.gains.length < 2 ? [] : summary.gains.map((gain) => `${visible(gain.role)} gains ${gainWords(gain)}`),
    common.length === 0 ? [] : ["servers and rules", ...common],
    ...summary.roles.map(({ role, groups }) => [
      visible(role),
      ...groups.flatMap(({ first, tools }) => lines(first, tools)),
    ]),
    summary.definitions.length === 0
      ? []
      : [
          "tools that changed",
          ...summary.definitions.flatMap(({ first, roles }) =>
            lines(first, [], [`held by ${roles.map(visible).join(", ")}`]),
          ),
        ],
    settings.length === 0 ? [] : ["this check, from the next change on", ...settings],
  ]);
}
