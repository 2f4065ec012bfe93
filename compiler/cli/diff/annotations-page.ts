import { visible } from "../../base/visible.ts";
import { countOfFindings, shownFindings } from "./finding-words.ts";
import { gateLines } from "./gate-words.ts";
import { verdictLine } from "./section-words.ts";
import type { ShownDifference } from "./words.ts";

/** A step shows ten of each level, and a log is read by people. */
const MOST = 200;

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/** Workflow commands of GitHub Actions, the gravest first. */
export function annotationsPage(shown: ShownDifference): string {
  const findings = shownFindings(shown, MOST);
  const more = countOfFindings(shown) - findings.length;
  const commands = findings.map(
    ({ level, file, line, title, says }) =>
      `::${COMMANDS[level]} file=${property(file)},line=${line},title=${property(title)}::${message(says)}`,
  );
  const said = [
    ...(more > 0 ? [`${more} more changes aren't annotated`] : []),
    verdictLine(shown, shown.summary(), visible),
    ...gateLines(shown),
  ].map(asText);
  return `${[...commands, ...said].join("\n")}\n`;
}

/** What would end a command, or begin another one, stands as its number. */
function message(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A line that isn't a command, whatever stands in it: a runner takes `::x::` and `##[x]` for one. */
function asText(text: string): string {
  return visible(text)
    .replace(/^(\s*)(::|##\[)/, "$1 $2")
    .replaceAll("##[", "## [");
}
