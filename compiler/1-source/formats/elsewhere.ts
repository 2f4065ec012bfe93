import { nearest } from "../../base/nearest.ts";

/**
 * Which keys at the top of a program's own settings aren't ours to read: all but those that could be a slip in one of ours.
 * `known`: the program's own, however near they are.
 */
export function elsewhere(ours: readonly string[], known: readonly string[]): (key: string) => boolean {
  return (key) => !ours.includes(key) && (known.includes(key) || nearest(key, ours) === undefined);
}
