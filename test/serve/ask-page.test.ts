import { describe, expect, test } from "vitest";
import { askPage, isFolded, moreAbout } from "../../compiler/cli/asks/page.ts";
import type { BuildItem, CallItem } from "../../compiler/serve/inbox-lines.ts";

/** What a build opens is seen by who says yes to it, however long it is. */

const item = (after: readonly string[]): BuildItem => ({
  kind: "build",
  id: "b1",
  hash: "sha256:00",
  changes: [{ direction: "widens", kind: "condition", role: "r", server: "s", tool: "t", before: ["a"], after }],
  says: [],
  reconnected: [],
  envFile: null,
  moved: [],
  settings: [],
  approvers: [],
  door: [],
  hosts: [{ host: "claude-code", role: "r", tools: ["s.t"], reads: ["n"] }],
});
const long = item([...Array.from({ length: 200 }, (_, i) => `tests/file${i}`), "/etc/shadow"]);

test("a long value is folded, with its length, and the whole page has all of it", () => {
  expect(isFolded(long)).toBe(true);
  expect(askPage(long, 0, false)).toMatch(/ characters, sha256:/);
  expect(askPage(long, 0, false)).not.toContain("/etc/shadow");
  expect(askPage(long, 0, true)).toContain('/etc/shadow"]');
});

test("what words leave out is there as it is, when all is asked for", () => {
  const many = {
    ...long,
    says: ["r", "  + s.t: looser condition", `      now: ${"tests/file".repeat(200)}… (20000 characters)`],
  };
  expect(isFolded(many)).toBe(true);
  expect(askPage(many, 0, false)).not.toContain("becomes");
  const whole = askPage(many, 0, true);
  expect(whole).toContain("  r\n    + s.t: looser condition\n");
  expect(whole).toContain('/etc/shadow"]');
});

test("what of `serve` and `state` opens is told with what it was, and never cut by other lines", () => {
  const settings = [
    { key: "serve.env", before: ".env", after: "team.env" },
    { key: "serve.auth.issuer", before: null, after: "https://a.example" },
    { key: "serve.approvers", before: ["page"], after: ["page", "program"] },
    { key: "serve.record", before: "a.jsonl", after: "b\u202e.jsonl" },
    { key: "state.decisions", before: "a.md", after: "b.md" },
  ];
  const opened = { settings, approvers: ["program"], door: ["auth.issuer"], hosts: [] };
  const says = Array.from({ length: 50 }, (_, i) => `  + s.u${i}`);
  const lines = askPage({ ...item(["b"]), says, ...opened }, 0, false).split("\n");
  expect(lines.slice(-6, -1)).toEqual([
    '  serve, who makes the tokens that clients bring (auth.issuer): now "https://a.example", before nothing said, from the next start on',
    '  serve, where the record of calls goes (record): now "b\\u202e.jsonl", before "a.jsonl", from the next start on',
    '  state, the file of decisions (decisions): now "b.md", before "a.md"',
    "  asks may be answered by a program",
    "  b1",
  ]);
});

test("lines and names are bounded, and all of them are there when they are asked for", () => {
  const names = (what: string): string[] => Array.from({ length: 200 }, (_, i) => `${what}${i}`);
  const hosts = [{ host: "codex", role: "r", tools: names("s.t"), reads: [] }];
  const many = { ...item(["b"]), says: names("  + s.u"), hosts };
  expect(isFolded(many)).toBe(true);
  expect(isFolded({ ...many, says: [] })).toBe(true);
  const few = askPage(many, 0, false);
  expect(few).toContain("+ s.u29\n  ... and 170 more\n");
  expect(few).toContain("s.t49 and 150 more there\n");
  expect(askPage(many, 0, true)).toMatch(/s\.u199\n[^]*s\.t199 there\n/);
});

test("what a variable moved is told by its name and where it is said, and no build is spoken of", () => {
  const variables = [
    { name: "API", from: "file", file: "team.env" },
    { name: "MODE", from: null, file: null },
    { name: "PLACE", from: "environment", file: null },
  ];
  const only = { ...item(["b"]), changes: [], hosts: [], moved: [{ server: "notes", variables }] };
  expect(moreAbout(only)).toBeUndefined();
  expect(askPage(only, 0, false)).toBe(
    [
      "",
      "what variables hold would lead elsewhere; nothing goes there until your yes",
      "  server notes is reached elsewhere, or started otherwise, by what is said now of API (in team.env), MODE (not set), PLACE (in the environment)",
      "  b1",
      "",
    ].join("\n"),
  );
});

test("a way that is told among the changes isn't told twice", () => {
  const change = { kind: "destination", role: null, server: "s", tool: null, before: null, after: null };
  const both = { ...item(["b"]), changes: [change], reconnected: ["s", "t"] };
  expect(askPage(both, 0, false).match(/is reached in another way/g)).toHaveLength(1);
});

test("a short one isn't", () => {
  expect(isFolded(item(["b"]))).toBe(false);
  expect(askPage(item(["b"]), 0, false)).toContain('r s t: condition ["a"] becomes ["b"]\n');
  expect(askPage(item(["b"]), 0, false)).toContain(
    "host claude-code: r may call s.t there\n  host claude-code: r may read resources of n there\n",
  );
});

