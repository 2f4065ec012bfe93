/** What several hold a part of, each in the order in which it came. */
export interface Shares<T> {
  readonly size: number;
  add(holder: string, one: T): void;
  remove(holder: string, one: T): void;
  of(holder: string): number;
  /** Of whoever holds the most, what has been there longest: it gives way, so that nobody alone takes all. */
  longestOfMost(): { readonly holder: string; readonly one: T } | undefined;
}

export function createShares<T>(): Shares<T> {
  const byHolder = new Map<string, Set<T>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(holder, one) {
      const own = byHolder.get(holder) ?? new Set<T>();
      if (!own.has(one)) size++;
      byHolder.set(holder, own.add(one));
    },
    remove(holder, one) {
      const own = byHolder.get(holder);
      if (own?.delete(one)) size--;
      if (own?.size === 0) byHolder.delete(holder);
    },
    of: (holder) => byHolder.get(holder)?.size ?? 0,
    longestOfMost() {
      let most: readonly [string, ReadonlySet<T>] | undefined;
      for (const own of byHolder) if (own[1].size > (most?.[1].size ?? 0)) most = own;
      if (most === undefined) return undefined;
      const [one] = most[1];
      return { holder: most[0], one: one! };
    },
  };
}
