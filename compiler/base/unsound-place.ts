import { decimalOf } from "./decimal.ts";

/** The slow, exact reader behind unsoundJson: it only runs to name the culprit. Its text has passed JSON.parse. */

/** The first unsound thing, with its way from the top and its line; undefined when all is well after all. */
export function firstUnsoundness(text: string): string | undefined {
  const reader: JsonCursor = { text, at: 0, path: [], finding: undefined };
  readValue(reader);
  return reader.finding;
}

/**
 * Does the number stay the same number when it becomes a double and text again? The sign is no part of it.
 * `1.0` and `1e2` do; 9007199254740993 and 1e400 don't.
 */
export function survives(written: string): boolean {
  if (written.length <= 15 && !/e/i.test(written)) return true;
  const value = Number(written);
  return Number.isFinite(value) && decimalOf(written.replace(/^-/, "")) === decimalOf(String(Math.abs(value)));
}

interface JsonCursor {
  readonly text: string;
  at: number;
  readonly path: (string | number)[];
  finding: string | undefined;
}

function readValue(reader: JsonCursor): void {
  skipSpace(reader);
  const first = reader.text[reader.at];
  if (first === "{") readEntries(reader, "}", readEntry);
  else if (first === "[") readEntries(reader, "]", readItem);
  else if (first === '"') readString(reader);
  else readScalar(reader);
}

/** Both objects and lists: what lies between the brackets, divided by commas. */
function readEntries(reader: JsonCursor, close: string, read: (reader: JsonCursor, seen: Set<string>) => void): void {
  const seen = new Set<string>();
  reader.at++;
  for (skipSpace(reader); reader.text[reader.at] !== close && reader.finding === undefined; skipSpace(reader)) {
    if (reader.text[reader.at] === ",") reader.at++;
    read(reader, seen);
  }
  reader.at++;
}

function readEntry(reader: JsonCursor, seen: Set<string>): void {
  skipSpace(reader);
  const start = reader.at;
  const key = readString(reader);
  reader.path.push(key);
  if (seen.has(key)) report(reader, start, "is there twice");
  seen.add(key);
  skipSpace(reader);
  reader.at++;
  readValue(reader);
  reader.path.pop();
}

function readItem(reader: JsonCursor, seen: Set<string>): void {
  reader.path.push(seen.size);
  seen.add(String(seen.size));
  readValue(reader);
  reader.path.pop();
}

function readString(reader: JsonCursor): string {
  const start = reader.at;
  const { text } = reader;
  for (reader.at++; text[reader.at] !== '"'; reader.at++) if (text[reader.at] === "\\") reader.at++;
  reader.at++;
  const value = JSON.parse(text.slice(start, reader.at)) as string;
  if (/\p{Surrogate}/u.test(value)) report(reader, start, "holds half of a surrogate pair");
  return value;
}

function readScalar(reader: JsonCursor): void {
  const start = reader.at;
  while (reader.at < reader.text.length && !/[\s,\]}]/.test(reader.text[reader.at]!)) reader.at++;
  const written = reader.text.slice(start, reader.at);
  if (/^-?\d/.test(written) && !survives(written.replace(/^-/, ""))) {
    report(reader, start, `is ${shortened(written)}, a number that changes when it is read`);
  }
}

function report(reader: JsonCursor, at: number, what: string): void {
  reader.finding ??= `${where(reader.path)} ${what} (line ${reader.text.slice(0, at).split("\n").length})`;
}

function where(path: readonly (string | number)[]): string {
  if (path.length === 0) return "the document";
  const written = path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join("");
  return `\`${shortened(written)}\``;
}

function shortened(written: string): string {
  const points = [...written];
  return points.length <= 120 ? written : `${points.slice(0, 58).join("")}...${points.slice(-58).join("")}`;
}

function skipSpace(reader: JsonCursor): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at++;
}
