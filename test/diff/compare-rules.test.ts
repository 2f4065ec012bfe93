import { describe, expect, test } from "vitest";
import { opensBy } from "../../compiler/diff/compare-rules.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";

const rule = (...conditions: Condition[]): ArgumentRule[] => [{ argument: "path", conditions }];
const opened = (before: ArgumentRule[], after: ArgumentRule[]) => opensBy(() => false)(before, after);

describe("an argument that may be left out", () => {
  const demanded = rule({ glob: "docs/**" });
  const optional = rule({ glob: "docs/**", optional: true });

  test("and had to be there opens", () => {
    expect(opened(demanded, optional)).toEqual([{ argument: "path", by: "left out" }]);
  });
  test("where its condition is gone opens", () => {
    expect(opened(demanded, [])).toEqual([{ argument: "path", by: "left out" }]);
  });
  test("as before opens nothing, nor does one that has to be there now", () => {
    expect(opened(optional, optional)).toEqual([]);
    expect(opened(optional, demanded)).toEqual([]);
  });
  test("of several conditions, one that demands it is enough", () => {
    expect(opened(demanded, rule({ glob: "docs/**", optional: true }, { glob: "docs/**" }))).toEqual([]);
  });
});

test("a condition that is gone from an optional argument opens what it refused", () => {
  const [opening] = opened(rule({ enum: ["a"], optional: true }), []);
  expect(opening).toEqual({ argument: "path", by: { value: "x" } });
});

test("another argument's conditions say nothing of this one", () => {
  expect(
    opened(rule({ enum: ["a"] }), [...rule({ enum: ["a"] }), { argument: "mode", conditions: [{ enum: ["w"] }] }]),
  ).toEqual([]);
});
