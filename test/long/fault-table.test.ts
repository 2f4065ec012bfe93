import { expect, test } from "vitest";
import { FAULT_CASES } from "../support/faults/cases.ts";
import { endsOf, groupsOf, outcomesOf, watchTable } from "../support/faults/table.ts";

/** Each fault of the table, as a team meets it: its error, in its time; a neighbour that is answered; nothing left behind. */

watchTable();
const GROUPS = groupsOf(FAULT_CASES, ({ kind, moment }) => `over ${kind}, ${moment}`);

test("there are at least 200 cases, and each has a name of its own", () => {
  expect(FAULT_CASES.length).toBeGreaterThanOrEqual(200);
  for (const [, rows] of GROUPS) expect(Object.keys(endsOf(rows))).toHaveLength(rows.length);
});

test.each(GROUPS)("%s", { timeout: 60_000 }, async (_, rows) => {
  expect(await outcomesOf(rows)).toEqual(endsOf(rows));
});
