import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { unusedTools, type JudgedTool } from "../../usage/judge.ts";
import { page, placeWords } from "../page.ts";
import { tableLines, text, type TableCell } from "../table.ts";
import { leftWords, manyOf, toolWords, usedWhere, type ShownUsage } from "./words.ts";

/** `rolecall unused` for people: what is unused first, with what grants it and what to do. */
export function unusedPage(shown: ShownUsage, style: Style): string {
  return page([
    headLines(shown, style),
    unusedLines(shown, style),
    possiblyLines(shown, style),
    modelLines(shown, style),
    keptLines(shown, style),
    lackingLines(shown, style),
    leftLines(shown, style),
    endLines(shown, style),
  ]);
}

function headLines({ project, report, files, record }: ShownUsage, style: Style): string[] {
  const paint = paintWith(style.colour);
  const unused = unusedTools(report);
  const all = report.roles.filter(({ isAsked }) => isAsked).reduce((sum, { tools }) => sum + tools.length, 0);
  const verdict =
    unused.length === 0
      ? "no grant is unused"
      : `${unused.length} of ${manyOf(all, "grant")} ${unused.length === 1 ? "is" : "are"} unused`;
  const [first = "", ...rest] = wrap(`${visible(project)}: ${verdict}`, style.width);
  const span = record?.from === undefined ? "" : `, ${record.from.slice(0, 10)} to ${record.to!.slice(0, 10)}`;
  const looked = `looked at ${manyOf(files, "file")} of code${record === undefined ? "" : ` and at recorded calls${span}`}`;
  return [paint("strong", first), ...rest, ...wrap(looked, style.width)];
}

function unusedLines({ report, locate, record }: ShownUsage, style: Style): string[] {
  const rows = unusedTools(report).map((one): TableCell[] => [
    text(one.role),
    text(toolWords(one), "warning"),
    one.grants.map(({ written, from }) => ({ text: `${visible(written)} ${placeWords(from, locate)}` })),
    ...(record === undefined ? [] : [text(one.calls === undefined ? "no record of the role" : "never")]),
  ]);
  if (rows.length === 0) return [];
  const columns = [
    { title: "role" },
    { title: "unused", mayShrink: true as const },
    { title: "granted by", mayShrink: true as const },
  ];
  return tableLines({ columns: record === undefined ? columns : [...columns, { title: "called" }], rows }, style);
}

function possiblyLines(shown: ShownUsage, style: Style): string[] {
  const rows = toolsIn(shown, "possibly").map((one) => [
    text(one.role),
    text(toolWords(one)),
    text(usedWhere(one).join(", ")),
  ]);
  const columns = [
    { title: "role" },
    { title: "possibly used", mayShrink: true as const },
    { title: "at", mayShrink: true as const },
  ];
  return rows.length === 0 ? [] : tableLines({ columns, rows }, style);
}

/** A role is a row: a model holds all of them or none. */
function modelLines(shown: ShownUsage, style: Style): string[] {
  const rows = shown.report.roles.flatMap(({ role, isAsked, tools }) => {
    const given = tools.filter(({ state }) => state === "model");
    if (!isAsked || given.length === 0) return [];
    const by = [...new Set(given.flatMap((one) => one.by))].join(", ");
    return [[text(role), text(manyOf(given.length, "grant")), text(by)]];
  });
  const columns = [{ title: "role" }, { title: "used by a model" }, { title: "given by", mayShrink: true as const }];
  if (rows.length === 0) return [];
  const next = "whether a model calls them, a record says: rolecall unused --calls FILE";
  return [...tableLines({ columns, rows }, style), ...wrap(next, style.width)];
}

function keptLines({ report }: ShownUsage, style: Style): string[] {
  const rows = report.roles.flatMap(({ role, keep, isAsked, tools }) => {
    const count = tools.filter(({ state }) => state === "unused").length;
    return keep === undefined || !isAsked
      ? []
      : [[text(role), text(manyOf(count, "unused grant")), text(visible(keep))]];
  });
  const columns = [{ title: "role" }, { title: "kept" }, { title: "why", mayShrink: true as const }];
  return rows.length === 0 ? [] : tableLines({ columns, rows }, style);
}

function lackingLines({ report }: ShownUsage, style: Style): string[] {
  const rows = [
    ...report.lacking.map((one) => [
      text(one.role),
      text(toolWords(one), "error"),
      text(`in code: ${one.at.map(visible).join(", ")}`),
    ]),
    ...report.refused
      .slice(0, MOST_REFUSED)
      .map((one) => [
        text(visible(one.role)),
        text(toolWords(one), "error"),
        text(`called ${one.calls === 1 ? "once" : `${one.calls} times`}`),
      ]),
  ];
  const columns = [
    { title: "role" },
    { title: "asked for, not held", mayShrink: true as const },
    { title: "", mayShrink: true as const },
  ];
  return rows.length === 0 ? [] : tableLines({ columns, rows }, style);
}

const MOST_REFUSED = 15;

function leftLines({ trimming, locate, wrote }: ShownUsage, style: Style): string[] {
  const undone = wrote?.undone.flatMap(({ gone, place }) =>
    gone.map((one) => ({
      one,
      why: `the project wouldn't hold without it: change it by hand, ${placeWords(place, locate)}`,
    })),
  );
  const rows = [...trimming.left.map((one) => ({ one: one.tool, why: leftWords(one, locate) })), ...(undone ?? [])].map(
    ({ one, why }) => [text(one.role), text(toolWords(one)), text(why)],
  );
  const columns = [{ title: "role" }, { title: "not for --write" }, { title: "", mayShrink: true as const }];
  return rows.length === 0 ? [] : tableLines({ columns, rows }, style);
}

function endLines({ trimming, wrote }: ShownUsage, style: Style): string[] {
  const files = [...new Set(trimming.entries.map(({ place }) => place.file))].sort();
  if (wrote !== undefined) {
    if (wrote.files.length === 0) return wrap("nothing was written", style.width);
    return wrap(
      `wrote ${wrote.files.map(visible).join(", ")}; next: rolecall diff, then rolecall build: before it, unused can't look at the code again`,
      style.width,
    );
  }
  if (files.length === 0) return [];
  return wrap(`rolecall unused --write takes them out of ${files.map(visible).join(", ")}`, style.width);
}

function toolsIn({ report }: ShownUsage, state: JudgedTool["state"]): JudgedTool[] {
  return report.roles
    .filter(({ isAsked }) => isAsked)
    .flatMap(({ tools }) => tools.filter((one) => one.state === state));
}
