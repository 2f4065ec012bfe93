import { isObject, own, type JsonValue } from "../base/json.ts";
import type { KeyPath, Place } from "../base/place.ts";
import type { SourceEdit } from "../source-edits/types.ts";
import { unusedTools, type Grantor, type JudgedTool, type UsageReport } from "./judge.ts";
import { trimEntry } from "./trim-entry.ts";

/** What takes unused tools out of the sources, entry by entry, and what has to be done elsewhere. */
export interface Trimming {
  readonly entries: readonly TrimmedEntry[];
  readonly left: readonly LeftGrant[];
}

/** A role's entry for a server, in the role's own source. */
export interface TrimmedEntry {
  readonly role: string;
  readonly server: string;
  readonly place: Place;
  /** Ways to write it, the best first: one that would lose a comment isn't taken. */
  readonly ways: readonly (readonly SourceEdit[])[];
  /** Who no longer holds what, by this and the other entries together. */
  readonly gone: readonly JudgedTool[];
}

/** A grant that somebody else's word gives, or that somebody else needs. */
export interface LeftGrant {
  readonly tool: JudgedTool;
  readonly grantor: Grantor;
  /** `elsewhere`: the place isn't a role's own source. `inherited`: another role has to be changed. `needed`: by these roles, which inherit it. */
  readonly why: "elsewhere" | "inherited" | "needed";
  readonly by: readonly string[];
}

/** What a source says at a place, as data; undefined: it can't be read there. */
export type ValueAt = (place: Place) => JsonValue | undefined;

interface Entry {
  readonly role: string;
  readonly server: string;
  readonly place: Place;
  /** Of the role itself, as far as this entry gives them. */
  readonly tools: JudgedTool[];
}

export function trim(report: UsageReport, valueAt: ValueAt): Trimming {
  const unused = new Set(unusedTools(report));
  const entries = entriesOf(report);
  const holders = holdersOf(report);
  const removable = (one: JudgedTool): boolean => (holders(one) ?? []).every((holder) => unused.has(holder));
  const going = new Map([...entries].map(([key, entry]) => [key, entry.tools.filter(removable)]));
  const isGone = (tool: JudgedTool): boolean =>
    tool.grants.every((grantor) => {
      const there = going.get(keyOfGrant(grantor));
      return there?.some((one) => one.tool === tool.tool && one.server === tool.server) ?? false;
    });
  return {
    entries: [...entries].flatMap(([key, entry]): TrimmedEntry[] => {
      const gone = going.get(key)!;
      const value = valueAt(entry.place);
      if (gone.length === 0 || value === undefined) return [];
      const names = gone.map(({ tool }) => tool);
      const kept = entry.tools.filter((one) => !gone.includes(one));
      const ways = trimEntry(
        { path: entry.place.path, value, ...matchesOf(entry), gone: names, kept: kept.map(({ tool }) => tool) },
        isLastIn(entry, valueAt),
        hasParents(entry, report),
      );
      const whose = gone.flatMap((one) => holders(one)).filter(isGone);
      return [{ role: entry.role, server: entry.server, place: entry.place, ways, gone: whose }];
    }),
    left: [...unused].filter((tool) => !isGone(tool)).flatMap((tool) => leftGrants(tool, entries, holders, unused)),
  };
}

/** Entries that a role's own source has; what was translated from another system's file isn't one. */
function entriesOf({ roles }: UsageReport): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { role, tools } of roles)
    for (const tool of tools)
      for (const grantor of tool.grants) {
        if (grantor.role !== role || !isOwnSource(grantor)) continue;
        const key = keyOfGrant(grantor);
        const known = entries.get(key);
        if (known === undefined)
          entries.set(key, { role, server: tool.server, place: entryPlace(grantor.from), tools: [tool] });
        else if (!known.tools.includes(tool)) known.tools.push(tool);
      }
  return entries;
}

function isOwnSource({ role, from }: Grantor): boolean {
  const [block, name, key] = from.path;
  const isSource = from.origins === undefined && /\.(?:ya?ml|json)$/i.test(from.file);
  return isSource && block === "roles" && name === role && key === "tools" && from.path.length >= DEPTH;
}

/** roles, its name, tools, the server. */
const DEPTH = 4;

function entryPlace({ file, path }: Place): Place {
  return { file, path: path.slice(0, DEPTH) };
}

function keyOfGrant({ from }: Grantor): string {
  return JSON.stringify([from.file, ...from.path.slice(0, DEPTH)]);
}

/** Everybody who holds it by what one role wrote: the role, and those that extend it. */
function holdersOf({ roles }: UsageReport): (tool: JudgedTool) => readonly JudgedTool[] {
  return (tool) =>
    roles
      .filter(({ lineage }) => lineage.includes(tool.role))
      .flatMap(({ tools }) => tools.filter((one) => one.server === tool.server && one.tool === tool.tool));
}

function hasParents({ role }: Entry, { roles }: UsageReport): boolean {
  return (roles.find((one) => one.role === role)?.lineage.length ?? 1) > 1;
}

/** What each selector of the entry gives, by its place within it. */
function matchesOf({ tools, place }: Entry): { readonly matches: ReadonlyMap<string, readonly string[]> } {
  const matches = new Map<string, string[]>();
  for (const { tool, grants } of tools)
    for (const { from } of grants) {
      if (from.file !== place.file || !place.path.every((step, i) => from.path[i] === step)) continue;
      const key = JSON.stringify(from.path.slice(DEPTH));
      matches.set(key, [...(matches.get(key) ?? []), tool]);
    }
  return { matches };
}

/** The path of what goes with it when the entry is the only one. */
function isLastIn({ place }: Entry, valueAt: ValueAt): KeyPath {
  const above = place.path.slice(0, -1);
  const tools = valueAt({ file: place.file, path: above });
  return isObject(tools) && Object.keys(tools).length === 1 ? above : place.path;
}

function leftGrants(
  tool: JudgedTool,
  entries: ReadonlyMap<string, Entry>,
  holders: (tool: JudgedTool) => readonly JudgedTool[],
  unused: ReadonlySet<JudgedTool>,
): LeftGrant[] {
  return tool.grants.flatMap((grantor): LeftGrant[] => {
    const entry = entries.get(keyOfGrant(grantor));
    const written = entry?.tools.find((one) => one.tool === tool.tool);
    if (entry === undefined || written === undefined) return [{ tool, grantor, why: "elsewhere", by: [] }];
    const needing = holders(written).filter((one) => !unused.has(one));
    if (needing.length === 0) return [];
    const by = needing.map(({ role }) => role);
    return [{ tool, grantor, why: grantor.role === tool.role ? "needed" : "inherited", by }];
  });
}

/** Whether the key is there at all. */
export function valueIn(document: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[step as number];
    else value = isObject(value) ? own(value, String(step)) : undefined;
  }
  return value;
}
