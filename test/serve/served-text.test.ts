import { expect, test } from "vitest";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import type { Served } from "../../compiler/serve/types.ts";
import { manifest, planned } from "../support/compiled.ts";

/** What was accepted, as it lies on disk between two starts. */

const tools = Array.from({ length: 50 }, (_, i) => ({
  name: `tool_${i}`,
  description: "x".repeat(2_000),
  arguments: ["path"],
}));
const servedOf = (roles: readonly string[]): Served =>
  servePlan(
    planned({
      "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
      "mcp/manifests/files.json": manifest(...tools),
      "mcp/roles.yaml": `roles:\n${roles.map((role) => `  ${role}\n`).join("")}`,
    }).plan,
  );
const all = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `role-${i}: { tools: { files: all } }`);

/** Of the roles all that a client could see. */
const rolesOf = ({ roles }: Served) =>
  [...roles.values()].map(({ name, data, instructions, tools: held, reads }) => ({
    name,
    data,
    instructions,
    tools: held,
    reads,
  }));

test("what many roles hold is there once: a project of hundreds of them has a text", () => {
  const [one, many] = [servedText(servedOf(all(1))).length, servedText(servedOf(all(40))).length];
  expect(many / one).toBeLessThan(3);
});

test("it comes back as it was, with what is said of a tool to one role alone", () => {
  const served = servedOf([
    "free: { tools: { files: [tool_1, tool_2] } }",
    "asked: { tools: { files: { include: [tool_1, tool_3], ask: [tool_1] } } }",
    "bound: { tools: { files: { include: [tool_1], where: { tool_1: { path: { enum: [a] } } } } } }",
  ]);
  const back = readServed(servedText(served))!;
  expect(rolesOf(back)).toEqual(rolesOf(served));
  expect(new Set(rolesOf(back).map((role) => JSON.stringify(role.tools[0]!.told))).size).toBe(3);
  expect(servedText(back)).toBe(servedText(served));
});

test("one of an older version, which has the tools with each role, is understood", () => {
  const served = servedOf(all(2));
  const { format, tools: _, ...others } = JSON.parse(servedText(served)) as { format: number; tools: unknown };
  expect(format).toBe(2);
  const back = readServed(JSON.stringify({ ...others, format: 1, roles: rolesOf(served) }))!;
  expect(rolesOf(back)).toEqual(rolesOf(served));
});

test("what names a tool that isn't there is no such text", () => {
  const { roles, ...others } = JSON.parse(servedText(servedOf(all(1)))) as { roles: readonly object[] };
  expect(
    readServed(JSON.stringify({ ...others, roles: roles.map((role) => ({ ...role, tools: [50] })) })) === undefined,
  ).toBe(true);
});
