/** A number is kept only when it is what was written: the help when it isn't, undefined when it is. */
export function whyNumberIsUnfit(written: string, value: number): string | undefined {
  if (Number.isNaN(value) || /inf/i.test(written)) return "JSON has no such number; quote it if it is text";
  if (/^0[ox]/.test(written)) return Number.isSafeInteger(value) ? undefined : quoteIt;
  return digitsOf(written) === digitsOf(String(value)) ? undefined : quoteIt;
}

const quoteIt = "quote it if it is an id; a number keeps about 15 digits";

/** The same for all spellings of one decimal number: its digits without zeros around them, and the power of ten. */
function digitsOf(decimal: string): string {
  const parts = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(decimal);
  if (!parts) return decimal;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

/** A loop, because `/0+$/` takes quadratic time on zeros in the middle. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
