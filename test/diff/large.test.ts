import { expect, test } from "vitest";
import { compare } from "../../compiler/diff/compare.ts";
import { definitionParts } from "../../compiler/diff/definition-parts.ts";
import { PATHS, shapeOfGlob } from "../../compiler/diff/glob-shape.ts";
import { noLongerAway } from "../../compiler/diff/host-direction.ts";
import { includes } from "../../compiler/diff/inclusion.ts";
import type { Tool } from "../../compiler/3-plan/types.ts";

/** Small files that made `diff` stand still: minutes before, far less than a second now. */

const MOST_MS = 5_000;
function within<T>(doing: () => T): T {
  const start = performance.now();
  const made = doing();
  expect(performance.now() - start).toBeLessThan(MOST_MS);
  return made;
}

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test("every role has another name and other tools", () => {
  const access = (name: string, from: number) => ({
    project: "p",
    guards: [],
    servers: [],
    roles: many(500, (i) => ({
      name: `${name}${i}`,
      servers: [{ name: "s", tools: many(40, (k) => ({ name: `t${k + from}`, effect: "allow" as const, where: [] })) }],
      builtins: [],
      delegates: [],
    })),
  });
  expect(
    within(() =>
      compare(
        access("a", 0),
        access("b", 1),
        () => false,
        () => [],
      ),
    ).renamed,
  ).toEqual([]);
  expect(
    within(() =>
      compare(
        access("a", 0),
        access("b", 0),
        () => false,
        () => [],
      ),
    ).renamed,
  ).toEqual([]);
});

test("a schema demands a hundred thousand arguments", () => {
  const tool = (name: string): Tool => {
    const names = many(60_000, (i) => `${name}${i}`);
    const inputSchema = JSON.stringify({
      type: "object",
      properties: Object.fromEntries(names.map((one) => [one, true])),
      required: names,
    });
    const hints = { readOnly: false, destructive: false, idempotent: false, openWorld: false };
    return {
      digest: name,
      hints,
      labels: [],
      texts: () => ({ inputSchema, outputSchema: undefined, title: "", description: "" }),
    } as unknown as Tool;
  };
  expect(within(() => definitionParts(tool("a"), tool("b")))).toHaveLength(41);
});

test("a glob has two hundred stars: whether another is within can't be told", () => {
  const glob = (step: number, stars: number) =>
    shapeOfGlob(`a${many(stars, (i) => `*${String.fromCodePoint(0x4e00 + ((i * step) % stars))}`).join("")}`);
  expect(within(() => includes(glob(1, 200), glob(7, 200), PATHS))).toBeUndefined();
  expect(includes(glob(1, 4), glob(3, 4), PATHS)?.holds).toBe(false);
});

test("a host is kept from twenty thousand tools, before and now", () => {
  const away = (from: number) => ({
    block: "hosts" as const,
    name: "cursor",
    settings: {},
    unsaid: new Set<string>(),
    given: () => ({ tools: new Set<string>(), names: new Set(["r: s.t0"]), own: new Set<string>() }),
    away: () => new Set(many(20_000, (i) => `r: s.t${i + from}`)),
  });
  expect(within(() => noLongerAway(away(0), away(1)))).toEqual(["r: s.t0"]);
  expect(within(() => noLongerAway(away(0), away(0)))).toEqual([]);
});
