// Two states of one generated project, and what must be true of the difference between them.
import { fc } from "./generated.ts";
import { expect } from "vitest";
import { accessOf } from "../../compiler/3-plan/access.ts";
import { compare } from "../../compiler/diff/compare.ts";
import { describeAll } from "../../compiler/diff/describe.ts";
import { moreNamedBetween, schemasIn } from "../../compiler/diff/more-named.ts";
import type { AccessChanged, AccessDifference } from "../../compiler/diff/types.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import { arbitraryProject, type SampleProject } from "./arbitrary/project.ts";
import { someArguments } from "./arbitrary/tools.ts";
import { build, RANK, type Built } from "./built-project.ts";
import { diceOf, tapes, type Dice } from "./dice.ts";
import { narrowed } from "./project-edits.ts";
import { filesOf } from "./project-layout.ts";

const satisfies = await schemaJudge();

export interface AccessPair {
  readonly before: Built;
  readonly after: Built;
  readonly difference: AccessDifference;
  readonly back: AccessDifference;
  /** `after` is `before` with one more restriction. */
  readonly isNarrowed: boolean;
}

/** A project and two restrictions of it: each against each. Empty where one of them doesn't build. */
const pairs = fc.tuple(arbitraryProject, tapes(40), tapes(40), tapes(400)).map(([project, one, other, calls]) => {
  const less = [one, other].map((tape) => narrowed(diceOf(tape), project));
  if (less.includes(undefined)) return { pairs: [], calls };
  const [whole, first, second] = [project, ...(less as SampleProject[])].map((each) => build(filesOf(each)));
  const isSound = [whole!, first!, second!].every(({ errors }) => errors.length === 0);
  const of = (before: Built, after: Built, isNarrowed: boolean): AccessPair => ({
    before,
    after,
    isNarrowed,
    difference: differenceOf(before, after),
    back: differenceOf(after, before),
  });
  if (!isSound) return { pairs: [], calls };
  return {
    calls,
    pairs: [
      of(whole!, whole!, true),
      of(whole!, first!, true),
      of(first!, whole!, false),
      of(whole!, second!, true),
      of(second!, whole!, false),
      of(first!, second!, false),
      of(second!, first!, false),
    ],
  };
});

export function differenceOf(before: Built, after: Built): AccessDifference {
  const moreNamed = moreNamedBetween(schemasIn(before.plan), schemasIn(after.plan));
  return compare(accessOf(before.plan), accessOf(after.plan), satisfies, moreNamed);
}

export interface Counted {
  pairs: number;
  changes: number;
  calls: number;
  /** Calls that were refused before and pass now. */
  opened: number;
  examples: number;
}

/** Holds every law over so many pairs and says what they were made of: a law over nothing proves nothing. */
export function holdLaws(wanted: number, limitMs: number): Counted {
  const counted: Counted = { pairs: 0, changes: 0, calls: 0, opened: 0, examples: 0 };
  const property = fc.property(pairs, ({ pairs: found, calls }) => {
    const dice = diceOf(calls);
    for (const pair of found) {
      counted.pairs++;
      counted.changes += pair.difference.changes.length;
      holdSame(pair);
      holdMirror(pair);
      holdNarrowed(pair);
      holdExamples(pair, counted);
      holdCalls(pair, dice, counted);
    }
  });
  const begun = Date.now();
  while (counted.pairs < wanted && Date.now() - begun < limitMs)
    fc.assert(property, { numRuns: 50, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false });
  return counted;
}

function holdSame({ before, after, difference }: AccessPair): void {
  if (before === after) expect(difference).toMatchObject({ verdict: "same", changes: [], renamed: [] });
  expect(difference.verdict === "same").toBe(difference.changes.length === 0);
}

const isOfTool = ({ kind }: AccessChanged): boolean => kind === "tool" || kind === "effect";
const MIRROR = { widens: "narrows", narrows: "widens", changed: "changed" } as const;

/** A tool that came on the one way goes on the other; what only narrows on the one way only widens on the other. */
function holdMirror({ difference, back }: AccessPair): void {
  const mirrored = difference.changes
    .filter(isOfTool)
    .map((one) => ({ ...one, direction: MIRROR[one.direction], before: one.after, after: one.before }));
  expect(back.changes.filter(isOfTool)).toEqual(mirrored);
  const conditions = ({ changes }: AccessDifference) => changes.filter(({ kind }) => kind === "condition");
  const there = conditions(difference);
  conditions(back).forEach((one, i) => {
    const other = there[i]!;
    expect([one.role, one.server, one.tool, one.before, one.after]).toEqual([
      other.role,
      other.server,
      other.tool,
      other.after,
      other.before,
    ]);
    if (other.direction !== "widens") expect(one.direction).toBe(MIRROR[other.direction]);
  });
  expect(conditions(back)).toHaveLength(there.length);
}

/** One more restriction never gives a tool, and never asks less. */
function holdNarrowed({ difference, isNarrowed }: AccessPair): void {
  if (isNarrowed) expect(difference.changes.filter((one) => isOfTool(one) && one.direction === "widens")).toEqual([]);
}

function holdExamples({ before, after, difference }: AccessPair, counted: Counted): void {
  for (const { change, example: exampleOf } of describeAll(difference.changes, before.plan, after.plan, satisfies)) {
    const example = exampleOf();
    if (example === undefined) continue;
    counted.examples++;
    const { role, server, tool } = change;
    expect(["allow", "ask"]).toContain(after.may(role!, server!, tool!, example));
    expect(before.may(role!, server!, tool!, example)).toBe("deny");
  }
}

/** Where nothing is said to widen, no call passes that didn't, and none is asked about no more. */
function holdCalls({ before, after, difference }: AccessPair, dice: Dice, counted: Counted): void {
  const keyOf = (...names: (string | undefined)[]): string => names.join("\0");
  const widened = new Set(
    difference.changes
      .filter(({ direction }) => direction === "widens")
      .map(({ role, server, tool }) => keyOf(role, server, tool)),
  );
  for (const role of after.plan.roles)
    for (const { server, decisions } of role.grants)
      for (const tool of server.tools) {
        const { effect, where } = decisions[tool.index]!;
        const was = before.effect(role.name, server.name, tool.name);
        const isWidened =
          widened.has(keyOf(role.name, server.name, tool.name)) ||
          widened.has(keyOf(undefined, server.name, undefined));
        if (isWidened) counted.opened++;
        if (effect === "deny" || isWidened) continue;
        expect(RANK[was]).toBeGreaterThanOrEqual(RANK[effect]);
        const pinned = { name: tool.name, inputSchema: tool.definition().inputSchema };
        for (let i = 0; i < (where.length > 0 ? 6 : 1); i++) {
          const args = someArguments(dice, pinned as never);
          const [old, now] = [before, after].map((one) => one.may(role.name, server.name, tool.name, args));
          counted.calls++;
          if (RANK[now!] > RANK[old!])
            expect({ role: role.name, tool: tool.name, args, old, now }).toEqual("refused as before");
        }
      }
}
