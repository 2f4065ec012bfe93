import { expect, test } from "vitest";
import { holdLaws } from "../support/access-pairs.ts";

const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);

/** Same, mirror, restriction, counterexample, and calls judged by the runtime's own code; `test/long` has many more. */
test("the laws of a difference, over generated pairs", () => {
  const counted = holdLaws(500 * MORE, 20_000 * MORE);
  expect(counted.pairs).toBeGreaterThan(100);
  expect(counted.changes).toBeGreaterThan(100);
  expect(counted.calls).toBeGreaterThan(1000);
  expect(counted.examples).toBeGreaterThan(20);
  expect(counted.opened).toBeGreaterThan(20);
});
