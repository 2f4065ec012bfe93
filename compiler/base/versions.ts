/** Versions as semver.org has them. What stands behind a `+` counts for nothing. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Below 0 when `a` comes before `b`, above when it comes behind. Both are versions. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [VERSION.exec(a)!, VERSION.exec(b)!];
  for (const part of [1, 2, 3]) {
    const difference = Number(one[part]) - Number(other[part]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(one[4], other[4]);
}

/** A version without one comes behind all that have one. */
function comparePrereleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [one, other] = [a.split("."), b.split(".")];
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const difference = compareParts(one[i], other[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by their value and before words; words by their letters; a part more comes behind. */
function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a === b ? 0 : 1;
}
