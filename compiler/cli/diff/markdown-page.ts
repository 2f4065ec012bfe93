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
 * order is the one in which a reviewer with ten seconds reads.
 */
export function differenceMarkdown(shown: ShownDifference): string {
  const { difference, base } = shown;
  const { verdict, digest } = difference;
  if (verdict === "same")
    return `${["### Access: no change", ...notes(shown), ...settingsSection(shown)].join("\n\n")}\n`;
  const parts = [
    `### Access ${verdict === "changed" ? "is changed" : verdict}: ${headline(difference)}`,
    ...notes(shown),
    ...gainsTable(shown),
    ...commonSection(shown),
    ...rolesSections(shown),
    ...definitionsSection(shown),
    ...textsSection(shown),
    ...asideLines(shown.aside).map((line) => visibleMarkdown(line)),
    ...settingsSection(shown),
    ...(verdict === "narrows" ? [] : acceptSection(shown)),
    `<sub>since ${visibleMarkdown(base)}; this change is \`${digest}\`</sub>`,
  ];
  return `${parts.join("\n\n")}\n`;
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
