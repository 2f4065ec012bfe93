import { expect, test } from "vitest";
import { planned } from "../support/compiled.ts";

/** Which variables somebody has to set. */

function variablesOf(header: string): Record<string, boolean> {
  const { plan } = planned({
    "mcp/a.yaml": `servers: { a: { connect: [{ http: "https://a.example.com", headers: { X: "${header}" } }] } }`,
  });
  return Object.fromEntries(plan.servers[0]!.variables.map(({ name, required }) => [name, required]));
}

test.each([
  ["${A}", { A: true }],
  ["${A:?say why}", { A: true }],
  ["${A:-b}", { A: false }],
  ["${A:+Bearer ${A}}", { A: false }],
  ["${A:+${A:?never}}", { A: false }],
  ["${A:+${B}}", { A: false, B: true }],
  ["${A:+${B:+${A}${B}}}", { A: false, B: false }],
  ["${A:+Bearer ${A}} ${A}", { A: true }],
  ["${A:-${A}}", { A: true }],
])("%s", (header, expected) => {
  expect(variablesOf(header)).toEqual(expected);
});
