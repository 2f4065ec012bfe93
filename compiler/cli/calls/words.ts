import { cutToWidth } from "../../base/display-width.ts";
import { nearest } from "../../base/nearest.ts";
import { visible } from "../../base/visible.ts";
import type { Stranger } from "../../calls/filter.ts";
import type { CallsRead } from "../../calls/read-record.ts";

/** Figures of a record in words. */
export function countWords(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function manyWords(count: number, one: string): string {
  return `${countWords(count)} ${one}${count === 1 ? "" : "s"}`;
}

export function msWords(ms: number | undefined): string {
  if (ms === undefined) return "-";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 59_950 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** For columns of milliseconds. */
export function bareMs(ms: number | undefined): string {
  if (ms === undefined) return "-";
  return ms < 9.95 ? ms.toFixed(1) : countWords(Math.round(ms));
}

/** Never rounded up to all: 99.99 % isn't 100 %. */
export function shareWords(share: number | undefined): string {
  if (share === undefined) return "-";
  const tenths = Math.floor(share * 1_000 + 1e-9);
  return tenths === 1_000 ? "100 %" : `${(tenths / 10).toFixed(1)} %`;
}

/** Never rounded down to none. */
export function errorShareWords(share: number): string {
  return share > 0 && share < 0.0005 ? "under 0.1 %" : `${(share * 100).toFixed(1)} %`;
}

export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [unit, size] = bytes < 1e6 ? ["KB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / (size as number)).toFixed(1)} ${unit}`;
}

/** `2026-03-01 09:30:00`; what isn't such a time as it is. */
export function timeWords(at: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(at) ?? [];
  return day === undefined ? visible(at.slice(0, 40)) : `${day} ${time}`;
}

const LONGEST_NAME = 64;

/** Of a name that may be anything, and of any length. */
export function nameWords(name: string): string {
  const shown = visible(name.slice(0, 2 * LONGEST_NAME));
  return name === "" ? "(none)" : cutToWidth(shown, LONGEST_NAME, "...");
}

/** `calls.jsonl` and what was moved out of its way are one record. */
export function filesWords(files: readonly string[]): string {
  const [first, ...more] = files.map((name) => (name === "-" ? "standard input" : visible(name))).toReversed();
  return more.length === 0 ? first! : `${first} and ${manyWords(more.length, "more file")}`;
}

/** What a reader of the figures has to know: lines that couldn't be read, and names in the filter that no call has. */
export function remarks({ unreadable, strangers }: CallsRead): string[] {
  const lines = unreadable.first.map(visible).join(", ");
  return [
    ...strangers.map(strangerWords),
    ...(unreadable.count === 0
      ? []
      : [
          `${manyWords(unreadable.count, "line")} couldn't be read and ${unreadable.count === 1 ? "isn't" : "aren't"} counted: ${lines}${unreadable.count > unreadable.first.length ? " ..." : ""}`,
        ]),
  ];
}

function strangerWords({ kind, name, known }: Stranger): string {
  const near = nearest(name, known);
  return (
    `no call has the ${kind} \`${visible(name)}\`` + (near === undefined ? "" : `; did you mean \`${visible(near)}\`?`)
  );
}
