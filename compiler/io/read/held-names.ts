import { conflictParts, markerLines, withSides } from "../../base/conflict-markers.ts";
import { isObject, own } from "../../base/json.ts";
import { plainLines } from "../../base/plain-lines.ts";
import { readToml } from "../../1-source/document/toml/read-toml.ts";
import { hasInComment, jsonNames, jsonValues, readJson, type HeldName } from "./json-names.ts";

/** What a file that a host reads holds at a path: the keys of the map that is there, and the values themselves. */
export interface Held {
  names(at: readonly string[]): readonly HeldName[];
  values(at: readonly string[]): readonly unknown[];
}

/**
 * By the form of the file, which its name says. Undefined: it can't be read, or not as every host would read it. Of what
 * git couldn't merge it is what both sides hold, and what they began from: a build may solve it, and some hosts read on.
 */
export function heldIn(file: string, text: string): Held | undefined {
  return heldInSound(file, text) ?? heldInSides(file, text);
}

function heldInSides(file: string, text: string): Held | undefined {
  const parts = isBrokenByMarkers(file, text) ? conflictParts(text) : undefined;
  if (parts === undefined) return undefined;
  const [ours, theirs, base] = (["ours", "theirs", "base"] as const).map((side) => withSides(parts, () => side));
  const sides = [ours!, theirs!].map((side) => heldInSound(file, side));
  if (sides.includes(undefined) || plainLines(base!) === undefined) return undefined;
  // Where git has trimmed what both began from, it is no whole file.
  const began = heldInSound(file, base!);
  const all = [...sides, ...(began === undefined ? [] : [began])];
  return {
    names: (at) => all.flatMap((side) => side!.names(at)),
    values: (at) => all.flatMap((side) => side!.values(at)),
  };
}

/** Else they are words of a comment or a text, between which everything counts. */
function isBrokenByMarkers(file: string, text: string): boolean {
  if (!file.endsWith(".toml")) return !hasInComment(text, markerLines(text));
  const written = text.replace(/^\uFEFF/, "");
  const { problem } = readToml(written);
  return problem !== undefined && markerLines(written).includes(written.lastIndexOf("\n", problem.at[0] - 1) + 1);
}

function heldInSound(file: string, text: string): Held | undefined {
  if (file.endsWith(".toml")) return heldInToml(text);
  if (file.endsWith(".env")) return { names: () => variableNames(text), values: () => [] };
  const json = readJson(text);
  return json && { names: (at) => jsonNames(json, at), values: (at) => jsonValues(json, at) };
}

function heldInToml(text: string): Held | undefined {
  const lines = plainLines(text);
  if (lines === undefined) return undefined;
  const { value, problem } = readToml(lines);
  if (problem !== undefined) return undefined;
  const valueAt = (at: readonly string[]) =>
    at.reduce<unknown>((held, key) => (isObject(held) ? own(held, key) : undefined), value);
  return { names: (at) => keysOf(valueAt(at), at), values: (at) => [valueAt(at)] };
}

function keysOf(map: unknown, at: readonly string[]): readonly HeldName[] {
  if (!isObject(map)) return [];
  return Object.entries(map).map(([name, entry]) => ({
    at: [...at, name],
    name,
    isOff: isObject(entry) && own(entry, "enabled") === false,
  }));
}

function variableNames(text: string): readonly HeldName[] {
  return [...text.matchAll(/^[^\S\n]*(?:export\s+)?([\w.-]+)\s*[=:]/gm)].map(([, name = ""]) => ({
    at: [name],
    name,
    isOff: false,
  }));
}
