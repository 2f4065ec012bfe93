import { expect, test } from "vitest";
import { QUICK_CASES } from "../support/faults/cases.ts";
import { endsOf, groupsOf, outcomesOf, watchTable } from "../support/faults/table.ts";

/** One fault of each sort from the table of faults, of which `npm run test:long` has all. */

watchTable();

test.each(groupsOf(QUICK_CASES, ({ kind }) => kind))("over %s", { timeout: 60_000 }, async (_, rows) => {
  expect(await outcomesOf(rows)).toEqual(endsOf(rows));
});
