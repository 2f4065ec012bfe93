export type Parents = ReadonlyMap<string, readonly string[]>;

/** The role itself and every ancestor, once each, itself first. Parents are free of circles. */
export function lineageOf(name: string, parents: Parents): string[] {
  const seen = new Set([name]);
  for (const role of seen) for (const parent of parents.get(role) ?? []) seen.add(parent);
  return [...seen];
}
