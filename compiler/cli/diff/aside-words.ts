import type { JsonObject } from "../../base/json.ts";
import { firstOf } from "../../base/list-words.ts";
import { visible } from "../../base/visible.ts";
import type { DifferenceAside } from "../../questions/aside.ts";
import { combinationJson, combinationWords, grouped, nameWords, type GroupedCombination } from "../combinations.ts";
import { tokenCount } from "../token-words.ts";
import type { Quote } from "./piece-words.ts";

/** Tools that are dangerous together and weren't, a line each. */
export function dangerLines({ combinations }: DifferenceAside, quote: Quote = visible): string[] {
  const found = new Map<string, string[]>();
  for (const role of new Set(combinations.map((one) => one.role))) {
    const own = combinations.flatMap((one) => (one.role === role ? [one.combination] : []));
    for (const one of grouped(own)) {
      const words = newWords(one, quote);
      found.set(words, [...(found.get(words) ?? []), quote(role)]);
    }
  }
  return [...found].map(([words, roles]) => `dangerous together, new in ${firstOf(roles)}: ${words}`);
}

/** What the definitions of tools cost a model, where that is noticeably another. */
export function tokenLines({ tokens }: DifferenceAside): string[] {
  const weights = tokens
    .filter(({ before, after }) => Math.abs(after - before) > Math.min(100, before / 10))
    .map(({ role, before, after }) => `${visible(role)} ${tokenCount(after)} (before: ${tokenCount(before)})`);
  return weights.length === 0
    ? []
    : [`tool definitions sent to the model with each request, in tokens, about: ${manyOf(weights)}`];
}

function newWords(combination: GroupedCombination, quote: Quote): string {
  const asked = combination.isAsked ? "; a person says yes to each call" : "";
  return `${combinationWords(combination)}; gone without ${firstOf(combination.fewest.map((tool) => nameWords(tool, quote)))}${asked}`;
}

const MOST_WEIGHTS = 8;

function manyOf(weights: readonly string[]): string {
  const more = weights.length - MOST_WEIGHTS;
  return weights.slice(0, MOST_WEIGHTS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

export function asideJson({ tokens, combinations }: DifferenceAside): JsonObject {
  return {
    tokens: Object.fromEntries(tokens.map(({ role, before, after }) => [role, { before, after }])),
    combinations: combinations.map(({ role, combination }) => ({ role, ...combinationJson(combination) })),
  };
}
