import { wrap } from "../../base/wrap.ts";
import { visible } from "../../base/visible.ts";
import { availability, errorsByKind, LOW_AVAILABILITY } from "../../calls/rates.ts";
import type { Call, Figures, Groups, Named, CalledTool, CallsSummary } from "../../calls/types.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { CallsRead } from "../../calls/read-record.ts";
import { tableLines, text, type TableCell, type TableColumn } from "../table.ts";
import { factLines, page, type LabelledFact } from "../page.ts";
import {
  bytesWords,
  countWords,
  bareMs,
  errorShareWords,
  filesWords,
  manyWords,
  msWords,
  nameWords,
  remarks,
  shareWords,
  timeWords,
} from "./words.ts";

/** `rolecall calls` for people. */
export function callsPage(reading: CallsRead, style: Style): string {
  const { servers, roles, tools, slow } = reading.summary;
  return callsSections(reading, style, () => [
    groupLines("server", servers, (group) => group.name, SERVER_FIGURES, style),
    groupLines("role", roles, (group) => group.name, CALL_FIGURES, style),
    groupLines("tool, slowest first", slowestFirst(tools), nameOfTool, CALL_FIGURES, style),
    slow.count === 0 ? [] : slowLines(slow.calls, style),
  ]);
}

/** What every page of a record begins and ends with; nothing between where there are no calls. */
export function callsSections(reading: CallsRead, style: Style, middle: () => readonly (readonly string[])[]): string {
  return page([
    headLines(reading, style),
    ...(reading.summary.all.calls === 0 ? [] : middle()),
    remarks(reading).flatMap((remark) => wrap(remark, style.width)),
  ]);
}

function headLines({ files, summary }: CallsRead, style: Style): string[] {
  const paint = paintWith(style.colour);
  const { all, from, to } = summary;
  const [first = "", ...rest] = wrap(`${filesWords(files)}: ${manyWords(all.calls, "call")}`, style.width);
  const time = from === undefined ? [] : [`${timeWords(from)} to ${timeWords(to!)}`];
  return [
    paint("strong", first),
    ...rest,
    ...(all.calls === 0 ? [] : factLines([["time", time], ...factsOf(summary)], style)),
  ];
}

function factsOf({ all, slow }: CallsSummary): LabelledFact[] {
  const { times, calls, errors } = all;
  const share = availability(all);
  const off = times.error === 0 ? "" : ` (within ${times.error * 100} %)`;
  const over = slow.count === 0 ? "" : `; ${countWords(slow.count)} over 1 s`;
  const duration = `avg ${msWords(times.average)}, p50 ${msWords(times.quantile(0.5))}, p95 ${msWords(times.quantile(0.95))}`;
  return [
    [
      "errors",
      [errors === 0 ? "none" : `${countWords(errors)} (${errorShareWords(errors / calls)}): ${kindWords(all)}`],
    ],
    ["availability", share === undefined ? [] : [shareWords(share)]],
    ["duration", times.average === undefined ? [] : [duration + off + over]],
    ["results", all.resultBytes === 0 ? [] : [bytesWords(all.resultBytes)]],
  ];
}

function kindWords(all: Figures): string {
  const { refused, rateLimited, unavailable, failed, stopped } = errorsByKind(all);
  const kinds = [
    [failed, "failed"],
    [unavailable, "without an answer"],
    [refused, "refused"],
    [rateLimited, "rate limited"],
    [stopped, "stopped by the caller"],
  ] as const;
  return kinds.flatMap(([count, word]) => (count === 0 ? [] : [`${countWords(count)} ${word}`])).join(", ");
}

interface FigureColumn {
  readonly title: string;
  cell(figures: Figures): TableCell;
  /** Left out where it says nothing of any row. */
  counts?(figures: Figures): number;
}

const counted = (title: string, counts: (figures: Figures) => number): FigureColumn => ({
  title,
  counts,
  cell: (figures) => text(countWords(counts(figures))),
});
const CALLS = counted("calls", ({ calls }) => calls);
const ERRORS = counted("errors", ({ errors }) => errors);
const REFUSED = counted("refused", ({ refused }) => refused);
const LIMITED = counted("limited", ({ rateLimited }) => rateLimited);
const RETRIES = counted("retries", ({ retries }) => retries);
const AVAILABLE: FigureColumn = { title: "available", cell: availableCell };
const TIMES: readonly FigureColumn[] = [
  { title: "avg ms", cell: ({ times }) => text(bareMs(times.average)) },
  { title: "p50", cell: ({ times }) => text(bareMs(times.quantile(0.5))) },
  { title: "p95", cell: ({ times }) => text(bareMs(times.quantile(0.95))) },
];
const SERVER_FIGURES = [CALLS, ERRORS, AVAILABLE, REFUSED, LIMITED, RETRIES, ...TIMES];
const CALL_FIGURES = [CALLS, ERRORS, REFUSED, LIMITED, ...TIMES];

function availableCell(figures: Figures): TableCell {
  const share = availability(figures);
  return share !== undefined && share < LOW_AVAILABILITY
    ? text(`low ${shareWords(share)}`, "error")
    : text(shareWords(share));
}

const MOST_ROWS = 15;

function groupLines<Group extends Named>(
  title: string,
  { named, others }: Groups<Group>,
  nameOf: (group: Group) => string,
  figures: readonly FigureColumn[],
  style: Style,
): string[] {
  if (named.length === 0) return [];
  const shown = named.slice(0, MOST_ROWS);
  const columns = figures.filter(({ counts }) => counts === undefined || shown.some((group) => counts(group) > 0));
  const first: TableColumn = { title, mayShrink: true };
  const right = columns.map((column): TableColumn => ({ title: column.title, align: "right" }));
  const rows = shown.map((group) => [text(nameWords(nameOf(group))), ...columns.map((column) => column.cell(group))]);
  const left = named.length - shown.length;
  return [
    ...tableLines({ columns: [first, ...right], rows }, style),
    ...(left === 0 ? [] : wrap(`and ${countWords(left)} more: --json has them`, style.width)),
    ...(others === 0 ? [] : wrap(`and ${manyWords(others, "call")} with yet other names`, style.width)),
  ];
}

function slowestFirst({ named, others }: Groups<CalledTool>): Groups<CalledTool> {
  const slowness = named.map((tool) => [tool, tool.times.quantile(0.95) ?? -1] as const);
  return { named: slowness.sort(([, a], [, b]) => b - a).map(([tool]) => tool), others };
}

function nameOfTool({ server, name }: CalledTool): string {
  return `${server}.${name}`;
}

function slowLines(calls: readonly Call[], style: Style): string[] {
  const columns = [
    { title: "slowest calls" },
    { title: "role" },
    { title: "tool", mayShrink: true as const },
    { title: "duration", align: "right" as const },
    { title: "" },
  ];
  const rows = calls.map((call) => [
    text(timeWords(call.at)),
    text(nameWords(call.role)),
    text(nameWords(`${call.server}.${call.tool}`)),
    text(msWords(call.ms)),
    text(call.ending === "ok" ? "" : visible(call.ending)),
  ]);
  return tableLines({ columns, rows }, style);
}
