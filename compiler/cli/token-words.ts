import type { Weight } from "../questions/weight.ts";

/** `8.1k`, as far as an estimate goes. */
export function tokenCount(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k`;
}

/** `310 of 1.2k`: what is held, of all that the servers have. Tools that nobody can weigh are counted. */
export function weightWords(held: Weight, all: Weight): string[] {
  return [
    ...(all.tokens === 0 ? [] : [`${tokenCount(held.tokens)} of ${tokenCount(all.tokens)}`]),
    ...(held.unknown === 0 ? [] : [`${held.unknown} unpinned`]),
  ];
}
