import { APPROVALS_FILE } from "../../base/project-layout.ts";
import { codeCell, visibleMarkdown } from "../../base/visible.ts";
import type { DifferenceSummary } from "../../diff/summary.ts";
import { dangerLines, tokenLines } from "./aside-words.ts";
import { gateLines, isToAccept, settingWords } from "./gate-words.ts";
import { gainLines, headline, renamedWords } from "./headline-words.ts";
import {
  commonSection,
  definitionsSection,
  LEGEND,
  roleSections,
  sameWords,
  textsSection,
  type ShownSection,
} from "./section-words.ts";
import { isShort, textLines, textName } from "./text-words.ts";
import { firstOf, type ShownDifference } from "./words.ts";

/**
 * The same for a pull request. Text of strangers stands in code, where nothing in it is a link, a mention or HTML. The
 * order is the one in which a reviewer with ten seconds reads. Where it would be too long for a comment, what can best be
 * looked up elsewhere goes first; the verdict, how to accept it and its digest stay.
 */
export function differenceMarkdown(shown: ShownDifference): string {
  const { difference, base } = shown;
  const summary = shown.summary();
  if (difference.verdict === "same")
    return `${["### Access: no change", sentence(sameWords(shown, codeCell)), ...notes(shown, summary), ...settingsSection(shown)].join("\n\n")}\n`;
  const head = [verdictHead(shown, summary), ...notes(shown, summary)];
  const texts = textsSection(summary, shown, (one) => (isShort(one) ? textLines(one) : ["its text is folded below"]));
  const sections: Section[] = [
    ...ranked(1, fencedSections(texts)),
    ...ranked(2, gainsList(summary)),
    ...ranked(3, fencedSections(commonSection(shown, summary))),
    ...ranked(4, fencedSections(roleSections(shown, summary))),
    ...ranked(5, fencedSections(definitionsSection(shown, summary))),
    ...ranked(7, foldedTexts(summary)),
    ...ranked(6, dangerLines(shown.aside, codeCell)),
    ...ranked(1, settingsSection(shown).join("\n\n")),
  ];
  const foot = [
    ...paragraphs(tokenLines(shown.aside).map(sentence)),
    ...(isToAccept(shown) ? acceptSection(shown) : []),
    `<sub>${LEGEND}. Compared with ${codeCell(base)}; this change is \`${difference.digest}\`.</sub>`,
  ];
  return whole(head, sections, foot);
}

function verdictHead({ difference }: ShownDifference, summary: DifferenceSummary): string {
  const { direction, isSuspicious, says } = headline(difference, summary, codeCell);
  if (direction === undefined) return `### Access: ${says}`;
  if (isSuspicious) return `### SUSPICIOUS, access is changed: ${says}`;
  return `### Access ${direction === "changed" ? "is changed" : direction}: ${says}`;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** Words of ours with names of roles. */
function paragraphs(lines: readonly string[]): string[] {
  return lines.map((line) => visibleMarkdown(line));
}

/** A comment has 65,536 characters, and whoever posts it adds some. */
const MOST_CHARACTERS = 60_000;

/** The higher its rank, the sooner it goes. */
interface Section {
  readonly rank: number;
  readonly text: string;
}

function ranked(rank: number, text: string | readonly string[]): Section[] {
  return [text].flat().flatMap((one) => (one === "" ? [] : [{ rank, text: one }]));
}

/** Of one rank the last goes first. */
function whole(head: readonly string[], sections: readonly Section[], foot: readonly string[]): string {
  const page = (kept: readonly Section[]): string => {
    const out = sections.length - kept.length;
    const left =
      out === 0
        ? []
        : [`Too long for a comment: ${out} of ${sections.length} sections are left out; \`rolecall diff\` has all.`];
    return `${[...head, ...kept.map(({ text }) => text), ...left, ...foot].join("\n\n")}\n`;
  };
  const going = sections
    .map((section, i) => ({ section, i }))
    .sort((a, b) => b.section.rank - a.section.rank || b.i - a.i);
  const gone = new Set<Section>();
  let text = page(sections);
  for (const { section } of going) {
    if (text.length <= MOST_CHARACTERS) break;
    gone.add(section);
    text = page(sections.filter((one) => !gone.has(one)));
  }
  return text;
}

function notes(shown: ShownDifference, summary: DifferenceSummary): string[] {
  // Whoever posts it refuses changes with another call, as the action does.
  return [
    ...gateLines({ ...shown, isGated: true }, codeCell).map(sentence),
    ...renamedWords(summary, codeCell).map(sentence),
  ];
}

function gainsList(summary: DifferenceSummary): string[] {
  const { shown, more } = firstOf(gainLines(summary, codeCell), "gains");
  const lines = withinSection([...shown, ...more]).map((line) => `- ${line}`);
  return lines.length === 0 ? [] : [["**All that widens**", "", ...lines].join("\n")];
}

function fencedSections(sections: readonly ShownSection[]): string[] {
  return sections.map(({ title, role, changes, more }) => {
    const lines = changes.flatMap(({ head, below }) => [head, ...below.map(indented)]);
    const name =
      role === undefined ? `**${title.slice(0, 1).toUpperCase()}${title.slice(1)}**` : `**Role ${codeCell(role)}**`;
    return [name, fenced([...withinSection(lines), ...more])].join("\n\n");
  });
}

/** Names have any length: no section may be so long that others go for it. */
const MOST_OF_SECTION = 15_000;

function withinSection(lines: readonly string[]): string[] {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > MOST_OF_SECTION);
  if (end === -1) return [...lines];
  const cut = lines.length - end;
  return [...lines.slice(0, end), `${cut} more line${cut === 1 ? "" : "s"}: rolecall diff has all`];
}

/** The sides of a text keep their sign at the start, where a diff has it. */
function indented(line: string): string {
  return /^[-+] /.test(line) ? `${line.slice(0, 1)}   ${line.slice(1)}` : `    ${line}`;
}

function foldedTexts({ texts }: DifferenceSummary): string[] {
  const long = texts.filter((one) => !isShort(one));
  if (long.length === 0) return [];
  const some = firstOf(long, "texts");
  const lines = some.shown.flatMap((one) => [`@@ ${textName(one)} @@`, ...textLines(one)]);
  const count = long.length === 1 ? "The text" : `The ${long.length} texts`;
  return [folded(`${count} that models read, before (-) and now (+)`, fenced([...lines, ...some.more]))];
}

function settingsSection({ settings }: ShownDifference): string[] {
  if (settings.length === 0) return [];
  const { shown, more } = firstOf(settings, "settings");
  return ["**This check**, from the next change on", fenced([...shown.map(settingWords), ...more])];
}

function acceptSection({ difference: { digest }, today, sources }: ShownDifference): string[] {
  const block = ["approved:", `  - digest: ${digest}`, "    by: LOGIN", "    reason: WHY", `    date: ${today}`];
  return [
    folded(
      "How to accept this",
      [
        `Either an owner (by CODEOWNERS) of ${codeCell(`${sources}/${APPROVALS_FILE}`)} adds this to it:`,
        fenced(block, "yaml"),
        "Or somebody whom `diff.approvers` in `rolecall.yaml` names begins a comment with this line:",
        fenced([`rolecall: approve ${digest}`], "text"),
        "Any other change of access has another digest, and needs another approval.",
      ].join("\n\n"),
    ),
  ];
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** A fence longer than any run of back-ticks within. */
function fenced(lines: readonly string[], language = "diff"): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
