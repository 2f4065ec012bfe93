import { byName, sortedBy } from "../base/order.ts";

export type WithName = { readonly name: string };

/** What has one name on both sides, on either, sorted by name: one walk, since lists of a large project are long. */
export function paired<T extends WithName>(
  before: readonly T[],
  after: readonly T[],
): (readonly [T | undefined, T | undefined])[] {
  const [was, is] = [onceByName(before), onceByName(after)];
  const pairs: (readonly [T | undefined, T | undefined])[] = [];
  let i = 0;
  for (let k = 0; i < was.length || k < is.length;) {
    const order = i === was.length ? 1 : k === is.length ? -1 : byName(was[i]!.name, is[k]!.name);
    pairs.push([order <= 0 ? was[i++] : undefined, order >= 0 ? is[k++] : undefined]);
  }
  return pairs;
}

/** An access.json that somebody wrote may have another order. */
function onceByName<T extends WithName>(things: readonly T[]): readonly T[] {
  const isInOrder = things.every((one, i) => i === 0 || things[i - 1]!.name < one.name);
  return isInOrder ? things : sortedBy(byNameOf(things).values(), ({ name }) => name);
}

export function byNameOf<T extends WithName>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((one) => [one.name, one]));
}
