import { expect, test } from "vitest";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import { takeOver } from "../../compiler/serve/take-over.ts";
import { manifest, planned } from "../support/compiled.ts";

/** Nobody is asked about what opens nothing, and a question names all that a yes gives. */

test("what a policy is called, or where one without a name stands, is no question", () => {
  const policy = (name: string, tool: string): string =>
    `{ ${name === "" ? "" : `name: ${name}, `}roles: ["*"], tools: [files.${tool}], effect: ask }`;
  const ruled = (...policies: readonly string[]) =>
    servePlan(
      planned({
        "mcp/servers.yaml": "servers: { files: { connect: [{ stdio: [files] }] } }\n",
        "mcp/manifests/files.json": manifest("read", "drop"),
        "mcp/roles.yaml": "roles: { reader: { tools: { files: [read] } } }\n",
        "mcp/policies.yaml": `policies: [${policies.join()}]\n`,
      }).plan,
    );
  const waiting = (...pair: readonly [ReturnType<typeof ruled>, ReturnType<typeof ruled>]) =>
    takeOver(...pair, () => false).waiting.map(({ kind, before, after }) => [kind, before, after]);
  const before = ruled(policy("one", "read"), policy("", "drop"));
  const renamed = ruled(policy("", "drop"), policy("two", "read"));
  const kept = readServed(servedText(before))!;
  expect([waiting(before, renamed), waiting(kept, renamed)]).toEqual([[], []]);
  expect(waiting(kept, ruled(policy("two", "read")))).toEqual([["guard", "mcp/policies.yaml#policies[1]", null]]);
  // What an older rolecall accepted says less.
  expect(waiting({ ...before, rules: undefined }, renamed).length).toBeGreaterThan(0);
});

test("what a condition lost, and gets again beside more, is told as what comes", () => {
  const values = (list: string, tools = "drop") =>
    servePlan(
      planned({
        "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [s] }] } }\n",
        "mcp/manifests/s.json": manifest({ name: "drop", arguments: ["x"] }, "more"),
        "mcp/roles.yaml": `roles: { tester: { tools: { s: { include: [${tools}], where: { drop: { x: { enum: [${list}] } } } } } } }\n`,
      }).plan,
    );
  const { kept } = takeOver(values("a, b"), values("a", "drop, more"), () => false);
  const told = takeOver(kept!, values("a, b, c"), () => false).waiting.map(({ kind, before }) => [kind, before]);
  expect(told).toEqual([["condition", { x: [{ enum: ["a"] }] }]]);
});

test("conditions that let the same through are no question, in whatever order and words", async () => {
  const when = (conditions: string) =>
    servePlan(
      planned({
        "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [s] }] } }\n",
        "mcp/manifests/s.json": manifest({ name: "drop", arguments: ["x"] }),
        "mcp/roles.yaml": `roles: { tester: { tools: { s: { include: [drop], where: { drop: { x: ${conditions} } } } } } }\n`,
      }).plan,
    );
  const [before, satisfies] = [when("{ enum: [a, b] }"), await schemaJudge()];
  for (const same of ["{ enum: [b, a] }", '{ enum: [a, b], pattern: "[ab]" }']) {
    const after = when(same);
    expect(takeOver(before, after, satisfies)).toMatchObject({ served: after, waiting: [] });
  }
  expect(takeOver(before, when("{ enum: [b, a, c] }"), satisfies).waiting.length).toBe(1);
});

const hinted = (hints: string, more = "owner: kit") =>
  servePlan(
    planned({
      "mcp/servers.yaml": `servers:\n  s: { connect: [{ stdio: [s] }], hints: { drop: { ${hints} } }, ${more} }\n`,
      "mcp/manifests/s.json": manifest("drop"),
      "mcp/roles.yaml": "roles: { tester: { tools: { s: [drop] } } }\n",
    }).plan,
  );
const [GOOD, LESS] = [hinted("readOnly: true, openWorld: false"), hinted("readOnly: false")];
/** With something else that waits. */
const LESS_AND_MORE = { ...LESS, settings: { ...GOOD.settings, record: "r.jsonl" } };

test("hints that were too good are corrected at once, or nothing is called by them", () => {
  expect(takeOver(GOOD, LESS, () => false)).toMatchObject({ served: LESS, waiting: [] });
  const waiting = (one: typeof GOOD, other: typeof GOOD) =>
    takeOver(one, other, () => false).waiting.map(({ kind }) => kind);
  expect(waiting(LESS, GOOD)).toEqual(["definition"]);
  expect(waiting(GOOD, hinted("readOnly: true, idempotent: true"))).toEqual(["definition"]);
  const labelled = hinted("readOnly: false", "labels: { untrusted-content: [drop] }");
  expect(waiting(GOOD, labelled)).toEqual(["definition"]);
  // Beside what waits it would go on being called as what it isn't.
  for (const beside of [LESS_AND_MORE, hinted("readOnly: false, idempotent: true"), labelled])
    expect(takeOver(GOOD, beside, () => false).served.roles.get("tester")!.tools).toEqual([]);
});

test("a hint that was taken back comes again by a yes alone, though the build that took it opened something too", () => {
  const { kept } = takeOver(GOOD, LESS_AND_MORE, () => false);
  const known = readServed(servedText(kept!))!;
  expect(known).toEqual(kept);
  const { served, waiting } = takeOver(known, GOOD, () => false);
  expect(served.roles.get("tester")!.tools).toEqual([]);
  expect(waiting.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["definition", expect.stringContaining('"readOnly":false'), expect.stringContaining('"readOnly":true')],
  ]);
  expect(takeOver(known, LESS, () => false)).toMatchObject({ served: LESS, waiting: [] });
});

test("what a build leaves of a tool isn't more by what it opens of it: to be asked takes nothing of a condition away", async () => {
  const giving = (rest: string) =>
    servePlan(
      planned({
        "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [s] }] } }\n",
        "mcp/manifests/s.json": manifest({ name: "drop", arguments: ["x", "y"] }, "more"),
        "mcp/roles.yaml": `roles: { tester: { tools: { s: { ${rest} } } } }\n`,
      }).plan,
    );
  const satisfies = await schemaJudge();
  const when = (x: string, more = ""): string => `where: { drop: { x: { enum: [${x}] }${more} } }`;
  const accepted = giving(`include: [drop], ${when("a, b")}`);
  const first = takeOver(accepted, giving(`include: [drop, more], ${when("a", ", y: { enum: [c] }")}`), satisfies);
  const second = takeOver(first.kept!, giving(`include: [drop], ask: [drop], ${when("a, b, c")}`), satisfies);
  const { waiting } = takeOver(second.kept!, giving(`include: [drop], ask: [drop], ${when("a, b")}`), satisfies);
  expect(waiting.map(({ kind, before }) => [kind, before])).toEqual([
    ["condition", { x: [{ enum: ["a"] }], y: [{ enum: ["c"] }] }],
  ]);
});

test("a role that holds nothing waits when it comes, and goes without a question", () => {
  const roles = (more: string) =>
    servePlan(planned({ "mcp/roles.yaml": `roles: { tester: { description: Tests. }${more} }\n` }).plan);
  const [both, one] = [roles(", lead: {}"), roles("")];
  expect(takeOver(both, one, () => false)).toMatchObject({ served: one, waiting: [] });
  expect(takeOver(one, both, () => false).waiting.map(({ kind, role }) => [kind, role])).toEqual([["role", "lead"]]);
});
