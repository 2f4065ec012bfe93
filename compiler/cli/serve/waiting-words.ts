import type { DifferenceSummary } from "../../diff/summary.ts";
import { visible } from "../../base/visible.ts";
import { shownCommon, shownGroup, type ShownChange } from "../diff/group-words.ts";
import { shownDefinitions } from "../diff/section-words.ts";
import type { SourceLines } from "../diff/words.ts";

/** What of a build waits, as `rolecall diff` has it: each a line with its sign, and lines below. */
export function waitingLines({ common, roles, definitions }: DifferenceSummary, where: SourceLines): string[] {
  const section = (title: string, changes: readonly ShownChange[]): string[] =>
    changes.length === 0
      ? []
      : [title, ...changes.flatMap(({ head, below }) => [`  ${head}`, ...below.map((one) => `      ${one}`)])];
  return [
    ...section(
      "servers and rules",
      common.map((one) => shownCommon(one, where)),
    ),
    ...roles.flatMap(({ role, groups }) =>
      section(
        visible(role),
        groups.map((one) => shownGroup(one, where)),
      ),
    ),
    ...section(
      "tools that changed",
      definitions.map((one) => shownDefinitions(one, where)),
    ),
  ];
}
