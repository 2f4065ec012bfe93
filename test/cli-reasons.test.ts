import { expect, test } from "vitest";
import type { Decision, Reason } from "../compiler/3-plan/types.ts";
import { decisiveReason, reasonWords } from "../compiler/cli/views/access.ts";
import { conditionWords, durationWords } from "../compiler/cli/views/tool-words.ts";

const reason = (rule: Reason["rule"], by = "x", written: string = rule): Reason => ({ rule, by, written, from: { file: "a.yaml", path: [] } });
const decision = (effect: Decision["effect"], ...because: Reason[]): Decision => ({ effect, where: [], because });
const policy = reason("policy", "writes are asked", "writes are asked");

test.each([
  ["what granted it", decision("allow", reason("include"), reason("include", "y")), "granted by x: `include`"],
  ["what makes it ask", decision("ask", reason("ask"), reason("include")), "asked for by x: `ask`"],
  ["what took it away", decision("deny", reason("include"), reason("exclude"), reason("where")), "excluded by x: `exclude`"],
  ["the ceiling", decision("deny", reason("include"), reason("ceiling")), "beyond what the server's tools allow: `ceiling`"],
  ["a policy that must have denied", decision("deny", reason("include"), policy), "denied by the policy `writes are asked`"],
  ["a policy that narrows", decision("ask", reason("include"), policy), "narrowed by the policy `writes are asked`"],
  ["nothing, whatever policies say too", decision("deny", reason("nothing"), policy), "nothing grants it"],
])("the line that says most: %s", (_, given, want) => expect(reasonWords(decisiveReason(given)!, given)).toBe(want));

test("a policy that asks isn't blamed for a denial", () => {
  for (const other of [reason("nothing"), reason("exclude"), reason("policy", "second")]) {
    expect(reasonWords(policy, decision("deny", other, policy))).toBe("also under the policy `writes are asked`");
  }
});

test.each([
  [{ glob: "tests/**" }, "path must match the glob `tests/**`"],
  [{ enum: ["a", 1] }, 'path must be one of "a", 1'],
  [{ enum: ["a"], optional: true }, 'path must be "a" and may be left out'],
  [{ pattern: "a\u202e+", glob: "*" }, "path must match the glob `*` and must match the pattern `a\\u202e+`"],
  [{ schema: { type: "string" } }, 'path must satisfy the schema {"type":"string"}'],
])("%j in words", (condition, want) => expect(conditionWords([{ argument: "path", conditions: [condition] }])).toEqual([want]));

test.each([[500, "500 ms"], [30_000, "30 s"], [90_000, "90 s"], [120_000, "2 m"]])("%i ms is %s", (ms, want) => expect(durationWords(ms)).toBe(want));
