import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { expectedOf, findCases } from "../support/case.ts";
import { ROOT } from "../support/root.ts";
import { flawsOfSentence, openProse } from "./sentence-style.ts";

/**
 * The style of what is really said. The catalogue's own test reads sentences with their slots open; this one reads them as
 * people do, and so sees the words that are made where a code is reported.
 */

/** Names stand as they are. */
const titles = allHosts([]).map(({ title }) => title);
const { cases } = findCases(path.join(ROOT, "test/cases"));
interface Said {
  readonly code: string;
  readonly says: string;
  readonly help: string | undefined;
}

const HEAD = /^(?:error|warning|note)\[([a-z]+\/[a-z0-9-]+)\]: (.*)$/;
const PLACE = /^ {2}(?:\S.*:\d+:\d+|\S+)$/;

const said = cases.flatMap((one) =>
  sentencesOf(expectedOf(one)["output.txt"] ?? "").map((it) => ({ ...it, case: one.name })),
);

/** A sentence goes on over indented lines, up to its place, its help or an empty line. */
export function sentencesOf(printed: string): Said[] {
  return printed.split(/\n(?=\S)/).flatMap((block) => {
    const [first = "", ...rest] = block.split("\n");
    const head = HEAD.exec(first);
    if (head === null) return [];
    // A block about hosts: what may be read as a sentence is its help.
    if (head[2]!.split(", ").every((one) => titles.includes(one)))
      return [{ code: head[1]!, says: "`none`", help: helpOf(rest) }];
    const ends = rest.findIndex((line) => line === "" || line.startsWith("  help: ") || PLACE.test(line));
    const more = ends < 0 ? rest : rest.slice(0, ends);
    return [{ code: head[1]!, says: joined([head[2]!, ...more]), help: helpOf(rest) }];
  });
}

function helpOf(lines: readonly string[]): string | undefined {
  const from = lines.findIndex((line) => line.startsWith("  help: "));
  if (from < 0) return undefined;
  const [first = "", ...rest] = lines.slice(from);
  const ends = rest.findIndex((line) => !/^ {8}\S/.test(line));
  return joined([first.slice("  help: ".length), ...(ends < 0 ? rest : rest.slice(0, ends))]);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

function flawsOf({ says, help = "`none`" }: Said): string[] {
  return [...flawsOfSentence("says", unnamed(says)), ...flawsOfSentence("help", unnamed(help))];
}

/** A name stands as it is, at the beginning of a sentence too. */
function unnamed(text: string): string {
  const title = titles.find((one) => text.startsWith(one));
  return title === undefined ? text : `\`${title}\`${text.slice(title.length)}`;
}

test("what is said in cases is in the style of the house", () => {
  expect(said.length).toBeGreaterThan(200);
  const flaws = said.flatMap((one) => flawsOf(one).map((flaw) => `${one.case}: ${flaw}: ${one.says} | ${one.help}`));
  expect(flaws).toEqual([]);
});

test("every code whose words are made elsewhere is among them", () => {
  const open = Object.entries(catalogue).filter(([, entry]) => openProse(entry).length > 0);
  const seen = new Set(said.map((one) => one.code));
  expect(open.map(([code]) => code).filter((code) => !seen.has(code))).toEqual([]);
});

describe("reading", () => {
  test("a sentence over lines, with its help", () => {
    const printed =
      "error[role/unknown]: the role `a` isn't\n  there at all\n  rolecall.yaml:3:4\n  3 | x\n  help: write\n        `b`\n\n1 error\n";
    expect(sentencesOf(printed)).toEqual([
      { code: "role/unknown", says: "the role `a` isn't there at all", help: "write `b`" },
    ]);
  });
});
