import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { judgeOf } from "../../runtime/conditions.ts";
import type { Condition, JsonValue } from "../../runtime/contract.ts";

const tool = { schema: { properties: { paths: {}, edits: {} } }, satisfies: () => true };

function verdict(argument: "paths" | "edits[].path", condition: Condition, list: JsonValue): string {
  const judge = judgeOf([{ argument, conditions: [condition] }], tool);
  const judgement = judge(argument === "paths" ? { paths: list } : { edits: list }, "/srv/app");
  return judgement.ok ? "ok" : judgement.why;
}

/** Of 20 ms each where nothing else runs. The dearest that is let through takes four, what nothing counts hundreds. */
const MOST_FLOORS = 8;

/** Spent as an expression that goes back spends it. */
const floorText = "a".repeat(5_000);
const floor = (): unknown => /a.*b|a.*c/.test(floorText);

/**
 * How often the floor fits into the work: whatever slows both down, another's load or a smaller machine, doesn't count.
 * They take turns, and only what is truly slow is tried again.
 */
function leastFloors(work: () => void): number {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= MOST_FLOORS; tries++) {
    const ours = spentMs(work);
    least = Math.min(least, ours / Math.max(spentMs(floor), spentMs(floor)));
  }
  return least;
}

function spentMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

describe("nothing that is judged holds an app for a tenth of a second", () => {
  const manyWays = `(?:${Array.from({ length: 60 }, (_, i) => `[ab]*${i}x`).join("|")}|a*)`;
  test.each<[name: string, condition: Condition, text: (length: number) => string]>([
    ["a glob of many stars", { glob: `**/${"*/".repeat(20)}**` }, (length) => `${"a/".repeat(length / 2 - 1)}aa`],
    [
      "a glob of a thousand parts",
      { glob: Array(1000).fill("**").join("/a/") },
      (length) => `${"a/".repeat(length / 2 - 1)}aa`,
    ],
    ["a glob that goes back", { glob: `**/*a${"*a".repeat(7)}*` }, (length) => "a".repeat(length)],
    ["a glob of letters of two units", { glob: "**" }, (length) => "\ufdfa".repeat(length)],
    ["a glob of marks upon one letter", { glob: "**" }, (length) => `a${"\u0323\u0301".repeat(length / 2 - 1)}`],
    ["a quadratic pattern", { pattern: ".*a.*b.*" }, (length) => "ab".padEnd(length, "a")],
    ["three quadratic patterns", { pattern: "(?:.*a.*b)|(?:.*c.*d)|(?:.*e.*f)|[^]*" }, (length) => "a".repeat(length)],
    ["a pattern of many ways", { pattern: manyWays }, (length) => "a".repeat(length)],
  ])("%s", { timeout: 60_000 }, (_, condition, text) => {
    for (const length of [4, 64, 1024, 4096]) {
      const list = Array<string>(150_000).fill(text(length));
      let said = "";
      expect(leastFloors(() => (said = verdict("paths", condition, list)))).toBeLessThan(MOST_FLOORS);
      expect(said).toMatch(/more text than one call may have judged|doesn't match|is longer than/);
    }
  });
});

describe("what one call may have judged", () => {
  // Read in quadratic time, and right: nothing ends the judging early.
  const slow = "ab".padEnd(4096, "a");

  test.each<[name: string, condition: Condition, texts: readonly string[]]>([
    ["a quadratic pattern", { pattern: ".*a.*b.*" }, Array<string>(1000).fill(slow)],
    ["two halves", { pattern: ".*a.*b" }, Array<string>(1000).fill(`${slow.slice(0, -1)}b`)],
    ["a glob", { glob: "**/*a*" }, Array<string>(1000).fill("a/".repeat(2047) + "a")],
    ["many short ones", { glob: "**" }, Array<string>(400_000).fill("a/b")],
  ])("%s over a long list is refused before it takes long", (_, condition, texts) => {
    let said = "";
    expect(leastFloors(() => (said = verdict("paths", condition, texts)))).toBeLessThan(MOST_FLOORS);
    expect(said).toBe("`paths` holds more text than one call may have judged");
    const listed = texts.map((path) => ({ path }));
    expect(verdict("edits[].path", condition, listed)).toContain("more text than one call may have judged");
  });

  test.each<[name: string, condition: Condition, list: JsonValue[]]>([
    ["an enum of texts", { enum: numbered(2000) }, Array<string>(100_000).fill("v1999")],
    [
      "an enum of objects",
      { enum: numbered(2000).map((v) => ({ v })) },
      Array.from({ length: 100_000 }, () => ({ v: "v1999" })),
    ],
    [
      "an enum of one object",
      { enum: [{}] },
      Array<JsonValue>(3).fill(Object.fromEntries(numbered(900_000).entries())),
    ],
    ["a schema", { schema: { enum: numbered(400) } }, Array<string>(250_000).fill("a".repeat(200))],
    ["letters of two units", { schema: { maxLength: 1e9, minLength: 1 } }, Array<string>(4000).fill("😀".repeat(2000))],
    ["short values", { schema: { maxLength: 1, minLength: 0 } }, Array<string>(180_000).fill("a")],
  ])("%s over a long list takes no time", (_, condition, list) => {
    const validate = new Ajv2020().compile((condition.schema ?? {}) as object);
    const satisfies = (_schema: JsonValue, value: JsonValue): boolean => validate(value) || true;
    const judge = judgeOf([{ argument: "paths", conditions: [condition] }], { ...tool, satisfies });
    let judgement = judge({ paths: list }, "/srv/app");
    expect(leastFloors(() => (judgement = judge({ paths: list }, "/srv/app")))).toBeLessThan(MOST_FLOORS);
    if ((condition.enum?.length ?? 0) > 1) expect(judgement.ok).toBe(true);
    else expect(judgement).toMatchObject({ why: "`paths` holds more text than one call may have judged" });
  });

  const parts = Array.from({ length: 500 }, (_, i) => ({
    items: { title: `t${i}` },
    additionalProperties: { title: `v${i}` },
  }));
  const named = parts.map((_, i) => ({ properties: { a: { properties: { [`b${i}`]: {} } } } }));
  const $defs = Object.fromEntries(parts.map((_, i) => [`d${i}`, {}]));
  const tuple = parts.map((_, i) => ({
    title: `${i}`,
    anyOf: parts.map((__, other) => ({ $ref: `#/$defs/d${other}` })),
  }));
  const many = Array.from({ length: 20_000 }, () => ({ a: { b499: {} } }));

  test.each<[name: string, list: JsonValue, args: JsonValue, why: string | undefined]>([
    ["elements", { allOf: parts }, many, undefined],
    ["values", { allOf: parts }, Object.fromEntries(many.entries()), undefined],
    ["named values", { items: { allOf: named } }, many, undefined],
    [
      "an unnamed one",
      { items: { allOf: named } },
      [...many, { a: { c: 1 } }],
      "the tool's schema doesn't name `list[].a.c`",
    ],
    [
      "a long tuple of ever other parts",
      { prefixItems: tuple },
      many,
      "`list[]` holds more text than one call may have judged",
    ],
    [
      "very many",
      { items: { allOf: named } },
      many.flatMap((one) => Array<typeof one>(20).fill(one)),
      "more text than one",
    ],
  ])("what a schema of many parts names, of %s, is found soon", (_, list, args, why) => {
    const schema = { properties: { path: {}, list }, $defs };
    const judge = judgeOf([{ argument: "path", conditions: [{ enum: ["x"] }] }], { schema, satisfies: () => true });
    let said: string | undefined;
    const spent = leastFloors(() => {
      const judgement = judge({ path: "x", list: args }, "/srv/app");
      said = judgement.ok ? undefined : judgement.why;
    });
    expect(said).toEqual(why === undefined ? undefined : expect.stringContaining(why));
    expect(spent).toBeLessThan(MOST_FLOORS);
  });

  test.each([
    ["ten thousand paths", Array<string>(10_000).fill("tests/unit/some-folder/some-file-with-a-name.test.ts")],
    ["ten long ones", Array<string>(10).fill(`tests/${"a".repeat(4000)}`)],
  ])("%s are judged", (_, texts) => {
    expect(verdict("paths", { glob: "tests/**" }, texts)).toBe("ok");
  });
});

function numbered(length: number): string[] {
  return Array.from({ length }, (_, i) => `v${i}`);
}
