import { visible } from "../../base/visible.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { wrap } from "../../base/wrap.ts";
import type { Direction } from "../../diff/types.ts";
import { page } from "../page.ts";
import { asideLines } from "./aside-words.ts";
import { becauseLines, changeWords, headline, SIGNS, type ShownDifference } from "./words.ts";

const LOOKS: Readonly<Record<Direction, Look>> = { widens: "warning", narrows: "good", changed: "note" };

/** The verdict, then servers and rules, then role by role: what it gains first. */
export function differencePage({ difference, described, aside, base, locate }: ShownDifference, style: Style): string {
  const paint = paintWith(style.colour);
  const lines = (role: string | undefined): string[] =>
    ORDER.flatMap((direction) =>
      described
        .filter(({ change }) => change.role === role && change.direction === direction)
        .flatMap((one) => [
          paint(LOOKS[direction], `  ${SIGNS[direction]} ${changeWords(one.change)}`),
          ...becauseLines(one, locate).flatMap((line) =>
            wrap(`      ${line}`, style.width, "        ").map((l) => paint("quiet", l)),
          ),
        ]),
    );
  const roles = [...new Set(described.flatMap(({ change }) => change.role ?? []))];
  const common = lines(undefined);
  return page([
    [`${paint("strong", `access: ${headline(difference)}`)} (since ${visible(base)})`],
    difference.renamed.map(({ kind, before, after }) => `${kind} ${visible(before)} is called ${visible(after)} now`),
    common.length === 0 ? [] : ["servers and rules", ...common],
    ...roles.map((role) => [visible(role), ...lines(role)]),
    asideLines(aside).flatMap((line) => wrap(line, style.width, "  ")),
  ]);
}

const ORDER: readonly Direction[] = ["widens", "changed", "narrows"];
