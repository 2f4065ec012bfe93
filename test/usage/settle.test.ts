import { expect, test } from "vitest";
import { settle } from "../../compiler/usage/settle.ts";
import type { UsageEvent } from "../../compiler/usage/types.ts";

/** What code asks for and nobody who may be there holds: of several roles one that holds it is enough. */

const HELD = [{ role: "tester", server: "tracker", tool: "get_issue" }];
const asks = (kind: "names" | "lacks", tool: string, ...roles: string[]) =>
  ({ kind, roles, server: "tracker", tool, at: "src/app.ts:1" }) as unknown as UsageEvent;

test.each<[string, UsageEvent, string[]]>([
  ["what is held", asks("names", "get_issue", "tester"), []],
  ["what another role holds", asks("names", "get_issue", "lead"), ["lead.get_issue"]],
  ["what one of two holds", asks("names", "get_issue", "lead", "tester"), []],
  ["what neither holds", asks("names", "merge", "lead", "tester"), ["lead.merge", "tester.merge"]],
  ["what the types refuse", asks("lacks", "merge", "tester"), ["tester.merge"]],
])("%s", (_, event, expected) =>
  expect(settle([event], HELD).lacking.map(({ role, tool }) => `${role}.${tool}`)).toEqual(expected),
);
