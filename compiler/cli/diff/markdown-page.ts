import { codeCell, visible, visibleMarkdown } from "../../base/visible.ts";
import type { Described } from "../../diff/describe.ts";
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

/**
 * The same for a pull request. Text of strangers stands in code, where nothing in it is a link, a mention or HTML. The
 * order is the one in which a reviewer with ten seconds reads. Where it would be too long for a comment, what can best be
 * looked up elsewhere goes first; the verdict, how to accept it and its digest stay.
 */
export function differenceMarkdown(shown: ShownDifference): string {
  const { difference, base } = shown;
  const { verdict, digest } = difference;
  if (verdict === "same")
    return `${["### Access: no change", ...notes(shown), ...settingsSection(shown)].join("\n\n")}\n`;
  const head = [
    `### Access ${verdict === "changed" ? "is changed" : verdict}: ${headline(difference)}`,
    ...notes(shown),
  ];
  const sections: Section[] = [
    ...ranked(2, gainsTable(shown)),
    ...ranked(3, commonSection(shown).join("\n\n")),
    ...rolesSections(shown).map((text): Section => ({ rank: 4, text })),
    ...ranked(5, definitionsSection(shown).join("\n\n")),
    ...ranked(7, textsSection(shown)),
    ...ranked(
      6,
      asideLines(shown.aside)
        .map((line) => visibleMarkdown(line))
        .join("\n\n"),
    ),
    ...ranked(1, settingsSection(shown).join("\n\n")),
  ];
  const foot = [
    ...(verdict === "narrows" ? [] : acceptSection(shown)),
    `<sub>since ${visibleMarkdown(base)}; this change is \`${digest}\`</sub>`,
  ];
  return whole(head, sections, foot);
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

function notes(shown: ShownDifference): string[] {
  return [...gateLines(shown), ...renamedWords(shown.difference)].map((line) => visibleMarkdown(line));
}

function gainsTable({ summary: { gains } }: ShownDifference): string[] {
  if (gains.length === 0) return [];
  const { shown, more } = firstOf(gains, "roles gain");
  const rows = shown.map((gain) => `| ${codeCell(gain.role)} | ${gainWords(gain)} |`);
  return [["| role | gains |", "|---|---|", ...rows].join("\n"), ...more];
}

function changeLines(
  { folder, locate }: ShownDifference,
  one: Described,
  tools: readonly string[] = [],
  more: readonly string[] = [],
): string[] {
  const because = [...(tools.length > 1 ? [nameList(tools)] : []), ...more];
  return [
    `${SIGNS[one.change.direction]} ${changeWords(one, tools)}`,
    ...[...because, ...becauseLines(one, { locate, folder })].map((line) => `    ${line}`),
  ];
}

function commonSection(shown: ShownDifference): string[] {
  const { common } = shown.summary;
  if (common.length === 0) return [];
  const first = firstOf(common, "changes");
  return ["**Servers and rules**", fenced([...first.shown.flatMap((one) => changeLines(shown, one)), ...first.more])];
}

function rolesSections(shown: ShownDifference): string[] {
  const roles = firstOf(shown.summary.roles, "roles");
  const sections = roles.shown.flatMap(({ role, groups }) => {
    const first = firstOf(groups, "changes");
    return [
      `**Role ${codeCell(role)}**`,
      fenced([...first.shown.flatMap((one) => changeLines(shown, one.first, one.tools)), ...first.more]),
    ];
  });
  return [...sections, ...roles.more];
}

function definitionsSection(shown: ShownDifference): string[] {
  const { definitions } = shown.summary;
  if (definitions.length === 0) return [];
  const some = firstOf(definitions, "tools");
  const lines = some.shown.flatMap(({ first, roles }) => changeLines(shown, first, [], [`held by ${nameList(roles)}`]));
  return ["**Tools that changed**", fenced([...lines, ...some.more])];
}

function textsSection({ summary: { texts } }: ShownDifference): string[] {
  if (texts.length === 0) return [];
  const some = firstOf(texts, "texts");
  const lines = some.shown.flatMap(({ server, tool, says, before, after }) => [
    `@@ ${visible(tool === undefined ? server : `${server}.${tool}`)}: ${visible(says)} @@`,
    ...textLines("-", before),
    ...textLines("+", after),
  ]);
  const count = texts.length === 1 ? "One text" : `${texts.length} texts`;
  return [folded(`${count} that models read changed`, fenced([...lines, ...some.more]))];
}

/** One line for each of its lines, so that a text with breaks can't begin a line of its own making. */
function textLines(sign: string, text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => `${sign} ${visible(line)}`);
}

function settingsSection({ settings }: ShownDifference): string[] {
  if (settings.length === 0) return [];
  return ["**This check**, from the next change on", fenced(settings.map(settingWords))];
}

function acceptSection({ difference: { digest }, today, sources }: ShownDifference): string[] {
  const block = ["approved:", `  - digest: ${digest}`, "    by: LOGIN", "    reason: WHY", `    date: ${today}`];
  return [
    folded(
      "How to accept this",
      [
        `An owner of \`${visible(sources)}/approved.yaml\` in CODEOWNERS puts this there; or, where \`diff.approvers\` names them, begins a comment with the line below.`,
        fenced(block, "yaml"),
        fenced([`rolecall: approve ${digest}`], "text"),
        "Any other change of access has another digest, and needs another yes.",
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
