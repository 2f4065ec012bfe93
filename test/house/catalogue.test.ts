import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.ts";
import type { CatalogueEntry } from "../../compiler/diagnostics/types.ts";
import { expectedOf, findCases } from "../support/case.ts";
import { flawsOfEntry, openProse, unseenTexts } from "./sentence-style.ts";
import { ROOT } from "../support/root.ts";

/** Every code has a case whose output shows it, and every such case has a code: the folder is the book of mistakes. */

const ROOM = "diagnostics";
const entries: [string, CatalogueEntry][] = Object.entries(catalogue);
const codes = entries.map(([code]) => code).sort();
const { cases } = findCases(path.join(ROOT, "test/cases"));
const shown = cases.filter((one) => one.name.startsWith(`${ROOM}/`));

/** Its case would be a thousand mistakes long: test/diagnostics/report.test.ts shows it. */
const TOLD_ELSEWHERE = ["source/too-many"];

test("every code has its case, and every case of the room is about a code", () => {
  expect(shown.map((one) => one.name.slice(ROOM.length + 1))).toEqual(
    codes.filter((code) => !TOLD_ELSEWHERE.includes(code)),
  );
});

test.each(shown)("the output of $name shows its code", (one) => {
  const printed = expectedOf(one)["output.txt"] ?? "";
  expect(printed.split(/[^a-z0-9/-]/)).toContain(one.name.slice(ROOM.length + 1));
});

test.each(entries)("%s is said in the style of the house", (code, entry) => {
  expect(flawsOfEntry(code, entry)).toEqual([]);
});

/**
 * Slots whose words are made where the code is reported. None may be added: a fixed sentence is a case of its code. Those
 * that are left are put together of parts that only their maker knows, or are said elsewhere too: `said-in-cases` reads them.
 */
const MADE_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // Of the schema of the language: what a key takes, and how its value is written.
  "source/unknown-key": ["help"],
  "source/wrong-shape": ["expected", "found", "help"],
  "source/wrong-value": ["expected", "help"],
  // Of the format that a file is in, and of which formats there are.
  "import/means-nothing": ["help", "what"],
  "import/not-of-format": ["help", "what"],
  "import/unknown-format": ["advice"],
  "import/left-behind": ["help", "what"],
  // What a reader of YAML, JSON or TOML says of a text: of one format as of another, in errors of a build and of a command.
  "source/json": ["help", "problem"],
  "source/toml": ["help", "problem"],
  "source/yaml": ["help", "problem"],
  "source/bad-address": ["problem"],
  "manifest/not-json": ["advice", "problem"],
  "manifest/unsound": ["problem"],
  // What a judge of patterns, globs or schemas says, at run time too, where there is no catalogue.
  "manifest/slow-schema": ["why"],
  "role/bad-condition": ["advice", "problem"],
  "server/bad-result": ["problem"],
  // What a host can't hold, in its own words: they lie in its folder, and remarks, ACCESS.md and `rolecall hosts` say them too.
  "host/cannot-enforce": ["what", "why"],
  "host/prompt-replaced": ["help"],
};

test("what a code says is written in the catalogue", () => {
  const open = entries.flatMap(([code, entry]) => {
    const slots = openProse(entry);
    return slots.length === 0 ? [] : [[code, slots] as const];
  });
  expect(Object.fromEntries(open)).toEqual(MADE_ELSEWHERE);
});

test.each(entries.filter(([, { cases }]) => cases !== undefined))("every text of a case of %s is seen", (_, entry) => {
  expect(unseenTexts(entry)).toEqual([]);
});

test("a file of the catalogue holds the codes of its own subject", () => {
  const folder = path.join(ROOT, "compiler/diagnostics/catalogue");
  for (const file of readdirSync(folder)) {
    const keys = [...readFileSync(path.join(folder, file), "utf8").matchAll(/^ {2}"([^"]+\/[^"]+)": \{/gm)].map(
      (found) => found[1]!,
    );
    const strangers = keys.filter((key) => key.split("/")[0] !== path.basename(file, ".ts"));
    expect(strangers, file).toEqual([]);
    expect(
      keys.filter((key) => !codes.includes(key)),
      `${file} isn't part of the catalogue`,
    ).toEqual([]);
  }
});

describe("the style, seen failing", () => {
  const good: CatalogueEntry = {
    severity: "error",
    says: "the key `{key}` is written twice",
    why: "Readers differ about which of two equal keys wins.",
  };
  test.each<[string, Partial<CatalogueEntry>]>([
    ["says doesn't start in lower case", { says: "The key is written twice" }],
    ["says ends like a sentence", { says: "the key is written twice." }],
    ["says isn't one tidy line", { says: "the key\nis written twice" }],
    ["says has a backtick without its pair", { says: "the key `{key} is written twice" }],
    ["help doesn't start in lower case", { help: "Remove one" }],
    ["help ends like a sentence", { help: "remove one!" }],
    ["why is too short to explain anything", { why: "It is wrong." }],
    ["why doesn't end with a full stop", { why: good.why.slice(0, -1) }],
  ])("%s", (flaw, change) => expect(flawsOfEntry("source/duplicate-key", { ...good, ...change })).toEqual([flaw]));

  test("in one case of several, and where it is made up elsewhere", () => {
    const says = "`{key}` can't be read: {problem}";
    const cases = { gone: { problem: "it isn't there" }, odd: { problem: "It is odd.", help: "look", lost: "x" } };
    const entry = { ...good, says, cases };
    expect(flawsOfEntry("source/duplicate-key", entry)).toEqual(["says ends like a sentence"]);
    expect(openProse(entry)).toEqual([]);
    expect(openProse({ ...good, says })).toEqual(["problem"]);
    expect(unseenTexts(entry)).toEqual(["odd: help", "odd: lost"]);
  });

  test("a code that isn't subject/slug", () => {
    for (const code of ["duplicate-key", "source/DuplicateKey", "source/duplicate_key", "a/b/c"]) {
      expect(flawsOfEntry(code, good)).toEqual(["the code isn't subject/slug"]);
    }
    expect(flawsOfEntry("source/duplicate-key", { ...good, says: "`{key}` is written twice", help: "{help}" })).toEqual(
      [],
    );
  });
});
