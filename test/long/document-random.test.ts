import { isDeepStrictEqual } from "node:util";
import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { readFastJson } from "../../compiler/1-source/document/fast-json.ts";
import { readFastYaml } from "../../compiler/1-source/document/fast-yaml.ts";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";

/** Random documents, in and around what the fast readers take, judged by the `yaml` package and JSON.parse. */
const reader = createDocumentReader(() => yaml);

/** What the `yaml` package says, or undefined where it says that something is wrong. */
function oracle(text: string): { readonly value: unknown } | undefined {
  const document = yaml.parseDocument(text, { logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  try {
    return { value: document.contents === null ? {} : document.toJS() };
  } catch {
    return undefined;
  }
}

const tokens = fc.constantFrom(
  ..."a|b|key|a: |b: |c:|- |-|  | |\n|\n|\n  |\n- |\n    |[|]|{|}|, |,|#| #c|'x'|\"y\"|'|\"|\\n|''|~|null|1|0x1|-0|1.5|.5|+1|007|1e3|true|*|&a |!t |>|? |?|%|@|---|...|\t|é|$|${X}|<<|__proto__|:|: |a:b|x  y|\u2028|\u00a0|\"a b\": |'c': |.inf|1_0|99999999999999999999|=|<|[a, b]|{a: b}|[]|{}|-x|--x|-\n".split(
    "|",
  ),
);
const scalars = fc.constantFrom(
  ..."a|b c|1|-1|1.5|true|~|null|'q'|\"q\"|\"a\\nb\"|'it''s'|x#y|http://a.b/c|is:read-only|a,b|-y|--z|${X}|./p|x: y|a #c|'a: b'|\"#\"|[a, b]|{a: 1, b: c}|[]|{}|[[a], {b: [c]}]|[ 'a' , \"b\" ]|10s|1.2.3|é|a'b|a[0]|a{b}||-|:x|!x|*|00|0.50|@x|.5|1.|0o7|0x1g|+.inf|1e5|-0.0".split(
    "|",
  ),
);
const keys = fc.constantFrom(...'a|b|c|d|\'q\'|"r"|k-1|k.3|é|x y|1|true|<<|a,b|a[b]|constructor|""'.split("|"));

interface Entry {
  readonly key: string;
  readonly value: string | Entries;
  readonly space: string;
  readonly rest: string;
  readonly step: number;
}
interface Entries {
  readonly isList: boolean;
  readonly entries: readonly Entry[];
}

const { block } = fc.letrec<{ block: Entries }>((tie) => ({
  block: fc.record({
    isList: fc.boolean(),
    entries: fc.array(
      fc.record({
        key: keys,
        value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalars, tie("block")),
        space: fc.constantFrom(" ", " ", "  "),
        rest: fc.constantFrom("", "", "", " ", " # c", "#c", "\n", "\n   # z", "\n#"),
        step: fc.constantFrom(2, 2, 2, 4, 1, 0),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}));

function print({ isList, entries }: Entries, indent: number): string {
  return entries.map((entry) => printEntry(isList, entry, indent)).join("");
}

function printEntry(isList: boolean, { key, value, space, rest, step }: Entry, indent: number): string {
  const head = " ".repeat(indent) + (isList ? "-" : `${key}:`);
  if (typeof value === "string") return `${head}${space}${value}${rest}\n`;
  if (!isList || step === 4) return `${head}${rest}\n${print(value, indent + step)}`;
  const inner = indent + 1 + space.length;
  return head + space + print(value, inner).slice(inner);
}

const documents = block.map((entries) => print(entries, 0));
const mutated = fc
  .tuple(documents, fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.oneof(fc.constant(""), tokens)), { maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((edited, [where, length, put]) => {
      const at = where % (edited.length + 1);
      return edited.slice(0, at) + put + edited.slice(at + length);
    }, text),
  );
const soup = fc.array(tokens, { minLength: 1, maxLength: 12 }).map((all) => all.join(""));

describe("against the `yaml` package, on random documents", () => {
  test.each([
    ["documents", documents, 8_000, 2_000],
    ["documents with slips", mutated, 12_000, 2_000],
    ["token soup", soup, 12_000, 200],
  ] as const)("the fast reader never says anything else: %s", (_, texts, runs, least) => {
    let accepted = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const fast = readFastYaml(text);
        if (!fast) return;
        accepted++;
        const slow = oracle(text);
        // Equal as values (-0 isn't 0) and in the order of keys.
        expect([text, isDeepStrictEqual(slow?.value, fast.value), JSON.stringify(slow?.value)]).toEqual([
          text,
          true,
          JSON.stringify(fast.value),
        ]);
        const full = reader.read(
          "a.yaml",
          `${text}\n# &`,
          createReport(() => undefined),
        );
        expect([text, full]).toEqual([text, fast.value]);
      }),
      { numRuns: runs, seed: 20261118 },
    );
    expect(accepted).toBeGreaterThan(least);
  });

  test.each([
    ["documents with slips", mutated],
    ["token soup", soup],
  ] as const)("the full reader has its value or tells a place in the text: %s", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const report = createReport(reader.locator(() => text));
        const value = reader.read("a.yaml", text, report);
        const found = report.sorted();
        const lines = text.split("\n");
        const placed = found.filter(({ at }) => at && at.column - 1 <= (lines[at.line - 1]?.length ?? -1));
        // An empty document is an empty map here; the package calls it null.
        const slow = value === undefined ? undefined : (oracle(text) ?? { value: "an error" });
        const same = JSON.stringify(slow?.value ?? value) === JSON.stringify(value);
        expect({ text, placed: placed.length, told: found.length > 0, same }).toEqual({
          text,
          placed: found.length,
          told: value === undefined,
          same: true,
        });
      }),
      { numRuns: 4_000, seed: 20261118 },
    );
  });

  test("JSON: the fast reader has the value of JSON.parse, and knows every key written twice", () => {
    const json = fc.json({ maxDepth: 4 });
    let accepted = 0;
    fc.assert(
      fc.property(json, fc.string(), fc.boolean(), (text, key, twice) => {
        const name = JSON.stringify(key);
        const document = twice ? `{${name}: ${text}, "x": 1, ${name}: 0}` : `{${name}: ${text}}`;
        const fast = readFastJson(document);
        accepted += fast ? 1 : 0;
        const right = fast === undefined || (!twice && isDeepStrictEqual(fast.value, JSON.parse(document)));
        expect([document, right]).toEqual([document, true]);
      }),
      { numRuns: 2_000, seed: 20261118 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});
