import { unsafePattern } from "../base/safe-pattern.ts";

/** A pattern with one anchor, as one writes it for a search. Here it must match the whole value. */
export interface Partial {
  readonly problem: string;
  readonly help: string;
}

/** Undefined where nothing tells that more was meant to be let through than is written. */
export function partialPattern(pattern: string): Partial | undefined {
  const begins = pattern.startsWith("^");
  const ends = /(?<!\\)(?:\\\\)*\$$/.test(pattern);
  const isFolder = !begins && !ends && /^[\w./-]*\/$/.test(pattern);
  if ((begins === ends && !isFolder) || hasAlternatives(pattern)) return undefined;
  if (ends) return OPEN_START.test(pattern) ? undefined : told("before", `.*${pattern}`, `^${pattern}`);
  if (OPEN_END.test(pattern)) return undefined;
  const folder = /^\^?((?:[\w-]+\/)+)$/.exec(pattern)?.[1];
  const glob = folder && `; a path is kept in a folder by \`glob: "${folder}**"\``;
  return told("behind", `${pattern}.*`, `${begins ? "" : "^"}${pattern}$`, glob);
}

function told(side: "before" | "behind", open: string, closed: string, more = ""): Partial {
  const problem = `lets nothing stand ${side} what is written`;
  const exact = `write \`${closed}\` to say that nothing may`;
  if (unsafePattern(open) !== undefined) return { problem, help: `${exact}${more}` };
  return { problem, help: `write \`${open}\` where more may stand there, \`${closed}\` where not${more}` };
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
