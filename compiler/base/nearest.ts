/** "Did you mean": the nearest of the known names, or nothing when none is near. */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const wanted = simplify(written);
  let best: string | undefined;
  let bestDistance = mostEdits(wanted.length) + 1;
  for (const name of candidates(wanted, known)) {
    const distance = editDistance(wanted, simplify(name), bestDistance + 1);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && name < best)) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** By their lengths alone. */
export function mayBeNear(written: string, name: string): boolean {
  const [wanted, length] = [Math.min(written.length, COMPARED), Math.min(name.length, COMPARED)];
  return Math.abs(wanted - length) <= mostEdits(wanted);
}

function mostEdits(length: number): number {
  return Math.max(2, Math.floor(length / 3));
}

/** The same, for a glob too. Where it ends in its only star, what is compared are beginnings, and the answer is a glob again. */
export function nearestGlob(glob: string, names: Iterable<string>): string | undefined {
  const stem = glob.replace(/\*$/, "");
  if (stem === glob || stem.length < 3 || /[*?\\ &]/.test(stem)) return nearest(glob.replace(/[*?]/g, ""), names);
  const near = nearest(stem, new Set([...names].map((name) => name.slice(0, stem.length))));
  return near === undefined ? undefined : `${near}*`;
}

/** Of very many names, some with the same first letter: comparing each takes time, and a slip is seldom in the first. */
function candidates(wanted: string, known: Iterable<string>): Iterable<string> {
  const names = Array.isArray(known) ? (known as string[]) : [...known];
  return names.length <= MANY ? names : names.filter((name) => simplify(name[0] ?? "") === wanted[0]).slice(0, MANY);
}

const MANY = 500;

/** No tool's name is longer. */
const COMPARED = 100;

/** Case and the choice of separator are the commonest slips: they cost nothing. */
function simplify(name: string): string {
  return name.slice(0, COMPARED).toLowerCase().replace(/[-. ]/g, "_");
}

/** Edits (a swap of neighbours counts as one) from a to b; `limit` when there are that many or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before = new Uint8Array(b.length + 1);
  let previous = Uint8Array.from({ length: b.length + 1 }, (_, j) => j);
  let row = new Uint8Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    const [letter, letterBefore] = [a.charCodeAt(i - 1), a.charCodeAt(i - 2)];
    let least = (row[0] = i);
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (letter === other ? 0 : 1));
      if (letterBefore === other && letter === b.charCodeAt(j - 2)) cost = Math.min(cost, before[j - 2]! + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    // A swap reaches back two rows, so one row at the limit isn't the end yet.
    if (least > limit) return limit;
    [before, previous, row] = [previous, row, before];
  }
  return Math.min(previous[b.length]!, limit);
}
