/** The one sort order: by UTF-16 code unit, on every machine and in every locale. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sorted<T extends string>(names: Iterable<T>): T[] {
  return [...names].sort(byName);
}

export function sortedBy<T>(things: Iterable<T>, name: (thing: T) => string): T[] {
  return [...things].sort((a, b) => byName(name(a), name(b)));
}

export function ascending(a: number, b: number): number {
  return a - b;
}
