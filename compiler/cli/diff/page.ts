import { APPROVALS_FILE } from "../../base/project-layout.ts";
import { visible } from "../../base/visible.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { wrapWithin } from "../../base/wrap.ts";
import { page } from "../page.ts";
import { dangerLines, tokenLines } from "./aside-words.ts";
import { gateLines, isToAccept, settingWords } from "./gate-words.ts";
import { gainLines, renamedWords } from "./headline-words.ts";
import {
  commonSection,
  definitionsSection,
  LEGEND,
  roleSections,
  sameWords,
  textsSection,
  verdictLine,
  type ShownSection,
} from "./section-words.ts";
import { textLines } from "./text-words.ts";
import { firstOf, type ShownDifference } from "./words.ts";

/** A reviewer sees of a text what tells it; the Markdown has more. */
const MOST_OF_TEXT = 400;

/** The verdict, texts that changed, servers and rules, role by role what it gains first, and tools that changed. */
export function differencePage(shown: ShownDifference, style: Style): string {
  const { difference, base } = shown;
  const summary = shown.summary();
  const paint = paintWith(style.colour);
  const wrapped = (lines: readonly string[], indent = ""): string[] =>
    lines.flatMap((line) => wrapWithin(indent + line, style.width, `${indent}  `));
  const section = ({ title, role, changes, more }: ShownSection): string[] => [
    role === undefined ? title : visible(role),
    ...changes.flatMap(({ head, below }) => [
      ...wrapped([head], "  ").map((line) => paint(lookOf(head), line)),
      ...wrapped(below, "      ").map((line) => paint("quiet", line)),
    ]),
    ...more,
  ];
  const gains = firstOf(gainLines(summary, visible), "gains");
  const settings = wrapped(shown.settings.map(settingWords), "  ");
  const isSame = difference.verdict === "same";
  return page([
    [
      ...wrapWithin(verdictLine(shown, summary, visible), style.width, "  ").map((line) => paint("strong", line)),
      ...wrapped([isSame ? sameWords(shown, visible) : `compared with ${visible(base)}`], "  "),
      ...wrapped(gateLines(shown), "  "),
    ],
    wrapped(renamedWords(summary, visible)),
    gains.shown.length === 0 ? [] : ["all that widens", ...wrapped(gains.shown, "  "), ...gains.more],
    ...textsSection(summary, shown, (one) => textLines(one, MOST_OF_TEXT)).map(section),
    ...commonSection(shown, summary).map(section),
    ...roleSections(shown, summary).map(section),
    ...definitionsSection(shown, summary).map(section),
    wrapped(dangerLines(shown.aside)),
    settings.length === 0 ? [] : ["this check, from the next change on", ...settings],
    wrapped(isSame ? [] : tokenLines(shown.aside)),
    wrapped(acceptLines(shown)),
    wrapped(isSame ? [] : [LEGEND]),
  ]);
}

function lookOf(head: string): Look {
  return head.startsWith("+") ? "warning" : head.startsWith("-") ? "good" : "note";
}

function acceptLines(shown: ShownDifference): string[] {
  const { difference, sources } = shown;
  const { verdict, digest } = difference;
  if (verdict !== "widens" || !shown.isGated || !isToAccept(shown)) return [];
  return [`to accept it: who owns ${visible(sources)}/${APPROVALS_FILE} adds this digest there: ${digest}`];
}
