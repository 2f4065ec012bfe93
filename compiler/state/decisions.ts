import { normalText } from "../base/normal-text.ts";
import { byName } from "../base/order.ts";
import { objectLines, wordAt } from "./json-entries.ts";
import { sectionsOf } from "./markdown.ts";
import type { DecisionEntry, Entries } from "./types.ts";

const DATE = /\b(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\b/;
/** How far down a decision says its date, author and status, in lines that aren't empty. */
const SAID_WITHIN = 12;
const LONGEST_WORD = 200;

/** `isLines`: JSON, a line each. Else Markdown, one for each `##`. In the order of the file. */
export function readDecisions(text: string, isLines: boolean): Entries<DecisionEntry> {
  if (isLines) {
    const { entries, unreadable } = objectLines(text);
    return {
      unreadable,
      entries: entries.map((entry, i) => ({
        title: wordAt(entry, ["title", "decision", "summary", "name"]) ?? "",
        date: wordAt(entry, ["date", "at", "ts", "time"]),
        author: wordAt(entry, ["author", "by", "owner", "agent"]),
        status: wordAt(entry, ["status", "state"]),
        text: wordAt(entry, ["text", "body", "what", "description", "reason", "why"]) ?? "",
        place: i + 1,
      })),
    };
  }
  const entries = sectionsOf(text, 2).map(({ heading, body }, i): DecisionEntry => {
    const said = saidIn(body);
    const date = DATE.exec(heading)?.[1] ?? DATE.exec(said("date") ?? "")?.[1] ?? null;
    return {
      title: titleOf(heading),
      date,
      author: said("author") ?? said("by") ?? said("owner") ?? null,
      status: said("status") ?? null,
      text: body,
      place: i + 1,
    };
  });
  return { entries, unreadable: 0 };
}

/** `**By:** Kit`, `- Status: accepted`, `Date: 2026-03-01`, `By **Kit**`. */
function saidIn(body: string): (key: string) => string | undefined {
  const lines = body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, SAID_WITHIN);
  const known = new Map<string, string>();
  for (const line of lines) {
    const plain = line.replace(/^[\s>]*(?:[-*+]\s+)?/, "").replace(/[*_]{1,3}/g, "");
    const found = /^([A-Za-z]{2,10})\s*:(.*)$/.exec(plain.trim());
    const key = found?.[1]!.toLowerCase();
    const word = found?.[2]!.trim() ?? "";
    if (key !== undefined && word !== "" && word.length <= LONGEST_WORD && !known.has(key)) known.set(key, word);
  }
  return (key) => known.get(key);
}

/** Without the date that stands before or behind it. */
function titleOf(heading: string): string {
  const date = DATE.exec(heading)?.[1];
  if (date === undefined) return heading;
  const begin = new RegExp(`^\\[?${date}\\]?\\s*(?:[:|–—-]\\s*)?`);
  const title = heading.replace(begin, "");
  const shorter = (title === heading ? withoutDateBehind(heading, date) : title).trim();
  return shorter === "" ? heading : shorter;
}

function withoutDateBehind(heading: string, date: string): string {
  const at = new RegExp(`[([]?${date}[)\\]]?$`).exec(heading)?.index;
  if (at === undefined) return heading;
  const before = heading.slice(0, at).trimEnd();
  return /[|–—-]$/.test(before) ? before.slice(0, -1) : before;
}

/** By date, then by place; one without a date counts as older than each that has one. */
export function newestFirst(entries: readonly DecisionEntry[]): DecisionEntry[] {
  return [...entries].sort((a, b) => byName(b.date ?? "", a.date ?? "") || b.place - a.place);
}

/** Those that hold every word, in whatever case. */
export function searchDecisions(entries: readonly DecisionEntry[], query: string): DecisionEntry[] {
  const words = normalText(query, "NFC")
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  return newestFirst(entries).filter(({ title, text, author, status, date }) => {
    const all = normalText([title, text, author, status, date].join("\n"), "NFC").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
