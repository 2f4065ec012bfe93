import { decimalOf } from "../../base/decimal.ts";

/** A number is kept only when it is what was written: the help when it isn't, undefined when it is. */
export function whyNumberIsUnfit(written: string, value: number): "not-json" | "too-long" | undefined {
  if (Number.isNaN(value) || /inf/i.test(written)) return "not-json";
  if (/^0[ox]/.test(written)) return Number.isSafeInteger(value) ? undefined : "too-long";
  return (decimalOf(written) ?? written) === decimalOf(String(value)) ? undefined : "too-long";
}
