import { describe, expect, test } from "vitest";
import { readArgumentsText } from "../../../runtime/session/arguments-text.ts";
import { fc } from "../../support/generated.ts";

/** Text that a host sends on as it is: what is judged is what everybody reads in it. */

describe("isn't read", () => {
  test.each([
    ['{"id":9007199254740993}', "a number"],
    ['{"id":9007199254740992.4}', "a number"],
    ['{"id":5.0000000000000001}', "a number"],
    ['{"list":[1,{"a":-0.10000000000000000001}]}', "a number"],
    ['{"id":1e400}', "a number"],
    ['{"id":1e-400}', "a number"],
    [`{"id":1${"0".repeat(1_000_000)}1}`, "a number"],
    ['{"id":1,"id":2}', "two equal keys"],
  ])("%.60s", (text, why) => expect(() => readArgumentsText(text)).toThrow(why));
});

test.each([
  ['{"q": at-0123456789abcdef}', "their text can't be read"],
  ['{"q": "hello", "token": at-0123456789abcdef, "more": "a long text that is longer than forty"}', "their text"],
  ['{"a":"some words", at-0123456789abcdef}', "their text can't be read from character 20 on"],
  ["{'a':'at-0123456789abcdef'}", "their text can't be read from character 2 on"],
  ["at-0123456789abcdef", "their text can't be read"],
])("%s: why not is told without a piece of it", (text, why) => {
  expect(() => readArgumentsText(text)).toThrow(why);
  expect(() => readArgumentsText(text)).not.toThrow(/at-|0123|words/);
});

describe("is read", () => {
  test.each([
    "9007199254740992",
    "9007199254740994",
    "1e21",
    "1E+2",
    "0.00010",
    "-0.0",
    "100.50e-1",
    '"9007199254740993"',
    '{"9007199254740993":"\\"9007199254740993"}',
    "1.7976931348623157e308",
    "5e-324",
  ])("%s", (text) => expect(readArgumentsText(text)).toEqual(JSON.parse(text)));

  test("whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(readArgumentsText(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
