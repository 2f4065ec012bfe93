import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../../compiler/diff/compare.ts";
import { describeAll } from "../../compiler/diff/describe.ts";
import type { AccessChanged } from "../../compiler/diff/types.ts";
import { accessOf } from "../../compiler/3-plan/access.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import { arbitraryProject, type SampleProject } from "../support/arbitrary/project.ts";
import { build, type Built } from "../support/built-project.ts";
import { diceOf, tapes } from "../support/dice.ts";
import { narrowed } from "../support/project-edits.ts";
import { filesOf } from "../support/project-layout.ts";

const satisfies = await schemaJudge();
const RUNS = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);

const difference = (before: Built, after: Built) => compare(accessOf(before.plan), accessOf(after.plan), satisfies);

/** A project and the same with one more restriction; both build. */
const pairs = fc.tuple(arbitraryProject, tapes(40)).map(([project, tape]) => {
  const edited = narrowed(diceOf(tape), project);
  const [whole, less] = [build(filesOf(project)), edited && build(filesOf(edited as SampleProject))];
  const isSound = less !== undefined && whole.errors.length === 0 && less.errors.length === 0;
  return isSound ? { whole, less } : undefined;
});

const check = (runs: number, hold: (pair: { readonly whole: Built; readonly less: Built }) => void): number => {
  let held = 0;
  const property = fc.property(pairs, (pair) => {
    if (pair === undefined) return;
    held++;
    hold(pair);
  });
  fc.assert(property, { numRuns: runs * RUNS, interruptAfterTimeLimit: 15_000 * RUNS });
  return held;
};

const ofTools = ({ kind }: AccessChanged): boolean => kind === "tool" || kind === "effect" || kind === "condition";

describe("over generated projects", () => {
  test("what is one isn't different from itself", () => {
    const held = check(20, ({ whole }) => {
      expect(difference(whole, whole)).toMatchObject({ verdict: "same", changes: [], renamed: [] });
    });
    expect(held).toBeGreaterThan(5);
  });

  test("one more restriction never gives a tool, and never asks less", () => {
    let changed = 0;
    check(60, ({ whole, less }) => {
      const changes = difference(whole, less).changes.filter(ofTools);
      changed += changes.length;
      const gained = changes.filter(({ direction, kind }) => direction === "widens" && kind !== "condition");
      expect(gained).toEqual([]);
    });
    expect(changed).toBeGreaterThan(10);
  });

  test("and the way back is the mirror of it", () => {
    check(30, ({ whole, less }) => {
      const there = difference(whole, less).changes.filter(({ kind }) => kind === "tool" || kind === "effect");
      const back = difference(less, whole).changes.filter(({ kind }) => kind === "tool" || kind === "effect");
      const mirrored = there.map((one) => ({
        ...one,
        direction: one.direction === "widens" ? "narrows" : "widens",
        before: one.after,
        after: one.before,
      }));
      expect(back).toEqual(mirrored);
    });
  });

  test("each call that is shown passes now and didn't before, as the runtime judges", () => {
    let shown = 0;
    check(80, ({ whole, less }) => {
      const { changes } = difference(less, whole);
      for (const { change, example } of describeAll(changes, less.plan, whole.plan, satisfies)) {
        if (example === undefined) continue;
        shown++;
        const { role, server, tool } = change;
        expect(["allow", "ask"]).toContain(whole.may(role!, server!, tool!, example));
        expect(less.may(role!, server!, tool!, example)).toBe("deny");
      }
    });
    expect(shown).toBeGreaterThan(10);
  });
});
