import type { HostData } from "../../base/host-data.ts";
import { firstMarker } from "../../base/conflict-markers.ts";
import { withoutConflicts } from "./conflicts.ts";
import { frontMatterFormat } from "./front-matter.ts";
import { jsonFormat } from "./json.ts";
import { pathOfText, textOfPath } from "../../base/path-text.ts";
import { mayHaveBeenOurs } from "../../base/keyed-places.ts";
import type { BrokenKeys, FoundValue, KeyFormat, KeyLibraries, NamePath } from "./types.ts";
import type { ManagedKey, ManagedKeys } from "../types.ts";

export interface Change {
  /** Undefined: the file goes, since it held nothing but what we put in. */
  readonly text: string | undefined;
  /** Keys of ours that were there and said something else, or that nothing makes any more, with what they held as JSON text. */
  readonly replaced: readonly { readonly at: NamePath; readonly json: string }[];
  /** Of these, those that nothing makes any more. */
  readonly gone?: readonly NamePath[];
  /** Keys that gave way to something of the user's. */
  readonly left?: readonly NamePath[];
}

export type KeysAnswer =
  | { readonly change: Change; readonly problem?: never; readonly taken?: never }
  | { readonly problem: BrokenKeys; readonly change?: never; readonly taken?: never }
  /** Places at which something of the user's stands. */
  | { readonly taken: readonly NamePath[]; readonly change?: never; readonly problem?: never };

/**
 * A file that the user edits too, with our keys brought up to date: what is wanted is put in, whatever a key of ours
 * holds, and what an earlier build put in and nothing makes any more is taken out. Everything else stays, byte for byte.
 * `listed`: texts of paths that were ours, as a list says that anybody could have written: it is believed of what one of `hosts` keeps.
 */
export function withKeys(
  text: string | undefined,
  { path, format, keys, read }: ManagedKeys,
  listed: ReadonlySet<string>,
  libraries: KeyLibraries,
  hosts: readonly HostData[],
): KeysAnswer {
  const form = formOf(format, libraries);
  const wanted = new Set(keys.map((key) => textOfPath(key.at)));
  const ours = new Set(
    [...listed].filter((place) => wanted.has(place) || mayHaveBeenOurs(path, pathOfText(place), hosts)),
  );
  const certain = keys.flatMap(({ at, givesWay }) => (givesWay ? [] : [textOfPath(at)]));
  const solved = solvedText(text, { form, isCommented: format === "json", keys }, new Set([...certain, ...ours]));
  if (solved.problem !== undefined) return { problem: solved.problem };
  const whole = solved.text;
  const looked = whole === undefined ? { valueAt: (): FoundValue => ({}) } : form.look(whole);
  if (looked.problem !== undefined) return { problem: looked.problem };
  const { valueAt } = looked;
  const left = keys.filter((key) => key.givesWay && isTheUsers(key, valueAt(key.at), ours));
  const put = keys.filter((key) => !left.includes(key));
  const taken = put.flatMap((key) => takenAt(key, valueAt(key.at), ours, read));
  if (taken.length > 0) return { taken };
  const changed = put.filter((key) => !isThere(key, valueAt(key.at)));
  const unsafe = put.filter((key) => valueAt(key.at).isUnsafe === true && !changed.includes(key));
  const gone = [...ours]
    .filter((place) => !isUnder(place, wanted))
    .map(pathOfText)
    .filter((at) => valueAt(at).json !== undefined);
  const replaced = [...changed.map(({ at }) => at), ...gone].flatMap((at) => {
    const { json } = valueAt(at);
    return json === undefined ? [] : [{ at, json }];
  });
  const after = changedBy(form, whole, [...changed, ...unsafe], gone);
  const flaw = after === undefined || put.length === 0 ? undefined : form.flaw?.(after);
  if (flaw !== undefined) return { problem: flaw };
  return {
    change: {
      text: after,
      replaced,
      ...(gone.length > 0 && { gone }),
      ...(left.length > 0 && { left: left.map(({ at }) => at) }),
    },
  };
}

/** What a key holds in a text, as JSON text; undefined: nothing, or that can't be told. */
export function valueIn(
  text: string,
  format: ManagedKeys["format"],
  at: NamePath,
  libraries: KeyLibraries,
): string | undefined {
  return formOf(format, libraries).look(text).valueAt?.(at).json;
}

function formOf(format: ManagedKeys["format"], libraries: KeyLibraries): KeyFormat {
  return format === "json" ? jsonFormat(libraries.jsonc()) : frontMatterFormat(libraries.yaml);
}

/** One of the wanted keys, or what such a key lies in. */
function isUnder(place: string, wanted: ReadonlySet<string>): boolean {
  return wanted.has(place) || [...wanted].some((key) => key.startsWith(`${place}/`));
}

function solvedText(
  text: string | undefined,
  {
    form,
    isCommented,
    keys,
  }: { readonly form: KeyFormat; readonly isCommented: boolean; readonly keys: readonly ManagedKey[] },
  ours: ReadonlySet<string>,
): { readonly text: string | undefined; readonly problem?: never } | { readonly problem: BrokenKeys } {
  if (text === undefined || firstMarker(text) === undefined) return { text };
  // What is sound with its markers has them in comments: a host reads all that is between.
  if (isCommented && form.look(text).problem === undefined) return { text };
  const end = endOfOurs(text, form, keys, ours);
  return firstMarker(text.slice(0, end)) === undefined
    ? { text }
    : withoutConflicts(text, form, [...ours].map(pathOfText), end);
}

/** A text below our keys that is the user's may speak of conflicts, and so may ours. */
function endOfOurs(text: string, form: KeyFormat, keys: readonly ManagedKey[], ours: ReadonlySet<string>): number {
  const end = form.endOfKeys?.(text) ?? text.length;
  if (!ours.has(textOfPath([]))) return end;
  const wanted = keys.find(({ at }) => at.length === 0);
  const there = form.look(text).valueAt?.([]);
  return wanted !== undefined && there !== undefined && isThere(wanted, there) ? end : text.length;
}

/**
 * New keys first: an object that lost all its keys in between would lose its place. Of what goes, the text below a header
 * is the first: the header may go with its last key.
 */
function changedBy(
  form: KeyFormat,
  text: string | undefined,
  set: readonly ManagedKey[],
  gone: readonly NamePath[],
): string | undefined {
  const filled = set.reduce<string | undefined>((file, { at, value }) => form.set(file, at, value), text);
  const inOrder = gone.toSorted((a, b) => Number(a.length > 0) - Number(b.length > 0));
  return inOrder.reduce((file, at) => (file === undefined ? file : form.remove(file, at)), filled);
}

function takenAt(key: ManagedKey, found: FoundValue, ours: ReadonlySet<string>, read: ManagedKeys["read"]): NamePath[] {
  if (found.blocked) return [found.blocked];
  if (found.json !== undefined && isReadAt(key.at, read)) return [key.at];
  return isTheUsers(key, found, ours) ? [key.at] : [];
}

function isTheUsers(key: ManagedKey, found: FoundValue, ours: ReadonlySet<string>): boolean {
  return found.json !== undefined && !isThere(key, found) && !ours.has(textOfPath(key.at));
}

/** One of the places that are read as sources, or around or below one. */
export function isReadAt(at: NamePath, read: ManagedKeys["read"] = []): boolean {
  return at.length > 0 && read.some((place) => place.every((step, i) => i >= at.length || step === at[i]));
}

function isThere({ value }: ManagedKey, { json }: FoundValue): boolean {
  return json === JSON.stringify(value);
}
