import { expect, test } from "vitest";
import { digestOf } from "../../compiler/base/digest.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { isWhollyKnown, readServed, servedText } from "../../compiler/serve/served-text.ts";
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

/** Each part of a value, replaced by something of every other kind or taken out. */
function* changedIn(value: unknown): Generator<unknown> {
  for (const other of [null, [], {}, "", 7, [["one", "{"]]]) yield other;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.map((one, i) => (String(i) === key ? other : one)) : { ...value, [key]: other };
    yield put(undefined);
    for (const other of changedIn(part)) yield put(other);
  }
}

test("what isn't as it was written is no such text, whatever became of it", () => {
  const text = servedText(servedOf(["free: { tools: { files: [tool_1] } }"]));
  const told = JSON.parse(text) as object;
  const changed = [...changedIn(told)].map((one) => JSON.stringify(one)).filter((one) => one !== text.trim());
  expect(changed.length).toBeGreaterThan(100);
  const others = ["", "null", "{", text.slice(0, text.length / 2), text.replace('"free"', '"fred"'), `${text} `];
  for (const one of [...changed, ...others, JSON.stringify(told, undefined, 2), "[".repeat(200_000)])
    expect(readServed(one)).toBeUndefined();
  expect(readServed(text)).toBeDefined();
});

test("what a newer rolecall wrote, with more in it, is read, and known not to be known whole", () => {
  const served = servedOf(["free: { tools: { files: [tool_1] } }"]);
  const text = servedText({ ...served, left: served });
  expect(isWhollyKnown(text)).toBe(true);
  const about = text.slice(text.indexOf('"format"'), -2);
  for (const more of [`{${about},"later":[]}`, `{${about.replace('"left":{', '"left":{"later":{},')}}`]) {
    const newer = `{"digest":"${digestOf(more)}",${more.slice(1)}\n`;
    expect([readServed(newer) === undefined, isWhollyKnown(newer)]).toEqual([false, false]);
  }
  expect(isWhollyKnown("{}")).toBe(false);
});
