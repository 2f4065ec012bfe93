import type { JsonObject } from "../base/json.ts";

/**
 * The parsed tools of manifests: a large project pins more text than memory should hold. There is room for the first ones
 * and for the one used last; what isn't here is parsed again when it is asked for. Nothing is moved out to make room for
 * another: a value that is let go at once costs the collector nothing, one that was kept for a while costs it most.
 */
export interface Shelf {
  tools(file: string): readonly JsonObject[];
  put(file: string, size: number, tools: readonly JsonObject[]): void;
}

/** Characters of manifest text whose values are kept. */
const MOST = 4_000_000;

/** `read` gives the text of a manifest that was found good before. */
export function createShelf(read: (file: string) => string): Shelf {
  const kept = new Map<string, readonly JsonObject[]>();
  let total = 0;
  let last: { readonly file: string; readonly tools: readonly JsonObject[] } | undefined;
  const put: Shelf["put"] = (file, size, tools) => {
    if (total + size > MOST) last = { file, tools };
    else {
      kept.set(file, tools);
      total += size;
    }
  };
  return {
    put,
    tools: (file) => {
      const known = kept.get(file) ?? (last?.file === file ? last.tools : undefined);
      if (known) return known;
      const text = read(file);
      const { tools } = JSON.parse(text) as { tools: readonly JsonObject[] };
      put(file, text.length, tools);
      return tools;
    },
  };
}