const call = (args: CallItem["args"]): CallItem => ({
  kind: "call",
  id: "c1",
  hash: "sha256:00",
  role: "tester",
  server: "files",
  tool: "write",
  title: "write",
  args,
  plan: null,
  expires: 30_000,
  client: "evil 1",
  caller: "kit",
});

test("an argument can't be named like a line of ours: these stand first, and names that aren't words in quotes", () => {
  const named = {
    path: "a",
    "its credential": "boss",
    "without arguments": true,
    "with arguments:": 1,
    "x-y_Z": 2,
    "": 3,
  };
  expect(askPage(call(named), 0, false)).toBe(
    [
      "",
      "tester wants to call files.write",
      "  its credential: kit",
      "  its client calls itself evil 1",
      "  with arguments:",
      '    path: "a"',
      '    "its credential": "boss"',
      '    "without arguments": true',
      '    "with arguments:": 1',
      "    x-y_Z: 2",
      '    "": 3',
      "  c1, 30 s left",
      "",
    ].join("\n"),
  );
  expect(askPage(call({}), 0, false)).toContain("  its client calls itself evil 1\n  without arguments\n  c1");
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, i]));
  expect(askPage(call(many), 0, false)).toContain("    n39: 39\n  ... and 10 more\n");
});

test("where a line is broken, what goes on stands deeper than any line begins", () => {
  const page = askPage(call({ path: `${"a".repeat(50)} its credential: boss` }), 0, false, 60);
  expect(page).toContain("\n        its credential: boss");
});

describe("no text of a stranger begins a line of the page", () => {
  const PAGES: readonly (readonly [what: string, deep: number, of: (text: string) => CallItem | BuildItem])[] = [
    ["an argument", 8, (text) => call({ path: text })],
    ["the name of an argument", 8, (text) => call({ [text]: 1 })],
    ["the name of a client", 8, (text) => ({ ...call({}), client: text })],
    ["the title of a tool", 8, (text) => ({ ...call({}), title: text })],
    [
      "a condition",
      12,
      (text) => ({ ...item(["b"]), says: ["tester", "  + s.t", `      now: path must be "${text}"`] }),
    ],
    ["a condition without words", 12, (text) => item([text])],
  ];
  /** With the columns that a terminal may draw one in. */
  const FILLERS: readonly (readonly [filler: string, columns: number])[] = [
    ["a", 1],
    ["a ", 2],
    ["\u00a0", 1],
    ["日", 2],
    ["😀", 2],
    ["\u2764\ufe0f", 2],
    ["\u{1f210}", 2],
    ["\u{18b00}", 2],
    ["\u25cb", 2],
    ["\ue000", 2],
    ["e\u0301", 1],
    ["\u0301", 1],
  ];

  test.each(
    PAGES.flatMap(([what, deep, of]) =>
      [false, true].flatMap((isWhole) => [20, 40, 80].map((width) => ({ what, deep, of, isWhole, width }))),
    ),
  )("by $what, at $width columns, all of it: $isWhole", ({ deep, of, isWhole, width }) => {
    const ours = askPage(of("its own"), 0, isWhole).split("\n");
    for (const [filler, columns] of FILLERS)
      for (const before of [1, 66, 67, 140]) {
        const text = `${filler.repeat(before)}tester${filler}wants${filler}to${filler}call${filler}s.u`;
        const page = askPage(of(text), 0, isWhole, width).split("\n");
        const drawn = (line: string): number =>
          line.split(filler).reduce((sum, rest) => sum + rest.length, 0) + (line.split(filler).length - 1) * columns;
        for (const line of page) expect(drawn(line), line).toBeLessThanOrEqual(width);
        const begun = page.filter((line) => !line.startsWith(" ".repeat(deep)));
        expect(begun.length, page.join("\n")).toBeLessThanOrEqual(ours.length);
        for (const line of begun) expect(ours.some((one) => one.startsWith(/^.{0,5}/.exec(line)![0]))).toBe(true);
      }
  });

  test.each(["\u00a0", "\u1680", "\u2007", "\u202f", "\u3000", "\u2800", "\u{1d159}"])(
    "%j is shown by number",
    (blank) => {
      const code = blank.codePointAt(0)!.toString(16);
      const shown = code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
      for (const [, , of] of PAGES)
        for (const isWhole of [false, true]) expect(askPage(of(`a${blank}b c`), 0, isWhole)).toContain(`a${shown}b c`);
    },
  );

  test("an id stays whole, so that it can be copied", () => {
    const id = "24031290-2d97-4672-ab9e-c1a8896cceae";
    expect(askPage({ ...call({}), id }, 0, false, 36)).toContain(`\n  ${id},\n`);
  });

  test("what is broken is all there, and a mark stands with its letter", () => {
    const path = `${"e\u0301".repeat(100)}/end`;
    const page = askPage(call({ path }), 0, false, 40);
    expect(page.replaceAll(/\n */g, "")).toContain(path);
    expect(page).not.toContain(" \u0301");
  });
});
