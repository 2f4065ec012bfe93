import { APPROVALS_FILE } from "../../base/project-layout.ts";
import { boundedTo, visible } from "../../base/visible.ts";
import type { SettingsChange } from "../../diff/settings-changes.ts";
import type { Quote } from "./piece-words.ts";
import { firstOf, type ShownDifference } from "./words.ts";

/** A change brings as many of these lines as it likes: none of them, nor all, may push what it opens off the page. */
const MOST_OF_LINE = 200;

function line(text: string): string {
  return boundedTo(MOST_OF_LINE, visible(text));
}

/** `+ exception: tester may widen github.* until 2027-01-31 (reason)`. */
export function settingWords(change: SettingsChange): string {
  const sign = change.direction === "added" ? "+" : "-";
  if (change.kind === "exception") {
    const { roles, tools, direction, until, reason } = change.exception;
    return line(
      `${sign} exception until ${until}: ${roles.join(", ")} ${direction} on ${tools.join(", ")} (${reason})`,
    );
  }
  if (change.kind === "approval")
    return line(`${sign} approval of ${change.approval.digest} by ${change.approval.by} (${change.approval.reason})`);
  return line(`${sign} ${change.kind} ${change.name}`);
}

/** What the gate says, in lines; none where nobody asked for one and no exception spoke. */
export function gateLines(shown: ShownDifference, quote: Quote = visible): string[] {
  const { gate, today } = shown;
  const said = (text: string): string => quote(boundedTo(MOST_OF_LINE, text));
  const { failOn, findings, passedBy, expired, unused, approval } = gate;
  const count = (list: readonly unknown[], one: string): string =>
    `${list.length} ${one}${list.length === 1 ? "" : "s"}`;
  const reasons = passedBy.map(({ exception }) => exception);
  const verdict =
    failOn === undefined || findings.length === 0
      ? []
      : approval?.accepted === true
        ? [
            `approved by ${said(approval.by)} (${approval.how}${approval.file === undefined ? "" : ` in ${said(approval.file)}`})`,
          ]
        : [
            `refused by --fail-on ${failOn}: ${count(findings, "finding")}`,
            ...(approval?.refused ?? []).map(
              ({ by, how, why }) => `the ${how} of ${said(by)} doesn't count: ${said(why)}`,
            ),
          ];
  const { shown: first, more } = firstOf(
    [
      ...(verdict.length === 0 && shown.isGated ? approvalLine(shown, said) : verdict),
      ...[...new Set(reasons)].map(
        (one) =>
          `${count(
            reasons.filter((other) => other === one),
            "change",
          )} passed by until ${one.until}: ${said(one.reason)}`,
      ),
      ...expired.map(({ until, reason }) => `an exception ended on ${until}, and it is ${today}: ${said(reason)}`),
      ...unused.map(({ until, reason }) => `an exception until ${until} matches nothing here: ${said(reason)}`),
    ],
    "words on approvals and exceptions",
  );
  return [...first, ...more];
}

/** Somebody has to say yes to it, as far as is known. */
export function isToAccept({ difference: { verdict }, gate, standing }: ShownDifference): boolean {
  const isPassed = gate.findings.length === 0 && (gate.failOn !== undefined || gate.passedBy.length > 0);
  return (verdict === "widens" || verdict === "changed") && !isPassed && standing?.accepted !== true;
}

/** Whether somebody has to say yes to it, or did, as far as is known. */
function approvalLine(
  { difference: { verdict }, gate, standing, folder, sources }: ShownDifference,
  said: (text: string) => string,
): string[] {
  if (verdict === "same") return [];
  if (verdict === "narrows") return ["needs no approval: nothing widens"];
  if (gate.failOn !== undefined) return [`needs no approval: nothing here that --fail-on ${gate.failOn} names`];
  if (standing?.accepted === true) {
    const where = standing.file === undefined ? "its block" : said(standing.file);
    return [`approved by ${said(standing.by)} in ${where}`];
  }
  if (gate.findings.length === 0 && gate.passedBy.length > 0) return ["needs no approval: exceptions pass it by"];
  const needed = verdict === "widens" ? "needs an approval" : "needs an approval where CI runs --fail-on changed";
  const refused = standing?.refused ?? [];
  if (refused.length === 0)
    return [`${needed}: none in ${said(`${folder}${sources}/${APPROVALS_FILE}`)} (comments, labels not looked at)`];
  return [
    `${needed}`,
    ...refused.map(({ by, why }) => `the approval of ${said(by)} in the files isn't enough: ${said(why)}`),
  ];
}
