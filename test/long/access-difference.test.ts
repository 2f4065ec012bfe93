import { expect, test } from "vitest";
import { holdLaws } from "../support/access-pairs.ts";

const TIMEOUT = 600_000;

test(
  "the laws of a difference, over ten thousand generated pairs",
  () => {
    const counted = holdLaws(10_000, TIMEOUT - 60_000);
    expect(counted.pairs).toBeGreaterThanOrEqual(10_000);
    expect(counted.examples).toBeGreaterThan(500);
    expect(counted.calls).toBeGreaterThan(50_000);
  },
  TIMEOUT,
);
