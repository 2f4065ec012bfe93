import { boundedTo, visible } from "../../base/visible.ts";
import type { SettingsChange } from "../../diff/settings-changes.ts";
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
export function gateLines(shown: ShownDifference): string[] {
  const { gate, today } = shown;
  const { failOn, findings, passedBy, expired, unused, approval } = gate;
  const count = (list: readonly unknown[], one: string): string =>
    `${list.length} ${one}${list.length === 1 ? "" : "s"}`;
  const reasons = passedBy.map(({ exception }) => exception);
  const verdict =
    failOn === undefined || findings.length === 0
      ? []
      : approval?.accepted === true
        ? [
            line(
              `approved by ${approval.by} (${approval.how}${approval.file === undefined ? "" : ` in ${approval.file}`})`,
            ),
          ]
        : [
            line(`refused by --fail-on ${failOn}: ${count(findings, "finding")}`),
            ...(approval?.refused ?? []).map(({ by, how, why }) => line(`the ${how} of ${by} doesn't count: ${why}`)),
          ];
  const { shown: first, more } = firstOf(
    [
      ...(verdict.length > 0 ? verdict : approvalLine(shown)),
      ...[...new Set(reasons)].map((one) =>
        line(
          `${count(
            reasons.filter((other) => other === one),
            "change",
          )} passed by until ${one.until}: ${one.reason}`,
        ),
      ),
      ...expired.map(({ until, reason }) => line(`an exception ended on ${until}, and it is ${today}: ${reason}`)),
      ...unused.map(({ until, reason }) => line(`an exception until ${until} matches nothing here: ${reason}`)),
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
function approvalLine({ difference: { verdict }, gate, standing, folder, sources }: ShownDifference): string[] {
  if (verdict === "same") return [];
  if (verdict === "narrows") return ["needs no approval: nothing widens"];
  if (gate.failOn !== undefined) return [line(`needs no approval: nothing here that --fail-on ${gate.failOn} names`)];
  if (standing?.accepted === true) return [line(`approved by ${standing.by} in ${standing.file ?? "its block"}`)];
  if (gate.findings.length === 0 && gate.passedBy.length > 0) return ["needs no approval: exceptions pass it by"];
  const needed = verdict === "widens" ? "needs an approval" : "needs an approval where CI runs --fail-on changed";
  const refused = standing?.refused ?? [];
  if (refused.length === 0)
    return [line(`${needed}: none in ${folder}${sources}/approved.yaml (comments, labels not looked at)`)];
  return [
    `${needed}`,
    ...refused.map(({ by, why }) => line(`the approval of ${by} in the files isn't enough: ${why}`)),
  ];
}
