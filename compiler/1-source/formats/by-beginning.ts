import { sorted } from "../../base/order.ts";

/** Names by their beginnings: a question takes a look for each length that there is, and no walk through all. */
export interface ByBeginning {
  has(text: string): boolean;
  /** Those with which the text begins. */
  beginningsOf(text: string): readonly string[];
  /** Those that begin with the text. */
  beginningWith(text: string): readonly string[];
  /** Whether there is one of these. */
  isBeginning(text: string): boolean;
}

export function byBeginning(names: Iterable<string>): ByBeginning {
  const known = new Set(names);
  const inOrder = sorted(known);
  const lengths = [...new Set(inOrder.map(({ length }) => length))];
  const firstFrom = (text: string): number => {
    let [low, high] = [0, inOrder.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inOrder[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    has: (text) => known.has(text),
    beginningsOf: (text) =>
      lengths.flatMap((length) => {
        const beginning = length <= text.length ? text.slice(0, length) : undefined;
        return beginning !== undefined && known.has(beginning) ? [beginning] : [];
      }),
    beginningWith: (text) => {
      const first = firstFrom(text);
      let end = first;
      while (inOrder[end]?.startsWith(text) === true) end++;
      return inOrder.slice(first, end);
    },
    isBeginning: (text) => inOrder[firstFrom(text)]?.startsWith(text) ?? false,
  };
}
