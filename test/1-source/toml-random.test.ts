import { fc } from "../support/generated.ts";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import { parseToml } from "../../compiler/1-source/document/toml/parse-toml.ts";
import { stretchInToml } from "../../compiler/1-source/document/toml/read-toml.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import type { Place } from "../../compiler/base/place.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";

/** Random documents of TOML: as they were meant, and with pieces changed, judged by another reader. */
const reader = createDocumentReader(() => yaml);
const FILE = "config.toml";

function read(text: string): { value: JsonValue | undefined; found: Diagnostic[] } {
  const report = createReport(reader.locator(() => text));
  const value = reader.read(FILE, text, report);
  return { value, found: report.sorted() };
}

/** A document as text, with the value that it means. */
interface Written {
  readonly text: string;
  readonly value: JsonValue;
}

const keyName = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("a.b", "constructor", "", "'", '"', "\\"),
  )
  .filter((key) => key !== "__proto__" && !/[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/.test(key));

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function spelledKey(key: string, plain: boolean): string {
  if (plain && /^[A-Za-z0-9_-]+$/.test(key)) return key;
  return plain && !key.includes("'") ? `'${key}'` : quoted(key);
}

const texts = fc.tuple(fc.string({ unit: "grapheme", maxLength: 12 }), fc.nat(3)).map(([raw, form]): Written => {
  const value = raw.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, "");
  if (form === 1 && !/['\n]/.test(value)) return { text: `'${value}'`, value };
  if (form === 2 && !value.includes("'")) return { text: `'''\n${value}'''`, value };
  if (form === 3) return { text: `"""\n${value.replace(/["\\]/g, "\\$&")}"""`, value };
  return { text: quoted(value), value };
});
const numbers = fc.oneof(
  fc.integer().map((value): Written => ({ text: String(value), value })),
  fc.nat().map((value): Written => ({ text: `0x${value.toString(16)}`, value })),
  fc.integer({ min: -99_999, max: 99_999 }).map((n): Written => ({ text: (n / 100).toFixed(2), value: n / 100 })),
);
const dates = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date): Written => ({ text: date.toISOString(), value: date.toISOString() }));
const space = fc.constantFrom("", " ", "\t ");
const breaks = fc.constantFrom("", " ", "\n", " # c ]\n", "\n\n  ");

const { value: values } = fc.letrec<{ value: Written; list: Written; inline: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    texts,
    numbers,
    dates,
    fc.boolean().map((value) => ({ text: String(value), value })),
    tie("list"),
    tie("inline"),
  ),
  list: fc
    .tuple(fc.array(fc.tuple(breaks, tie("value"), breaks), { maxLength: 3 }), fc.boolean())
    .map(([items, comma]): Written => ({
      text: `[${items.map(([before, { text }, after]) => before + text + after).join(",")}${comma && items.length > 0 ? "," : ""}]`,
      value: items.map(([, { value }]) => value),
    })),
  inline: fc
    .uniqueArray(fc.tuple(keyName, tie("value"), fc.boolean(), space), { maxLength: 3, selector: ([key]) => key })
    .map((entries): Written => ({
      text: `{${entries.map(([key, { text }, plain, blank]) => `${blank}${spelledKey(key, plain)}${blank}=${blank}${text}`).join(" ,")}}`,
      value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    })),
}));

const pairs = fc.uniqueArray(fc.tuple(keyName, values, fc.boolean(), space), {
  maxLength: 4,
  selector: ([key]) => key,
});
const tables = fc
  .uniqueArray(fc.tuple(keyName, pairs, fc.nat(2), fc.array(pairs, { maxLength: 3 })), {
    maxLength: 4,
    selector: ([key]) => key,
  })
  .map((all): Written => {
    const parts = all.map(([key, entries, form, items]) => tableOf(key, entries, form, items));
    return {
      text: parts.map(({ text }) => text).join("\n"),
      value: Object.fromEntries(parts.map(({ value }, i) => [all[i]![0], value])),
    };
  });

type Pairs = readonly (readonly [key: string, value: Written, plain: boolean, space: string])[];

/** Under a header, by dotted keys from the top, or as a list of tables. */
function tableOf(key: string, entries: Pairs, form: number, items: readonly Pairs[]): Written {
  const lines = (some: Pairs, before = "") =>
    some
      .map(
        ([name, { text }, plain, blank]) => `${before}${spelledKey(name, plain)}${blank}=${blank}${text}${blank}# c\n`,
      )
      .join("");
  const valueOf = (some: Pairs) => Object.fromEntries(some.map(([name, { value }]) => [name, value]));
  if (form === 1 && items.length > 0)
    return {
      text: items.map((one) => `[[${spelledKey(key, true)}]]\n${lines(one)}`).join(""),
      value: items.map(valueOf),
    };
  if (form === 2 && entries.length > 0)
    return {
      text: `[${spelledKey(key, false)}]\n[${spelledKey(key, true)}.sub]\n${lines(entries)}`,
      value: { sub: valueOf(entries) },
    };
  return { text: `[ ${spelledKey(key, true)} ]\n${lines(entries)}`, value: valueOf(entries) };
}

/** Every way to a value. */
function waysOf(value: JsonValue, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      waysOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** What another reader says; undefined: it can't be compared. Dates are objects there, and escapes those of TOML 1.1. */
function secondOpinion(text: string): { readonly value: JsonValue | undefined } | undefined {
  if (/\d:\d|\d{4}-\d|inf|nan|__proto__|\\[ex]/.test(text)) return undefined;
  try {
    return { value: parse(text) as JsonValue };
  } catch {
    return { value: undefined };
  }
}

describe("whatever is written", () => {
  test("is read as it was meant, and found again", () => {
    fc.assert(
      fc.property(tables, ({ text, value }) => {
        const { value: found, found: problems } = read(text);
        expect(problems).toEqual([]);
        expect(found).toEqual(value);
        const { root } = parseToml(text);
        for (const path of waysOf(value)) {
          const place: Place = { file: FILE, path, at: "key" };
          const [start, end] = stretchInToml(root, place);
          const last = path.at(-1);
          if (typeof last === "string") expect(read(`${text.slice(start, end)} = 1`).value).toEqual({ [last]: 1 });
        }
      }),
      { numRuns: 400 },
    );
  });

  test("with a piece changed it is read or refused, and never thrown at", () => {
    const piece = fc.constantFrom(
      ..."[|]|[[|]]|{|}|=|.|,|\"|'|\"\"\"|'''|\\|\n|#|a|1|-| |inf|\t|x = 1\n|__proto__".split("|"),
    );
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { minLength: 1, maxLength: 3 }),
        ({ text }, edits) => {
          const changed = edits.reduce((before, [where, length, put]) => {
            const at = where % (before.length + 1);
            return before.slice(0, at) + put + before.slice(at + length);
          }, text);
          const { value, found } = read(changed);
          expect(value === undefined).toBe(found.length > 0);
          for (const { at } of found) expect(at?.line).toBeGreaterThan(0);
          const other = secondOpinion(changed);
          const isOurs = found.some(({ code }) => code !== "source/toml" && code !== "source/duplicate-key");
          // TOML 1.1 lets braces go over several lines.
          if (other !== undefined && !isOurs && (value !== undefined || !changed.includes("{")))
            expect([changed, value]).toEqual([changed, other.value]);
        },
      ),
      { numRuns: 600 },
    );
  });
});
