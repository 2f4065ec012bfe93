import { isMarker } from "./conflict-markers.ts";
import { isObject } from "./json.ts";

/** What a file of sources holds at its top, and nothing that a build writes does. */
export const BLOCKS = ["servers", "roles", "policies", "invariants"];

/** In a text that can't be read to its end lines decide. */
export function blocksInLines(text: string): readonly string[] {
  return BLOCKS.filter((block) =>
    new RegExp(`^(?:["']?${block}["']?\\s*:|\\s*"${block}"\\s*:|\\[+\\s*["']?${block}\\b)`, "m").test(text),
  );
}

/**
 * Of a file where only builds write, by its name: such a name alone makes nobody's restrictions an output. A prompt may say
 * anything, and in what git couldn't merge, or an editor's schema, lines say nothing of the top.
 */
export function blocksAtOwnPlace(file: string, text: string): readonly string[] {
  if (/\.md(?:~|$)/.test(file) || !BLOCKS.some((block) => text.includes(block))) return [];
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? BLOCKS.filter((block) => Object.hasOwn(value, block)) : [];
  } catch {
    return text.includes('"$schema"') || text.split(/\r?\n/).some(isMarker) ? [] : blocksInLines(text);
  }
}
