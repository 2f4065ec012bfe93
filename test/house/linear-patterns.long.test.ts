import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { slowTexts } from "../support/pumped.ts";
import { ROOT } from "../support/root.ts";

/** Whatever is read may be a stranger's, and as long as he likes: no expression of ours has a text that keeps it busy. */

const LITERAL = /(?<=[=(,:\s[?]\s*)\/(?![*/])((?:[^/\n\\[]|\\.|\[(?:[^\]\n\\]|\\.)*\])+)\/([dgimsuy]*)(?=[\s.,;)\]])/g;

function patternsIn(file: string): RegExp[] {
  const text = readFileSync(path.join(ROOT, file), "utf8").replace(/^ *(?:\/\/|\/?\*).*/gm, "");
  return [...text.matchAll(LITERAL)].flatMap(([, source = "", flags = ""]) =>
    /[*+]|\{\d*,\d*\}/.test(source) && isPattern(source, flags) ? [new RegExp(source, flags)] : [],
  );
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

const FILES = ["compiler", "runtime"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => path.join(folder, file)),
);
/** Of patterns that compile, where each class is closed, and of at most 4,096 characters. */
const OF_SOUND_TEXTS = ["/\\\\.|\\[(?:\\\\.|[^\\]\\\\])*\\]|./gsu", "/\\[(?:[^\\\\\\]]|\\\\[^])*\\]|\\\\[^]/g"];
const PATTERNS = new Map(FILES.flatMap((file) => patternsIn(file).map((one) => [`${one}`, [file, one] as const])));

test("the expressions are found", () => {
  expect(PATTERNS.size).toBeGreaterThan(500);
  expect(OF_SOUND_TEXTS.filter((one) => !PATTERNS.has(one))).toEqual([]);
});

const JUDGED = [...PATTERNS.values()].filter(([, pattern]) => !OF_SOUND_TEXTS.includes(`${pattern}`));

test.each(JUDGED)("%s: %s", (_, pattern) => {
  expect(slowTexts(pattern)).toEqual([]);
});
