import type { JsonValue } from "../contract.ts";
import { sizeLeft } from "../json-values.ts";
import { clearTally, countJson, createTally, endTallyLine, type Tally } from "./tally.ts";

/** What a server may send at once. Beyond it the app would stand still while it reads, or run out of memory. */
export const MOST_BYTES: number = 32 * 1024 * 1024;
/** A megabyte of `[],[],` takes as long to read as 30 of text. */
const MOST_VALUES = 250_000;
/** Each that is new where it stands takes as long as thirty values; a column of a table is new once. */
const MOST_KEYS = 50_000;
/** Of a list of messages as one body: each costs its reader as much as a message, and all are read in one go. */
const MOST_TOGETHER = 100;
/** More than anything that is meant to be read; walks over it need no bound of their own. */
export const DEEPEST = 200;
/** What a message wraps around a result. */
const ENVELOPE = 8;

/** Of all pages of a list together; each value in it counts as so many characters, so that a million are as much. */
export const MOST_OF_LIST: number = 32 * 1024 * 1024;
const CHARACTERS_A_VALUE = 32;

/** What is left for the pages behind this one; below zero: it is too much already. */
export function leftOfList(page: JsonValue, left: number): number {
  return sizeLeft(page, left, CHARACTERS_A_VALUE);
}

/** Thrown with the end of a sentence about the server. */
export class TooMuch extends Error {}

/** Looks at a message byte by byte before it is read as JSON, in whatever pieces it comes. */
export interface Meter {
  /** Throws TooMuch. */
  take(bytes: Uint8Array): void;
  /** Bytes that are read, and not as JSON. Throws TooMuch. */
  pass(bytes: number): void;
  /** Of an event stream. */
  endLine(): void;
  /** Where a list is read as many messages. Throws TooMuch. */
  refuseMany(): void;
  /** What it costs to read all of it, in small messages. */
  cost(): number;
  /** The next message begins. */
  reset(): void;
}

export function createMeter(): Meter {
  const tally = createTally();
  return {
    take(bytes) {
      refuseTooMuch(tally.size + bytes.length > MOST_BYTES, `of more than ${MOST_BYTES >> 20} MB`);
      countJson(tally, bytes);
      refuseTooMuch(tally.deepest > DEEPEST + ENVELOPE, `that is nested deeper than ${DEEPEST}`);
      refuseTooMuch(tally.values > MOST_VALUES, `of more than ${MOST_VALUES} values`);
      refuseTooMuch(tally.ways.size > MOST_KEYS, `of more than ${MOST_KEYS} different keys`);
    },
    pass(bytes) {
      tally.size += bytes;
      refuseTooMuch(tally.size > MOST_BYTES, `of more than ${MOST_BYTES >> 20} MB`);
      refuseTooMuch(tally.values > MOST_VALUES, `of more than ${MOST_VALUES} values`);
    },
    endLine: () => endTallyLine(tally),
    refuseMany: () => refuseTooMuch(tally.elements >= MOST_TOGETHER, `of more than ${MOST_TOGETHER} messages`),
    cost: () => costOf(tally),
    reset: () => clearTally(tally),
  };
}

function refuseTooMuch(isMore: boolean, what: string): void {
  if (isMore) throw new TooMuch(`it sent a message ${what}`);
}

/** What each of these takes to read, as long as a small message: some 50 us. */
const BYTES_A_MESSAGE = 8 * 1024;
const VALUES_A_MESSAGE = 100;
const KEYS_A_MESSAGE = 15;

function costOf({ size, values, ways }: Tally): number {
  return Math.max(1, size / BYTES_A_MESSAGE + values / VALUES_A_MESSAGE + ways.size / KEYS_A_MESSAGE);
}

/** Of a line that was no message, or one that nothing waited for. */
export function costOfLine(line: Uint8Array): number {
  if (line.length < SMALL_LINE) return 1;
  const tally = createTally();
  countJson(tally, line);
  return costOf(tally);
}

const SMALL_LINE = 512;

export function tooDeep(): TooMuch {
  return new TooMuch(`it sent a message that is nested deeper than ${DEEPEST}`);
}

/** Small messages aren't metered: they are looked at once they are read. */
export function isDeeper(value: JsonValue, most: number = DEEPEST): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) if (isDeeper(element, most - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeper((value as { readonly [key: string]: JsonValue })[key]!, most - 1)) return true;
  return false;
}
