import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";
import { stableText } from "../base/stable-text.ts";
import type { SourceEdit } from "../source-edits/types.ts";
import type { ChangedPlace, Conflict } from "./types.ts";

type Held = JsonValue | undefined;

/** What makes a document that was changed here say what was changed there as well. */
export interface Merge {
  /** In order: each counts on those before. */
  readonly edits: readonly SourceEdit[];
  readonly changes: readonly ChangedPlace[];
  /** None of the edits may be made while there is one. */
  readonly conflicts: readonly Conflict[];
}

/** `base`: what both began with. Judged by what is said at each key; comments and layout are nobody's change. */
export function mergeThreeWays(base: JsonValue, mine: JsonValue, theirs: JsonValue): Merge {
  const found = { edits: [] as SourceEdit[], changes: [] as ChangedPlace[], conflicts: [] as Conflict[] };
  merge({ base, mine, theirs }, [], found);
  return found;
}

interface Sides {
  readonly base: Held;
  readonly mine: Held;
  readonly theirs: Held;
}
interface Found {
  readonly edits: SourceEdit[];
  readonly changes: ChangedPlace[];
  readonly conflicts: Conflict[];
}

function merge(sides: Sides, path: KeyPath, found: Found): void {
  const { base, mine, theirs } = sides;
  if (isSame(base, theirs) || isSame(mine, theirs)) return;
  if (isObject(mine) && isObject(theirs) && (base === undefined || isObject(base)))
    return mergeKeys(base ?? {}, mine, theirs, path, found);
  if (isList(base) && isList(mine) && isList(theirs)) return mergeLists({ base, mine, theirs }, path, found);
  take(sides, path, found);
}

/** What is theirs in place of what is there, where that is as it was. */
function take({ base, mine, theirs }: Sides, path: KeyPath, found: Found): void {
  if (!isSame(base, mine)) return void found.conflicts.push({ path, before: base, mine, after: theirs });
  found.changes.push({ path, before: base, after: theirs });
  if (theirs === undefined) found.edits.push({ kind: "remove", path });
  else found.edits.push({ kind: mine === undefined ? "add" : "replace", path, value: theirs });
}

function mergeKeys(base: JsonObject, mine: JsonObject, theirs: JsonObject, path: KeyPath, found: Found): void {
  for (const key of new Set([...Object.keys(base), ...Object.keys(theirs)]))
    merge({ base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) }, [...path, key], found);
}

interface Lists {
  readonly base: readonly JsonValue[];
  readonly mine: readonly JsonValue[];
  readonly theirs: readonly JsonValue[];
}

/** Names of tools have no order; words of a command and transports do. */
function mergeLists(lists: Lists, path: KeyPath, found: Found): void {
  const { base, mine, theirs } = lists;
  const isSet = path[1] === "scopes" || path[1] === "labels";
  if (isSet) return mergeSets(lists, path, found);
  if (!areSamePlaces(lists)) return take(lists, path, found);
  base.forEach((item, i) => merge({ base: item, mine: mine[i], theirs: theirs[i] }, [...path, i], found));
}

/** Items of one place are the same thing: what has a name, such as a policy, is known by it. */
function areSamePlaces({ base, mine, theirs }: Lists): boolean {
  const isAsIn = (other: readonly JsonValue[]): boolean =>
    base.length === other.length && base.every((item, i) => nameOf(item) === nameOf(other[i]!));
  return isAsIn(mine) && isAsIn(theirs);
}

function nameOf(item: JsonValue): string | undefined {
  const name = isObject(item) ? own(item, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}

function mergeSets({ base, mine, theirs }: Lists, path: KeyPath, found: Found): void {
  const gone = base.filter((item) => !has(theirs, item));
  const added = theirs.filter((item) => !has(base, item) && !has(mine, item));
  found.changes.push({ path, before: [...base], after: [...theirs] });
  for (const value of added) found.edits.push({ kind: "append", path, value });
  for (let i = mine.length - 1; i >= 0; i--)
    if (has(gone, mine[i]!)) found.edits.push({ kind: "remove", path: [...path, i] });
}

function has(list: readonly JsonValue[], item: JsonValue): boolean {
  return list.some((one) => isSame(one, item));
}

function isSame(one: Held, other: Held): boolean {
  return one === undefined || other === undefined ? one === other : stableText(one) === stableText(other);
}

function isList(value: Held): value is readonly JsonValue[] {
  return Array.isArray(value);
}
