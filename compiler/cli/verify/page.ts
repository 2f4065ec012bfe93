import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith, type Look, type Paint } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Answer, Objected } from "../../questions/types.ts";
import { page } from "../page.ts";
import { claimWords, objectionWords, proofLines, VERDICTS } from "./words.ts";

const LOOKS: Readonly<Record<Answer["verdict"], Look>> = { holds: "good", fails: "error", unknown: "warning" };

/** More would hide the next answer. */
const MOST_SHOWN = 12;

/** Question by question, then how many hold. */
export function answersPage(answers: readonly Answer[], locate: Locate, style: Style): string {
  const paint = paintWith(style.colour);
  const sections = answers.map((answer) => [
    ...headLines(answer, style, paint),
    ...(answer.unknown === undefined ? [] : unknownLines(answer.unknown, style)),
    ...listed(answer.against, answer, locate, style, paint),
    ...beyondLines(answer, locate, style, paint),
  ]);
  return page([...sections, answers.length > 1 ? [summaryWords(answers)] : []]);
}

function headLines(answer: Answer, style: Style, paint: Paint): string[] {
  const verdict = `${VERDICTS[answer.verdict]}: `;
  const [first = "", ...rest] = wrap(verdict + claimWords(answer.question), style.width, "  ");
  return [paint(LOOKS[answer.verdict], verdict.trimEnd()) + first.slice(verdict.length - 1), ...rest];
}

function unknownLines({ problem, next }: NonNullable<Answer["unknown"]>, style: Style): string[] {
  return [...wrap(`  ${visible(problem)}`, style.width, "    "), ...wrap(`  ${visible(next)}`, style.width, "    ")];
}

function listed(all: readonly Objected[], answer: Answer, locate: Locate, style: Style, paint: Paint): string[] {
  const shown = all.slice(0, MOST_SHOWN);
  const lines = shown.flatMap((one) => [
    ...wrap(`  ${objectionWords(one, answer.question)}`, style.width, "    "),
    ...proofLines(one, locate).flatMap((line) =>
      wrap(`      ${line}`, style.width, "        ").map((text) => paint("quiet", text)),
    ),
  ]);
  return all.length > shown.length ? [...lines, `  and ${all.length - shown.length} more, all in --json`] : lines;
}

function beyondLines(answer: Answer, locate: Locate, style: Style, paint: Paint): string[] {
  const { question, beyond } = answer;
  if (question.kind !== "compare") return [];
  const [role, other] = [visible(question.role), visible(question.other)];
  if (beyond.length === 0) return wrap(`  ${other} has nothing beyond ${role}`, style.width, "    ");
  return [
    ...wrap(`  beyond ${role}, ${other} has:`, style.width, "    "),
    ...listed(beyond, answer, locate, style, paint),
  ];
}

function summaryWords(answers: readonly Answer[]): string {
  const count = (verdict: Answer["verdict"]): number => answers.filter((one) => one.verdict === verdict).length;
  const [fails, unknown] = [count("fails"), count("unknown")];
  return [
    `${count("holds")} of ${answers.length} hold`,
    ...(fails === 0 ? [] : [`${fails} ${fails === 1 ? "doesn't" : "don't"}`]),
    ...(unknown === 0 ? [] : [`${unknown} can't be told`]),
  ].join(", ");
}
