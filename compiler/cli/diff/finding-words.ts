import type { Place } from "../../base/place.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import type { Described } from "../../diff/describe.ts";
import { changeWords, whatLines, whereLines, type ShownDifference } from "./words.ts";

/** A change as machines show it: at one line, in one sentence. */
export interface ShownFinding {
  readonly described: Described;
  readonly level: "error" | "warning" | "note";
  /** In the repository. */
  readonly file: string;
  /** From 1; the first where it can't be found, or where what changed is gone. */
  readonly line: number;
  readonly title: string;
  readonly says: string;
}

/** What widens or is changed, the gravest first, so many at most: errors are what the gate refuses. */
export function shownFindings(shown: ShownDifference, most: number): ShownFinding[] {
  const { gate } = shown;
  const isRefused = gate.failOn !== undefined && gate.approval?.accepted !== true;
  const all: (readonly [Described, ShownFinding["level"], string])[] = [
    ...gate.findings.map((one) => [one, isRefused ? "error" : "warning", ""] as const),
    ...gate.others.map((one) => [one, "warning", ""] as const),
    ...gate.passedBy.map(
      ({ described, exception }) =>
        [described, "note", ` (passed by until ${exception.until}: ${exception.reason})`] as const,
    ),
  ];
  return all.slice(0, most).map(([one, level, more]) => findingOf(one, level, more, shown));
}

export function countOfFindings({ gate: { findings, others, passedBy } }: ShownDifference): number {
  return findings.length + others.length + passedBy.length;
}

function findingOf(
  described: Described,
  level: ShownFinding["level"],
  more: string,
  { locate, folder }: ShownDifference,
): ShownFinding {
  const { change } = described;
  const place = placeOf(described);
  const span = place && locate(place);
  const who = change.role === undefined ? "" : `${change.role}: `;
  const because = [
    ...whatLines(described),
    ...whereLines({ ...described, from: [], asBefore: new Set(), at: undefined }, { locate }),
  ];
  return {
    described,
    level,
    file: folder + (span?.file ?? place?.file ?? PROJECT_FILE),
    line: span?.line ?? 1,
    title: `access ${change.direction === "changed" ? "changed" : "widens"}`,
    says: [`${who}${changeWords(described)}${more}`, ...because].join("; "),
  };
}

/** What did it; of what is gone, where it stood. */
function placeOf({ from, asBefore, noLonger, at }: Described): Place | undefined {
  const now = from.find((reason) => !asBefore.has(reason));
  return now?.from ?? noLonger.find((one) => one.at !== undefined)?.at ?? from[0]?.from ?? at;
}
