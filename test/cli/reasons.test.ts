import { expect, test } from "vitest";
import type { Decision, Reason } from "../../compiler/3-plan/types.ts";
import { decisiveReason, reasonWords } from "../../compiler/cli/access-words.ts";
import { durationWords } from "../../compiler/cli/tool-words.ts";
import { conditionDemands } from "../../compiler/3-plan/condition-words.ts";

const reason = (rule: Reason["rule"], by = "x", written: string = rule): Reason => ({
  rule,
  by,
  written,
  from: { file: "a.yaml", path: [] },
});
const decision = (effect: Decision["effect"], ...because: Reason[]): Decision => ({ effect, where: [], because });
const policy = (effect: "deny" | "ask" | "where"): Reason => ({ ...reason("policy", "writes", "writes"), effect });

test.each([
  ["what granted it", decision("allow", reason("include"), reason("include", "y")), "granted by x: `include`"],
  ["what makes it ask", decision("ask", reason("ask"), reason("include")), "asked for by x: `ask`"],
  [
    "what took it away",
    decision("deny", reason("include"), reason("exclude"), reason("where")),
    "excluded by x: `exclude`",
  ],
  [
    "the ceiling",
    decision("deny", reason("include"), reason("ceiling")),
    "beyond what the server's tools allow: `ceiling`",
  ],
  ["a policy that denies", decision("deny", reason("include"), policy("deny")), "denied by the policy `writes`"],
  ["a policy that asks", decision("ask", reason("include"), policy("ask")), "asked for by the policy `writes`"],
  [
    "a policy that conditions",
    decision("ask", reason("include"), policy("where")),
    "conditioned by the policy `writes`",
  ],
  ["nothing, whatever policies say too", decision("deny", reason("nothing"), policy("deny")), "nothing grants it"],
])("the line that says most: %s", (_, given, want) => expect(reasonWords(decisiveReason(given)!)).toBe(want));

test.each([
  [{ glob: "tests/**" }, "path must match the glob `tests/**`"],
  [{ enum: ["a", 1] }, 'path must be one of "a", 1'],
  [{ enum: ["a"], optional: true }, 'path must be "a" and may be left out'],
  [{ pattern: "a\u202e+", glob: "*" }, "path must match the glob `*` and must match the pattern `a\\u202e+`"],
  [{ schema: { type: "string" } }, 'path must satisfy the schema {"type":"string"}'],
])("%j in words", (condition, want) =>
  expect(conditionDemands([{ argument: "path", conditions: [condition] }])).toEqual([want]),
);

test.each([
  [500, "500 ms"],
  [30_000, "30 s"],
  [90_000, "90 s"],
  [120_000, "2 m"],
])("%i ms is %s", (ms, want) => expect(durationWords(ms)).toBe(want));
