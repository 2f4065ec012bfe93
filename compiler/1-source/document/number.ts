import { decimalOf } from "../../base/decimal.ts";

/** A number is kept only when it is what was written: the help when it isn't, undefined when it is. */
export function whyNumberIsUnfit(written: string, value: number): string | undefined {
  if (Number.isNaN(value) || /inf/i.test(written)) return "JSON has no such number; quote it if it is text";
  if (/^0[ox]/.test(written)) return Number.isSafeInteger(value) ? undefined : quoteIt;
  return (decimalOf(written) ?? written) === decimalOf(String(value)) ? undefined : quoteIt;
}

const quoteIt = "quote it if it is an id; a number keeps about 15 digits";
