import { expect, test } from "vitest";
import { holdLaws } from "../support/access-pairs.ts";

const TIMEOUT = 600_000;
const PAIRS = 10_000 * Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);

test(
  "the laws of a difference, over thousands of generated pairs",
  () => {
    const counted = holdLaws(PAIRS, TIMEOUT - 60_000);
    expect(counted.pairs).toBeGreaterThanOrEqual(PAIRS);
    expect(counted.examples).toBeGreaterThan(PAIRS / 20);
    expect(counted.calls).toBeGreaterThan(PAIRS * 5);
  },
  TIMEOUT,
);
