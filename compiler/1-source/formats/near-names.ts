import { nearest } from "../../base/nearest.ts";

/** Names for which a near one is sought: a stranger's list of names that nobody has may be long. */
const MOST_SOUGHT = 100;

/** The name that may be meant by one that isn't known; it is sought for the first of them alone. */
export function nearNames(known: Iterable<string>): (name: string) => string | undefined {
  const all = [...known];
  let sought = 0;
  return (name) => (sought++ < MOST_SOUGHT ? nearest(name, all) : undefined);
}
