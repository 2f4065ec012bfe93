import { visibleJson } from "../base/visible.ts";

/** What an answer holds at most, so that no file makes one that its reader can't take. In characters. */
const LONGEST_TEXT = 20_000;
const LARGEST = 1_000_000;
/** Of one entry, beside its text. */
const FRAME = 200;

export interface BoundedEntries<Entry> {
  readonly kept: readonly Entry[];
  readonly leftOut: number;
}

/** As many as there is room for, in the order given. */
export function withinBounds<Entry extends object>(
  entries: readonly Entry[],
  most: number = Number.POSITIVE_INFINITY,
): BoundedEntries<Entry> {
  const kept: Entry[] = [];
  let size = 0;
  for (const entry of entries.slice(0, most)) {
    const short = shortened(entry);
    size += FRAME + Object.values(short).reduce((sum: number, one) => sum + toldLength(one), 0);
    if (size > LARGEST && kept.length > 0) break;
    kept.push(short);
  }
  return { kept, leftOut: entries.length - kept.length };
}

/** As it is told: what nobody sees becomes its number, which is longer. */
function toldLength(value: unknown): number {
  return typeof value === "string" ? visibleJson(JSON.stringify(value)).length : 0;
}

function shortened<Entry extends object>(entry: Entry): Entry {
  const long = Object.entries(entry).filter(([, value]) => typeof value === "string" && value.length > LONGEST_TEXT);
  if (long.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(long.map(([key, value]) => [key, shortText(value as string)])) };
}

export function shortText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}… (${text.length} characters)`;
}
