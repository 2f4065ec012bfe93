/**
 * The same text for all spellings of one decimal number: its digits without zeros around them, and the power of ten.
 * Undefined when it is no plain decimal number.
 */
export function decimalOf(written: string): string | undefined {
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(written);
  if (!parts) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return "0";
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

/** A loop, because `/0+$/` takes quadratic time on zeros in the middle. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
