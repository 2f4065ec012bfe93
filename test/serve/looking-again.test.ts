import { expect, test } from "vitest";
import { openLookingAgain, type Looked } from "../../compiler/cli/serve/looking-again.ts";

/** When it is looked again, in seconds, while every look ends like this. */
function looks(ends: (look: number) => Looked, seconds: number, tookMs = 0): number[] {
  let now = 0;
  const again = openLookingAgain(() => now);
  const at: number[] = [];
  again.anew();
  again.begun();
  again.ended(ends(0));
  for (; now <= seconds * 1000; now += 500) {
    if (!again.isDue()) continue;
    at.push(now / 1000);
    again.begun();
    expect(again.isDue()).toBe(false);
    now += tookMs;
    again.ended(ends(at.length));
  }
  return at;
}

test.each<[string, (look: number) => Looked, readonly number[]]>([
  ["what failed is tried until it succeeds", () => "failed", [0.5, 1.5, 3.5, 7.5, 15.5, 23.5, 31.5, 39.5]],
  ["and no more then", (look) => (look < 3 ? "failed" : "judged"), [0.5, 1.5, 3.5]],
  ["what isn't built is looked at a few times", () => "not built", [0.5, 1.5, 3.5, 7.5]],
  ["what was judged isn't", () => "judged", []],
])("%s", (_, ends, at) => expect(looks(ends, 40)).toEqual(at));

test("what takes its time is looked at seldom", () =>
  expect(looks(() => "failed", 100, 4_000)).toEqual([0.5, 44.5, 88.5]));
