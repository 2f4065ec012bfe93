import type { JsonObject } from "../base/json.ts";
import { toolTexts } from "./examine-manifest.ts";
import type { ToolTexts } from "./types.ts";

/**
 * The texts of tools, by manifest: a large project pins more than memory should hold. There is room for the first ones
 * and for the one used last; what isn't here is read again when it is asked for. Nothing is moved out to make room for
 * another: a value that is let go at once costs the collector nothing, one that was kept for a while costs it most.
 */
export interface Shelf {
  /** In the order sent. */
  texts(file: string): readonly ToolTexts[];
  put(file: string, size: number, texts: readonly ToolTexts[]): void;
}

/** Characters of manifest text whose tools are kept. */
const MOST = 64_000_000;

/** `read` gives the text of a manifest that was found good before. */
export function createShelf(read: (file: string) => string): Shelf {
  const kept = new Map<string, readonly ToolTexts[]>();
  let total = 0;
  let last: { readonly file: string; readonly texts: readonly ToolTexts[] } | undefined;
  const put: Shelf["put"] = (file, size, texts) => {
    if (total + size > MOST) last = { file, texts };
    else {
      kept.set(file, texts);
      total += size;
    }
  };
  return {
    put,
    texts: (file) => {
      const known = kept.get(file) ?? (last?.file === file ? last.texts : undefined);
      if (known) return known;
      const text = read(file);
      const texts = (JSON.parse(text) as { tools: readonly JsonObject[] }).tools.map(toolTexts);
      put(file, text.length, texts);
      return texts;
    },
  };
}
