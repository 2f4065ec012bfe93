import type { RoleName } from "../base/names.ts";
import { byName } from "../base/order.ts";

export type Parents = ReadonlyMap<string, readonly string[]>;

/** The role itself and every ancestor, once each, itself first. Parents are free of circles. */
export function lineageOf(name: string, parents: Parents): string[] {
  const seen = new Set([name]);
  for (const role of seen) for (const parent of parents.get(role) ?? []) seen.add(parent);
  return [...seen];
}

interface Descendant {
  readonly name: RoleName;
  readonly lineage: readonly RoleName[];
}

/** By role, itself and all that extend it, in the order of `roles`: what binds a role binds them. */
export function heirsOf<R extends Descendant>(roles: readonly R[]): ReadonlyMap<RoleName, readonly R[]> {
  const heirs = new Map<RoleName, R[]>(roles.map(({ name }) => [name, []]));
  for (const role of roles) for (const ancestor of role.lineage) heirs.get(ancestor)!.push(role);
  return heirs;
}

/**
 * Circles, each as the way from its first name round to it. Every circle goes through a name of one that is found: with
 * their parents taken away there is none left. One walk over all roles, without recursion: chains may be long.
 */
export function findCircles(parents: Parents): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const way: { readonly name: string; next: number }[] = [];
    const onWay = new Map<string, number>();
    const enter = (name: string): void => {
      onWay.set(name, way.length);
      way.push({ name, next: 0 });
    };
    if (!done.has(start)) enter(start);
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const parent = parents.get(here.name)?.[here.next++];
      if (parent === undefined) {
        done.add(here.name);
        onWay.delete(here.name);
        way.pop();
      } else if (onWay.has(parent)) circles.push(closed(way.slice(onWay.get(parent)).map((step) => step.name)));
      else if (!done.has(parent)) enter(parent);
    }
  }
  return circles;
}

/** From the first name of the circle, round and back to it. */
function closed(circle: readonly string[]): string[] {
  const first = circle.indexOf(circle.toSorted(byName)[0]!);
  return [...circle.slice(first), ...circle.slice(0, first), circle[first]!];
}
