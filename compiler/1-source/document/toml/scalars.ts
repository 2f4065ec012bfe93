import { whyNumberIsUnfit } from "../number.ts";
import { shorten } from "../text.ts";
import { type TomlCursor, fail, stop, take } from "./cursor.ts";

/** What stands for itself: true, false, numbers, and dates as the text that they are. */
export function readScalar(c: TomlCursor): string | number | boolean {
  const start = c.at;
  let word = take(c, /[-+.:\w]+/y) ?? "";
  // A date and a time may have a blank between them.
  if (/^\d{4}-\d\d-\d\d$/.test(word)) word += take(c, / \d\d:[-+.:\w]+/y) ?? "";
  const written = [start, c.at] as const;
  if (word === "true" || word === "false") return word === "true";
  if (word.length > LONGEST) return sayNothing(c, word, start);
  const isDate = dateOf(word);
  if (isDate !== undefined)
    return isDate ? word : fail(c, `there is no date or time \`${word}\``, undefined, ...written);
  const number = numberOf(word);
  if (number === undefined) return sayNothing(c, word, start);
  const unfit = OTHER_BASE.test(word)
    ? Number.isSafeInteger(number)
      ? undefined
      : "too-long"
    : whyNumberIsUnfit(word.replaceAll("_", "").replace(/^\+/, ""), number);
  if (unfit === undefined) return Object.is(number, -0) ? 0 : number;
  return stop(c, { code: "source/number", at: written, case: unfit, number: word });
}

/** Longer ones aren't looked into. */
const LONGEST = 1000;

function sayNothing(c: TomlCursor, word: string, start: number): never {
  const end = Math.max(c.at, start + 1);
  if (word === "") return fail(c, "a value is missing here", "write one behind the `=`", start, end);
  const help = /^(?:true|false|null|none|yes|no|on|off)$/i.test(word)
    ? "true and false are written in small letters, and there is no null"
    : /^[-+]?0\d/.test(word)
      ? "a number doesn't begin with 0; text stands in quotes"
      : "text stands in quotes";
  return fail(c, `\`${shorten(word)}\` is no value`, help, start, end);
}

const WHOLE = /^[-+]?(?:0|[1-9](?:_?\d)*)$/;
const OTHER_BASE = /^0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const BROKEN = /^[-+]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?$/;

function numberOf(word: string): number | undefined {
  if (/^[-+]?(?:inf|nan)$/.test(word)) return word.endsWith("nan") ? Number.NaN : Number.POSITIVE_INFINITY;
  if (!WHOLE.test(word) && !OTHER_BASE.test(word) && !BROKEN.test(word)) return undefined;
  return Number(word.replaceAll("_", ""));
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?$/;
const OFFSET = /^(?:[Zz]|[-+](\d\d):(\d\d))$/;

/** Whether there is such a date, time or moment; undefined: it isn't written like one. */
function dateOf(word: string): boolean | undefined {
  if (!/^(?:\d{4}-\d\d?|\d\d?:)/.test(word)) return undefined;
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:^|[Tt ])(\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[-+]\d\d:\d\d)?)?$/.exec(word) ?? [];
  if (day === undefined && (time === undefined || offset !== undefined)) return false;
  return (
    (day === undefined || isDay(day)) &&
    (time === undefined || isTime(time)) &&
    (offset === undefined || isOffset(offset))
  );
}

function isDay(written: string): boolean {
  const [, year, month, day] = (DATE.exec(written) ?? []).map(Number);
  if (month! < 1 || month! > 12 || day! < 1) return false;
  const isLeap = year! % 4 === 0 && (year! % 100 !== 0 || year! % 400 === 0);
  return day! <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month! - 1]!;
}

function isTime(written: string): boolean {
  const [, hour, minute, second] = (TIME.exec(written) ?? []).map(Number);
  return hour! <= 23 && minute! <= 59 && second! <= 60;
}

function isOffset(written: string): boolean {
  const [, hour, minute] = OFFSET.exec(written) ?? [];
  return hour === undefined || (Number(hour) <= 23 && Number(minute) <= 59);
}
