import { digestOf } from "../base/digest.ts";
import { frontMatterFormat } from "./managed-keys/front-matter.ts";
import { jsonFormat } from "./managed-keys/json.ts";
import { pathOfText, textOfPath } from "./managed-keys/path-text.ts";
import { mayHaveBeenOurs } from "./managed-keys/places.ts";
import type { Before, Found, KeyedText, KeyFormat, KeyLibraries, KeyPath, OwnedKeys } from "./managed-keys/types.ts";
import type { ManagedKey, ManagedKeys } from "./types.ts";

export interface Change {
  /** Undefined: the file goes, since it held nothing but what we put in. */
  readonly text: string | undefined;
  readonly owned: OwnedKeys;
}

/** `taken`: the user's own. `edited`: ours by the list, and no longer as we wrote it. `stale`: and nothing makes it. */
export interface Conflict {
  readonly at: KeyPath;
  readonly kind: "taken" | "edited" | "stale";
}

export type KeysAnswer =
  | { readonly change: Change; readonly problem?: never; readonly conflicts?: never }
  /** Completes "it can't be changed: ...". */
  | { readonly problem: string; readonly change?: never; readonly conflicts?: never }
  | { readonly conflicts: readonly Conflict[]; readonly change?: never; readonly problem?: never };

/**
 * A file that the user edits too, with our keys brought up to date: what is wanted is put in, what the last build put in
 * and nothing makes any more is taken out. Everything else stays, byte for byte. When any key isn't ours to change, none is.
 */
export function withKeys(
  text: string | undefined,
  { path, format, keys }: ManagedKeys,
  owned: OwnedKeys,
  libraries: KeyLibraries,
): KeysAnswer {
  const form = format === "json" ? jsonFormat(libraries.jsonc()) : frontMatterFormat(libraries.yaml);
  const looked = text === undefined ? { valueAt: (): Found => ({}) } : form.look(text);
  if (looked.problem !== undefined) return { problem: looked.problem };
  const wanted = new Map(keys.map((key) => [textOfPath(key.at), key]));
  const former = [...owned.keys].filter(([place]) => mayTakeOut(place, path, [...wanted.keys()]));
  const conflicts = [
    ...keys.flatMap((key) => conflictOf(key, looked.valueAt(key.at), owned)),
    ...former.flatMap(([place, digest]) => staleConflict(pathOfText(place), digest, looked.valueAt(pathOfText(place)))),
  ];
  if (conflicts.length > 0) return { conflicts };
  const there = new Set([...owned.keys.keys()].filter((place) => looked.valueAt(pathOfText(place)).json !== undefined));
  const gone = former.map(([place]) => place).filter((place) => there.has(place));
  const start = { text, before: stillOurs(owned.before, there) };
  const { text: changed, before } = changedBy(
    form,
    start,
    keys.filter((key) => !isThere(key, looked.valueAt(key.at))),
    gone,
  );
  const digests = keys.map(({ at, value }) => [textOfPath(at), digestOf(JSON.stringify(value))] as const);
  return {
    change: { text: changed, owned: { keys: new Map(digests), before: stillOurs(before, new Set(wanted.keys())) } },
  };
}

/** Not what a wanted key lies in. */
function mayTakeOut(place: string, file: string, wanted: readonly string[]): boolean {
  if (wanted.some((key) => key === place || key.startsWith(`${place}/`))) return false;
  const at = pathOfText(place);
  return mayHaveBeenOurs(file, at) || wanted.some((key) => pathOfText(key)[0] === at[0]);
}

/**
 * New keys first: an object that lost all its keys in between would lose its place. Of what goes, the text below a header
 * is the first: the header may go with its last key.
 */
function changedBy(form: KeyFormat, start: KeyedText, set: readonly ManagedKey[], gone: readonly string[]): KeyedText {
  const filled = set.reduce((file, { at, value }) => form.set(file, at, value), start);
  const inOrder = gone.toSorted((a, b) => Number(a !== "") - Number(b !== ""));
  return inOrder.reduce((file, place) => form.remove(file, pathOfText(place)), filled);
}

function conflictOf(key: ManagedKey, found: Found, owned: OwnedKeys): Conflict[] {
  if (found.blocked) return [{ at: found.blocked, kind: "taken" }];
  if (found.json === undefined || isThere(key, found)) return [];
  const digest = owned.keys.get(textOfPath(key.at));
  if (digest === undefined) return [{ at: key.at, kind: "taken" }];
  return digest === digestOf(found.json) ? [] : [{ at: key.at, kind: "edited" }];
}

function staleConflict(at: KeyPath, digest: string, found: Found): Conflict[] {
  return found.json === undefined || digest === digestOf(found.json) ? [] : [{ at, kind: "stale" }];
}

function isThere({ value }: ManagedKey, { json }: Found): boolean {
  return json === JSON.stringify(value);
}

/** A place in which no key of ours is left is the user's. */
function stillOurs(before: Before, there: ReadonlySet<string>): Before {
  return new Map(
    [...before].filter(([place]) => [...there].some((key) => place === "" || key.startsWith(`${place}/`))),
  );
}
