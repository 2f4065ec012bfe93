import { sorted } from "../../base/order.ts";

/**
 * Other tools leave things out of a list with `!x`. Here that would be a name like any other: what it was to keep out
 * would stay in, so it is found before anything is looked up.
 */

/** A selector with a negated part, taken apart: what it names, less what it drops. */
export interface Negated {
  /** The parts that aren't negated, joined; undefined when all of it is. */
  readonly keeps: string | undefined;
  /** What is to be left out, without its mark. */
  readonly drops: string;
}

const MARK = /^(?:!\s*|-(?=[A-Za-z_*?])|not\s+)(?=\S)/i;

export function negatedIn(written: string): Negated | undefined {
  if (!/[!-]|^not\s/i.test(written)) return undefined;
  const parts = written.split(" & ");
  if (!parts.some((part) => MARK.test(part))) return undefined;
  const kept = parts.filter((part) => !MARK.test(part));
  return {
    keeps: kept.length === 0 ? undefined : kept.join(" & "),
    drops: parts.map((part) => part.replace(MARK, "")).join(" & "),
  };
}

/** A list with negated items, parted into what it names and what it leaves out. */
export function partNegated(list: readonly string[]): { readonly kept: string[]; readonly dropped: string[] } {
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const written of list) {
    const negated = negatedIn(written);
    if (negated === undefined) kept.push(written);
    else {
      if (negated.keeps !== undefined) kept.push(negated.keeps);
      dropped.push(negated.drops);
    }
  }
  return { kept, dropped };
}

/** Two classes are each other's opposite: `!is:read-only` is `is:write`. Undefined where something else is negated. */
export function oppositeOf(written: string): string | undefined {
  const opposite = written.replace(
    /(?:!\s*|-|\bnot\s+)is:(read-only|write)(?= & |$)/g,
    (_, name: string) => `is:${name === "write" ? "read-only" : "write"}`,
  );
  return opposite === written || negatedIn(opposite) !== undefined ? undefined : opposite;
}

const MOST_NAMES = 8;

/** What a list with negated items leaves over, sorted; undefined where that is nothing, or too much to be shown. */
export function namesLeft(
  kept: readonly string[],
  dropped: readonly string[],
  find: (written: string) => readonly string[],
): readonly string[] | undefined {
  const without = new Set(dropped.flatMap(find));
  const left = new Set(kept.flatMap(find).filter((name) => !without.has(name)));
  return left.size === 0 || left.size > MOST_NAMES ? undefined : sorted(left);
}

/** The mark of a negation, as it is written. */
export function markOf(written: string): string {
  return written.includes("!") ? "`!`" : /^not\s/i.test(written) ? "`not`" : "`-`";
}
