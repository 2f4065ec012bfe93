import { expect, test } from "vitest";
import { team } from "../../../runtime/index.ts";

/** Options past every type, as an app's configuration may bring them. */

const TIME = "`askTimeoutMs` of a team is a number of milliseconds; leave it out for five minutes";

test.each([
  [{ askTimeoutMs: Number(undefined) }, TIME],
  [{ askTimeoutMs: "5000" }, TIME],
  [{ askTimeoutMs: null }, TIME],
  [{ recordArguments: "hsah" }, '`recordArguments` of a team is "full" or "hash" or "none"'],
  [{ recordArguments: true }, '`recordArguments` of a team is "full" or "hash" or "none"'],
  [{ start: "egaer" }, '`start` of a team is "lazy" or "eager"'],
])("%o is refused at once", (options, words) => {
  expect(() => team(options as object)).toThrow(new TypeError(words));
});

test.each([
  {},
  { askTimeoutMs: undefined, recordArguments: undefined, start: undefined },
  { askTimeoutMs: 0 },
  { askTimeoutMs: -1 },
  { askTimeoutMs: Infinity },
  { recordArguments: "none", start: "eager" },
] as const)("%o is sound", (options) => {
  expect(() => team(options)).not.toThrow();
});
