import { describe, expect, test } from "vitest";
import { readBacklog } from "../../compiler/state/backlog.ts";
import { withinBounds } from "../../compiler/state/bounds.ts";
import { newestFirst, readDecisions, searchDecisions } from "../../compiler/state/decisions.ts";
import { readingRecord } from "../../compiler/state/recorded.ts";
import { viewAt } from "../../compiler/state/uris.ts";

const DECISIONS = `# Decisions

Before the first: nobody's.

## 2026-03-01: Use vitest
**By:** Kit
It is fast.

### Why
\`\`\`md
## not a heading
\`\`\`

## Postgres (2026-04-01)
- Status: accepted
- Author: Mo

## Undated
Says nothing.

## 2026-04-01 | Later on that day ##
# Another part
## 2025-12-31
`;

describe("decisions in Markdown", () => {
  const { entries, unreadable } = readDecisions(DECISIONS, false);
  test("are one for each `##`, with what they say of themselves", () => {
    expect(unreadable).toBe(0);
    expect(entries.map(({ title, date, author, status }) => [title, date, author, status])).toEqual([
      ["Use vitest", "2026-03-01", "Kit", null],
      ["Postgres", "2026-04-01", "Mo", "accepted"],
      ["Undated", null, null, null],
      ["Later on that day", "2026-04-01", null, null],
      ["2025-12-31", "2025-12-31", null, null],
    ]);
    expect(entries[0]!.text).toContain("## not a heading");
    expect(entries[3]!.text).toBe("");
  });

  test("are newest first by date, then by place, and those without a date last", () => {
    expect(newestFirst(entries).map(({ title }) => title)).toEqual([
      "Later on that day",
      "Postgres",
      "Use vitest",
      "2025-12-31",
      "Undated",
    ]);
  });

  test("are found by every word, in whatever case", () => {
    const found = (query: string) => searchDecisions(entries, query).map(({ title }) => title);
    expect(found("FAST vitest")).toEqual(["Use vitest"]);
    expect(found("mo accepted")).toEqual(["Postgres"]);
    expect(found("nowhere")).toEqual([]);
    expect(found("  ")).toEqual([]);
    expect(found(".*")).toEqual([]);
  });
});

test("marks upon marks are searched in time of their length", () => {
  const text = `## Long\n${"\u0345\u0301".repeat(60_000)}\n## Café\nHere.\n`;
  const { entries } = readDecisions(text, false);
  const began = process.cpuUsage().user;
  expect(searchDecisions(entries, "cafe\u0301").map(({ title }) => title)).toEqual(["Café"]);
  expect(searchDecisions(entries, `x${"\u0345\u0301".repeat(60_000)}`)).toEqual([]);
  expect((process.cpuUsage().user - began) / 1000).toBeLessThan(1_000);
});

test("of JSON lines half a line is counted, and is nothing", () => {
  const text = '{"title":"One","by":"Kit","date":"2026-01-01"}\n\n[1]\n{"summary":"Two","status":7}\n{"title":"Thr';
  const { entries, unreadable } = readDecisions(text, true);
  expect(entries).toMatchObject([
    { title: "One", author: "Kit" },
    { title: "Two", status: "7", date: null },
  ]);
  expect(unreadable).toBe(2);
});

describe("a backlog", () => {
  test("is the tasks of a Markdown list", () => {
    const text = "# Now\n- [ ] one\n  * [x] below\n1. [ ] two\n```\n- [ ] code\n```\n## Later\n+ [X] three\n- four\n";
    expect(
      readBacklog(text, "markdown")!.entries.map(({ title, isOpen, section }) => [title, isOpen, section]),
    ).toEqual([
      ["one", true, "Now"],
      ["below", false, "Now"],
      ["two", true, "Now"],
      ["three", false, "Later"],
    ]);
  });

  test("or of a list in JSON, wherever it stands, and is none while half of it is written", () => {
    const list = [{ title: "a" }, { title: "b", done: true }, { text: "c", status: "Closed", id: 7, assignee: "kit" }];
    for (const text of [JSON.stringify(list), JSON.stringify({ items: list })])
      expect(readBacklog(text, "json")!.entries).toMatchObject([
        { title: "a", isOpen: true },
        { title: "b", isOpen: false },
        { title: "c", isOpen: false, id: "7", owner: "kit" },
      ]);
    for (const text of ['[{"title":', "7", "{}", '{"__proto__":[{"title":"x"}]}'])
      expect(readBacklog(text, "json")).toBeUndefined();
  });
});

