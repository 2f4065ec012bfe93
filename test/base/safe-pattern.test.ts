import { describe, expect, test } from "vitest";
import { shapeOfPattern } from "../../compiler/base/pattern-syntax.ts";
import { unsafePattern } from "../../compiler/base/safe-pattern.ts";
import { ACCEPTED } from "../support/accepted-patterns.ts";

describe("accepted", () => {
  test.each(ACCEPTED)("%j", (source) => {
    expect(unsafePattern(source)).toBeUndefined();
  });
});

describe("refused", () => {
  const tooMany = "can read a text in too many ways";
  test.each([
    ["(a+)+", tooMany],
    ["([a-z]+)*", tooMany],
    ["(a|a)*", tooMany],
    ["(a|aa)+", tooMany],
    ["(a|[a-c])*d", tooMany],
    ["(x+x+)+y", tooMany],
    ["(.*a){12}", tooMany],
    ["(\\w+\\s?)*", tooMany],
    ["([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@x", tooMany],
    ["(\\p{L}|a)*", tooMany],
    ["([^\\p{L}]|1)*", tooMany],
    ["(\\ud83d\\ude00|\\u{1f600})*", tooMany],
    ["(\\x61|a)*", tooMany],
    ["([^a]|b)*", tooMany],
    ["(.|\\s)*", tooMany],
    ["(\\D|x)*", tooMany],
    ["(^a+$)+", tooMany],
    ["(?:(?:a|b)|(?:b|c))*", tooMany],
    ["((ab)*|(ab)+c?)*", "repeats something that can be empty"],
    ["a*a*", tooMany],
    [".*.*", tooMany],
    ["\\d+\\w+", tooMany],
    ["\\s*\\s*x", tooMany],
    ["a*b?a*", tooMany],
    ["(a*)(a*)", tooMany],
    [".*a.*b.*c", tooMany],
    ["(.*,){3}x", tooMany],
    ["a?".repeat(30) + "a".repeat(30), tooMany],
    ["(a|a)".repeat(20), tooMany],
    ["a{0,60}a{0,60}a{0,60}b", tooMany],
    ["(a{1,2000}){1,2000}", tooMany],
    ["(a*)*", "repeats something that can be empty"],
    ["(a?)+", "repeats something that can be empty"],
    ["(|a)*", "repeats something that can be empty"],
    ["(^)*", "repeats something that can be empty"],
    ["((){99999}){99999}", "repeats something that can be empty"],
    ["\\p{L}".repeat(26), "names too many classes of characters"],
    ["(a)\\1", "refers back to a group"],
    ["(?<x>a)\\k<x>", "refers back to a group"],
    ["(?=a)a", "looks ahead or behind"],
    ["(?!a).*", "looks ahead or behind"],
    ["(?<=a)b", "looks ahead or behind"],
    ["(?<!a)b", "looks ahead or behind"],
    ["(", "isn't a regular expression (`u` flag): "],
    ["a)|(?:b", "isn't a regular expression (`u` flag): "],
    ["\\-", "isn't a regular expression (`u` flag): "],
    ["a{2", "isn't a regular expression (`u` flag): "],
    ["[z-a]", "isn't a regular expression (`u` flag): "],
    ["*", "isn't a regular expression (`u` flag): "],
    ["a".repeat(4097), "is longer than 4096 characters"],
    ["(".repeat(200) + "a" + ")".repeat(200), "nests groups more than 100 deep"],
  ])("%j", (source, why) => {
    expect(unsafePattern(source)?.slice(0, why.length)).toBe(why);
  });
});

describe("the characters that a piece of a pattern takes", () => {
  test.each([
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\t",
    "\\n",
    "\\v",
    "\\f",
    "\\r",
    "\\0",
    "\\cA",
    "\\cz",
    "\\x7e",
    "\\u20ac",
    "\\u{20ac}",
    "\\.",
    "\\/",
    "[]",
    "[^]",
    "[a-cx-z]",
    "[^a-c]",
    "[\\w.-]",
    "[^\\s\\d]",
    "[\\b]",
    "[\\x00-\\x1f]",
    "[\\u0100-\\u{200}]",
    "[\\]\\\\\\-^]",
    "[-a]",
    "[a-]",
    "[z\\-a]",
    "\\ud83d",
    "[\\d-]",
    "[^^]",
    "\u20ac",
  ])("%j", (source) => {
    const shape = shapeOfPattern(source);
    const pattern = new RegExp(`^(?:${source})$`, "u");
    const ranges = typeof shape !== "string" && shape.kind === "character" ? shape.ranges : undefined;
    const differ: number[] = [];
    for (let point = 0; point <= 0x3100; point++) {
      const taken = ranges?.some((from, i) => i % 2 === 0 && point >= from && point <= ranges[i + 1]!);
      if (taken !== pattern.test(String.fromCodePoint(point))) differ.push(point);
    }
    expect(differ).toEqual([]);
  });
});
