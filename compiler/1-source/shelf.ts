import type { JsonObject } from "../base/json.ts";

/**
 * The parsed tools of manifests, those used last: a large project pins more text than memory should hold. What isn't
 * here is parsed again when it is asked for.
 */
export interface Shelf {
  tools(file: string): readonly JsonObject[];
  put(file: string, size: number, tools: readonly JsonObject[]): void;
}

/** Characters of manifest text whose values are kept. */
const MOST = 4_000_000;

/** `read` gives the text of a manifest that was found good before. */
export function createShelf(read: (file: string) => string): Shelf {
  const kept = new Map<string, { readonly size: number; readonly tools: readonly JsonObject[] }>();
  let total = 0;
  const put: Shelf["put"] = (file, size, tools) => {
    kept.set(file, { size, tools });
    total += size;
    for (const [oldest, entry] of kept) {
      if (total <= MOST || oldest === file) break;
      kept.delete(oldest);
      total -= entry.size;
    }
  };
  return {
    put,
    tools: (file) => {
      const entry = kept.get(file);
      if (entry) {
        // Used last, kept longest.
        kept.delete(file);
        kept.set(file, entry);
        return entry.tools;
      }
      const text = read(file);
      const { tools } = JSON.parse(text) as { tools: readonly JsonObject[] };
      put(file, text.length, tools);
      return tools;
    },
  };
}
