import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { closeDoors, FAULT_CASES, type FaultCase } from "../support/fault-cases.ts";
import { closeIdleSockets, outcomesOf } from "../support/fault-table.ts";

/** Each fault of the table, as a team meets it: its error, in its time; a neighbour that is answered; nothing left behind. */

let restore: () => void;
const rejections: unknown[] = [];
const reject = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => {
  restore = closeIdleSockets();
  process.on("unhandledRejection", reject);
});
afterAll(() => {
  restore();
  process.off("unhandledRejection", reject);
});
afterEach(closeDoors);

const GROUPS = groups();

test("there are at least 200 cases", () => {
  expect(FAULT_CASES.length).toBeGreaterThanOrEqual(200);
  for (const rows of GROUPS.values()) expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

describe.each([...GROUPS])("%s", (_, rows: readonly FaultCase[]) => {
  test("ends as the table says", { timeout: 60_000 }, async () => {
    expect(await outcomesOf(rows)).toEqual(Object.fromEntries(rows.map(({ name, ends }) => [name, ends])));
    expect(rejections).toEqual([]);
  });
});

function groups(): ReadonlyMap<string, readonly FaultCase[]> {
  const made = new Map<string, FaultCase[]>();
  for (const row of FAULT_CASES) {
    const name = `over ${row.kind}, ${row.moment}`;
    made.set(name, [...(made.get(name) ?? []), row]);
  }
  return made;
}
