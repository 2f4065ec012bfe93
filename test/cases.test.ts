import path from "node:path";
import { expect, test } from "vitest";
import { engine } from "../compiler/cli/engine.ts";
import { main } from "../compiler/cli/main.ts";
import { expectedOf, findCases, flawsOf, runCase, update } from "./support/case.ts";
import { runInProcess } from "./support/run-cli.ts";

const { cases, orphans } = findCases(path.join(import.meta.dirname, "cases"));
const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const updating = process.env["UPDATE"] === "1";

test("everything below test/cases belongs to a case", () => {
  expect(orphans).toEqual([]);
  expect(cases.length).toBeGreaterThan(5);
});

test.each(cases.map((one) => ({ one, title: `${one.name}: ${one.guards}` })))("$title", async ({ one }) => {
  const actual = await runCase(one, run);
  if (updating) update(one, actual);
  expect(flawsOf(one)).toEqual([]);
  const expected = expectedOf(one);
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  expect(actual).toEqual(expected);
});
