import type { CaseOf } from "../diagnostics/report.ts";
import { unsafePattern } from "../base/safe-pattern.ts";

/** A pattern with one anchor, as one writes it for a search. Here it must match the whole value. */
export type Partial = CaseOf<"role/partial-pattern", "pattern">;

/** Undefined where nothing tells that more was meant to be let through than is written. */
export function partialPattern(pattern: string): Partial | undefined {
  const begins = pattern.startsWith("^");
  const ends = /(?<!\\)(?:\\\\)*\$$/.test(pattern);
  const isFolder = !begins && !ends && /^[\w./-]*\/$/.test(pattern);
  if ((begins === ends && !isFolder) || hasAlternatives(pattern)) return undefined;
  if (ends) return OPEN_START.test(pattern) ? undefined : told("before", `.*${pattern}`, `^${pattern}`);
  if (OPEN_END.test(pattern)) return undefined;
  const folder = /^\^?((?:[\w-]+\/)+)$/.exec(pattern)?.[1];
  return told("behind", `${pattern}.*`, `${begins ? "" : "^"}${pattern}$`, folder);
}

/** What is written open, where that is quick to judge, and closed. */
function told(side: "before" | "behind", open: string, closed: string, folder?: string): Partial {
  const mayBeOpen = unsafePattern(open) === undefined;
  if (folder !== undefined) return { case: mayBeOpen ? "folder" : "only-folder", open, closed, folder };
  return { case: mayBeOpen ? side : `only-${side}`, open, closed };
}

const OPEN_START = /^\(?(?:\?:)?(?:\.|\\[wWsSdD]|\[(?:\\.|[^\]\\])*\])[*+]/;
const OPEN_END = /(?:[*+]|\{\d+,\})\)?$/;

/** Alternatives outside of all groups and classes: anchors belong to one of them alone. */
function hasAlternatives(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === "|" && depth === 0) return true;
  }
  return false;
}