test("what nobody told of a run is null, and not 0", () => {
  const reading = readingRecord();
  const call = (role: string, more: object) =>
    reading.add(JSON.stringify({ ts: "2026-01-01T00:00:01Z", role, server: "s", tool: "t", status: "ok", ...more }));
  call("tester", { duration_ms: 5 });
  call("tester", { duration_ms: 6, status: "error" });
  call("reader", {});
  reading.add('{"ts":"2026-01-01T00:00:09Z","run_id":"r","role":"tester","report":{"tokens":100}}');
  reading.add('{"ts":"2026-01-01T00:00:09Z","run_id":"r","role":null,"report":{"tokens":1,"cost":0.5}}');
  reading.add('{"ts":"2026-01-01T00:00:09Z","report":{"tokens":-1,"cost":"9"}}');
  reading.add('{"ts": half');
  const { all, byRole, from, to, newest } = reading.run("r.jsonl");
  expect(all).toEqual({ calls: 3, errors: 1, durationMs: 11, tokens: 101, cost: 0.5 });
  expect(Object.fromEntries(byRole)).toEqual({
    reader: { calls: 1, errors: 0, durationMs: null, tokens: null, cost: null },
    tester: { calls: 2, errors: 1, durationMs: 11, tokens: 100, cost: null },
  });
  expect([from, to]).toEqual(["2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"]);
  expect(newest.get("tester")).toHaveLength(2);
});

test("an answer has an end, whatever a file holds", () => {
  const { kept, leftOut } = withinBounds(
    Array.from({ length: 1_000 }, (_, i) => ({ title: String(i), text: "é".repeat(30_000) })),
  );
  expect(kept[0]!.text).toHaveLength(20_000 + "… (30000 characters)".length);
  expect(kept.length).toBeLessThan(60);
  expect(kept.length + leftOut).toBe(1_000);
  expect(withinBounds([{ text: "x".repeat(50_000_000) }]).kept).toHaveLength(1);
  // What nobody sees is told by its number.
  const unseen = withinBounds(Array.from({ length: 1_000 }, () => ({ text: "\u0001".repeat(10_000) })));
  expect(unseen.kept.length).toBeLessThan(20);
});

test("a member is looked up by its exact name", () => {
  const members = [{ name: "kit", role: "tester", charter: undefined }];
  expect(viewAt("squad://agents/kit/history", "squad", members)).toMatchObject({ view: "history" });
  for (const name of ["", "Kit", "..", "../kit", "kit/", "%6bit", "kit%2f..", "__proto__", "constructor", "*"])
    expect(viewAt(`squad://agents/${name}/history`, "squad", members)).toBeUndefined();
  for (const uri of [
    "squad://",
    "squad:roster",
    "SQUAD://roster",
    "squad://roster/",
    "squad://roster#a",
    "other://roster",
  ])
    expect(viewAt(uri, "squad", members)).toBeUndefined();
});

/** Agents write these files: no line of theirs stops whoever reads. */
describe("a line that is long is read at once", () => {
  const run = (of: string): string => of.repeat(300_000);
  test.each([
    ["a heading with spaces within", `## x${run(" ")}y`],
    ["with tabs within", `## x${run("\t")}y`],
    ["with hashes within", `## x ${run("#")}y`],
    ["that breaks behind spaces", `## ${run(" ")}\u2028`],
    ["with a date before tabs", `## 2026-01-01${run("\t")}y`],
    ["with a date behind spaces", `## y${run(" ")}z 2026-01-01`],
    ["with a date behind brackets", `## y${run("[")}z 2026-01-01`],
    ["with a date behind lines", `## y${run(" -")} 2026-01-01)`],
    ["a word behind spaces", `## x\nby:${run(" ")}${"y".repeat(201)}`],
    ["a task behind spaces", `# x${run(" ")}y\n- [ ]${run(" ")}y\u2028z`],
  ])("%s", (_, text) => {
    const began = process.cpuUsage();
    readDecisions(text, false);
    readBacklog(text, "markdown");
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
  });
});
