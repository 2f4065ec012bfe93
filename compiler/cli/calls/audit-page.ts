import { wrap } from "../../base/wrap.ts";
import { visible } from "../../base/visible.ts";
import type { Audit, Call, Changing, Climbing, Events } from "../../calls/types.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { CallsRead } from "../../calls/read-record.ts";
import { tableLines, text, type TableCell, type TableColumn } from "../table.ts";
import { callsSections } from "./page.ts";
import { countWords, nameWords } from "./words.ts";

/** `rolecall calls --audit`: who asked, who said yes, what was refused, what looks like misuse. */
export function auditPage(reading: CallsRead, style: Style): string {
  const audit = reading.audit!;
  return callsSections(reading, style, () => [
    eventLines("asked", "nobody was asked", audit.asked, ASKED, style),
    eventLines("refused", "nothing was refused", audit.refused, REFUSED, style),
    eventLines("up out of a folder", "no argument goes up out of a folder", audit.climbing, CLIMBING, style),
    changingLines(audit, style),
    wrap("When each of them was: --json", style.width),
  ]);
}

interface EventColumn<Event> {
  readonly title: string;
  readonly mayShrink?: true;
  words(event: Event): string;
}

const ROLE: EventColumn<Call> = {
  title: "role",
  words: ({ role, caller }) => (caller === undefined ? nameWords(role) : `${nameWords(role)}, ${nameWords(caller)}`),
};
const TOOL: EventColumn<Call> = {
  title: "tool",
  mayShrink: true,
  words: ({ server, tool }) => nameWords(`${server}.${tool}`),
};
const ASKED: readonly EventColumn<Call>[] = [
  ROLE,
  TOOL,
  { title: "answer", words: ({ ask, by }) => (by === undefined ? ask! : `${ask} by ${nameWords(by)}`) },
  { title: "pin", words: ({ plan }) => (plan === undefined ? "none" : shortDigest(plan)) },
];
const REFUSED: readonly EventColumn<Call>[] = [
  ROLE,
  TOOL,
  { title: "why", words: ({ code }) => WHY.get(code) ?? "denied" },
];
const CLIMBING: readonly EventColumn<Climbing>[] = [
  ...[ROLE, TOOL].map((column) => ({ ...column, words: ({ call }: Climbing) => column.words(call) })),
  { title: "argument", mayShrink: true, words: ({ argument, value }) => nameWords(`${argument}: ${value}`) },
  { title: "ended", words: ({ call }) => call.ending },
];
const WHY: ReadonlyMap<string, string> = new Map([
  ["tool-denied", "not held"],
  ["tool-unknown", "no such tool"],
  ["argument-refused", "its arguments"],
  ["tool-changed", "tool changed"],
  ["ask-refused", "without a yes"],
]);

/** Enough to find the pin in access.json. */
function shortDigest(digest: string): string {
  return visible(digest.replace(/^sha256:/, "").slice(0, 12));
}

const MOST_SHOWN = 20;

/** One row for all that read the same, those of today last. */
function eventLines<Event>(
  title: string,
  none: string,
  { count, newest }: Events<Event>,
  columns: readonly EventColumn<Event>[],
  style: Style,
): string[] {
  if (count === 0) return wrap(none, style.width);
  const rows = new Map<string, { readonly words: readonly string[]; calls: number }>();
  for (const event of newest) {
    const words = columns.map((column) => column.words(event));
    const key = words.join("\n");
    const calls = (rows.get(key)?.calls ?? 0) + 1;
    rows.delete(key);
    rows.set(key, { words, calls });
  }
  const shown = [...rows.values()].slice(-MOST_SHOWN);
  const heads = columns.map(({ title: head, mayShrink }): TableColumn => ({
    title: head,
    ...(mayShrink && { mayShrink }),
  }));
  const left = rows.size - shown.length;
  return [
    `${title}: ${countWords(count)}${count > newest.length ? `, here the newest ${countWords(newest.length)}` : ""}`,
    ...tableLines(
      {
        columns: [...heads, { title: "calls", align: "right" }],
        rows: shown.map(({ words, calls }) => [...words.map((word) => text(word)), text(countWords(calls))]),
      },
      style,
    ),
    ...(left === 0 ? [] : [`and ${countWords(left)} older kinds: --json has each call, with its time`]),
  ];
}

function changingLines({ changing }: Audit, style: Style): string[] {
  if (changing.length === 0)
    return wrap("no tool was called that changes something, by its pinned hints or else its name", style.width);
  const shown = changing.slice(0, MOST_SHOWN);
  const columns: TableColumn[] = [
    { title: "role" },
    { title: "tool", mayShrink: true },
    { title: "by its" },
    { title: "calls", align: "right" },
    { title: "errors", align: "right" },
  ];
  const row = ({ role, server, tool, by, calls, errors }: Changing): TableCell[] => [
    text(nameWords(role)),
    text(nameWords(`${server}.${tool}`)),
    text(by),
    text(countWords(calls)),
    text(countWords(errors)),
  ];
  const left = changing.length - shown.length;
  return [
    "changes something:",
    ...tableLines({ columns, rows: shown.map(row) }, style),
    ...(left === 0 ? [] : [`and ${countWords(left)} more: --json has them`]),
  ];
}
