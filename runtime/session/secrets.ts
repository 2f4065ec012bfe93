import type { JsonValue } from "../contract.ts";

/** Values that must not leave the runtime: in errors, records and events each stands as `***`. */
export interface Secrets {
  add(value: string): void;
  text(text: string): string;
  json(value: JsonValue): JsonValue;
}

/** An expression made of longer ones may be too large to be one, and the error about it would show them. */
const LONGEST = 1_000;

/** What is shorter is found in innocent text too (decisions.md 68). */
const SHORTEST = 6;

export function createSecrets(): Secrets {
  const spellings = new Set<string>();
  let pattern: RegExp | undefined;
  let long: readonly string[] = [];
  const text = (given: string): string => {
    if (pattern === undefined) return given;
    return long.reduce((clean, one) => clean.replaceAll(one, "***"), given).replace(pattern, "***");
  };
  return {
    add(value) {
      if (value.length < SHORTEST || spellings.has(value)) return;
      for (const spelling of [value, JSON.stringify(value).slice(1, -1), inAddress(value)]) spellings.add(spelling);
      const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
      long = longestFirst.filter((one) => one.length > LONGEST);
      pattern = anyOf(longestFirst.slice(long.length));
    },
    text,
    json: (value) => (pattern === undefined ? value : masked(value, text)),
  };
}

function inAddress(value: string): string {
  return encodeURIComponent(value.replace(/\p{Cs}/gu, ""));
}

/** The longest first: a secret may begin with another. None matches nothing. */
function anyOf(longestFirst: readonly string[]): RegExp {
  return new RegExp(
    longestFirst.length === 0
      ? "(?!)"
      : longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
}

/** Property names too; a number that spells a secret becomes text. */
function masked(value: JsonValue, text: (given: string) => string): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return text(String(value)) === String(value) ? value : "***";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((element) => masked(element, text));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), masked(inner, text)]));
}
