import type { JsonValue } from "../contract.ts";

/** What a server may send at once. Beyond it the app would stand still while it reads, or run out of memory. */
export const MOST_BYTES: number = 32 * 1024 * 1024;
/** A megabyte of `[],[],` takes as long to read as 30 of text. */
const MOST_VALUES = 250_000;
/** More than anything that is meant to be read; walks over it need no bound of their own. */
export const DEEPEST = 200;
/** What a message wraps around a result. */
const ENVELOPE = 8;

/** Thrown with the end of a sentence about the server. */
export class TooMuch extends Error {}

/** Looks at a message byte by byte before it is read as JSON, in whatever pieces it comes. */
export interface Meter {
  /** Throws TooMuch. */
  take(bytes: Uint8Array): void;
  /** The next message begins. */
  reset(): void;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const LINE_BREAK_BYTE = 10;
const SPACE = 32;

export function createMeter(): Meter {
  let size = 0;
  let values = 0;
  let depth = 0;
  let opened = false;
  let inText = false;
  let escaped = false;
  return {
    take(bytes) {
      size += bytes.length;
      if (size > MOST_BYTES) throw new TooMuch(`it sent a message of more than ${MOST_BYTES >> 20} MB`);
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i]!;
        // No text of JSON goes over the end of a line: what stands before a message can't open one.
        if (byte === LINE_BREAK_BYTE) inText = escaped = false;
        else if (inText) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inText = false;
        } else if (byte > SPACE) {
          // An element for each comma, and the first one of each that isn't empty.
          if (byte === COMMA || (opened && !closes(byte))) values++;
          opened = opens(byte);
          if (byte === QUOTE) inText = true;
          else if (opened && ++depth > DEEPEST + ENVELOPE) throw tooDeep();
          else if (closes(byte)) depth--;
        }
      }
      if (values > MOST_VALUES) throw new TooMuch(`it sent a message of more than ${MOST_VALUES} values`);
    },
    reset() {
      size = values = depth = 0;
      opened = inText = escaped = false;
    },
  };
}

/** `[` and `{`. */
function opens(byte: number): boolean {
  return byte === 91 || byte === 123;
}

function closes(byte: number): boolean {
  return byte === 93 || byte === 125;
}

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
