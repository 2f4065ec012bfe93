import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { accessOf, type Access } from "../../compiler/3-plan/access.ts";
import { compareAccess, holdersOf } from "../../compiler/3-plan/compare-access.ts";
import { readAccess, readJudgedAccess } from "../../compiler/3-plan/read-access.ts";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { accessChunks } from "../../compiler/5-artifacts/review/access-json/index.ts";
import { arbitraryProject } from "../support/arbitrary/project.ts";
import { build } from "../support/built-project.ts";
import { filesOf } from "../support/project-layout.ts";
import { manifest, planned } from "../support/compiled.ts";

/** Access is a value: what `access.json` prints is read back as it was, and what isn't understood isn't read at all. */
const printed = (plan: Plan): string => [...accessChunks(plan)].join("");

const { plan } = planned({
  "mcp/team.yaml": `servers:
  github: { connect: [{ stdio: [gh] }] }
roles:
  reader: { tools: { github: [list_issues] } }
  tester:
    tools:
      github:
        include: [create_issue, list_issues]
        ask: [create_issue]
        where: { create_issue: { repo: { enum: [harbor] } } }
    builtins: { claude-code: [Read, Edit] }
    delegates: [reader]
policies:
  - { name: nobody merges, roles: ["*"], tools: [github.merge], effect: deny }
  - { name: of harbors, roles: ["*"], tools: [github.create_issue], where: { repo: { pattern: h.* } } }
`,
  "mcp/manifests/github.json": manifest({ name: "create_issue", arguments: ["repo"] }, "list_issues", "merge"),
});

describe("reading it back", () => {
  test("gives the same value", () => expect(readAccess(printed(plan))).toEqual(accessOf(plan)));

  test("of any project", () => {
    let read = 0;
    fc.assert(
      fc.property(arbitraryProject, (project) => {
        const built = build(filesOf(project));
        if (built.errors.length > 0) return;
        read++;
        expect(readAccess(printed(built.plan))).toEqual(accessOf(built.plan));
      }),
      { numRuns: 60 },
    );
    expect(read).toBeGreaterThan(20);
  });

  test.each<[written: string, change: (text: string) => string, problem: string]>([
    ["cut", (text) => text.slice(0, 200), "is no JSON"],
    ["with git's markers", (text) => `<<<<<<< ours\n${text}`, "is no JSON"],
    ["of another kind", () => '{"name":"x"}', "names no `format`"],
    ["of a newer rolecall", (text) => text.replace('"format": 1', '"format": 2'), "has format 2, and this rolecall"],
    ["with an effect that isn't known", (text) => text.replace('"ask"', '"maybe"'), "neither `allow` nor `ask`"],
    ["with a key more", (text) => text.replace('"connect"', '"also": 1, "connect"'), "says `also` of github"],
    ["with a key less", (text) => text.replace('"roles"', '"rules"'), "says `rules`"],
    ["with a list for a map", (text) => text.replace('"guards": {', '"guards": [], "x": {'), "says `x`"],
    ["with a name twice", (text) => text.replace('"project"', '"project": "y",\n  "project"'), "`project`"],
    ["with conditions on nothing", (text) => text.replace('"create_issue": "ask",', ""), "which isn't held"],
  ])("%s it is a problem, and never a smaller access", (_, change, problem) => {
    const changed = change(printed(plan));
    expect(changed).not.toBe(printed(plan));
    expect(readAccess(changed)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe("where its conditions will be asked something", () => {
  const saying = (conditions: unknown): string => {
    const access = JSON.parse(printed(plan));
    access.roles.tester.servers.github.where.create_issue.repo = conditions;
    return JSON.stringify(access);
  };
  const many = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

  test("what was compiled is read as ever", () => expect(readJudgedAccess(printed(plan))).toEqual(accessOf(plan)));

  test.each<[what: string, conditions: unknown, problem: string]>([
    [
      "a pattern that runs away",
      { pattern: "x|(?:.*){1000}!" },
      "with a pattern that repeats something that can be empty",
    ],
    ["one in a schema", { schema: { type: "string", pattern: "^(a+)+$" } }, "with a schema that has a pattern that"],
    ["a schema that unfolds", { schema: { anyOf: many(600, (i) => ({ const: i })) } }, "with a schema that unfolds"],
    ["a long glob", { glob: "a".repeat(5000) }, "with a glob that is longer than 4096 characters"],
    ["a glob that is none", { glob: "../x" }, "with a glob that holds the segment `..`"],
    ["a number for a glob", { glob: 5 }, "that is none"],
    ["a text for values", { enum: "harbor" }, "that is none"],
    ["a list for a schema", { schema: [] }, "that is none"],
    ["conditions without end", many(101, (i) => ({ enum: [i] })), "that has more than 100 parts"],
    ["globs that are long", many(20, (i) => ({ glob: `${"*/".repeat(900)}${i}` })), "more than can be compared"],
    ["patterns without end", many(99, (i) => ({ pattern: `.*longer-word-${i}.*` })), "with a pattern that can read"],
  ])("%s is a problem of the file", (_, conditions, problem) => {
    const text = saying(conditions);
    expect(readAccess(text)).toHaveProperty("roles");
    const read = readJudgedAccess(text);
    expect(read).toEqual({ problem: expect.stringContaining(problem) });
    expect(read).toHaveProperty("problem", expect.stringMatching(/^has a condition on `repo` of `create_issue`/));
  });

  test.each<[what: string, conditions: unknown]>([
    ["a kind that only a newer rolecall knows", { newer: "x" }],
    ["a list of many values with parts", { enum: many(6000, (i) => ({ i })) }],
    ["a pattern as people write them", { pattern: ".*word.*" }],
    ["names that objects have", { schema: { properties: { constructor: { type: "string" } } } }],
  ])("%s isn't", (_, conditions) => expect(readJudgedAccess(saying(conditions))).toHaveProperty("roles"));
});

test("conditions that many roles and tools share are counted once, and each schema for itself", () => {
  const access = JSON.parse(printed(plan));
  const { where } = access.roles.tester.servers.github;
  const [repo] = Object.values<unknown>(where.create_issue);
  const saying = (rules: Readonly<Record<string, unknown>>, count = 1): string => {
    where.create_issue = rules;
    const roles = Array.from({ length: count }, (_, i) => [`tester-${i}`, access.roles.tester]);
    return JSON.stringify({ ...access, roles: Object.fromEntries(roles) });
  };
  const long = { pattern: Array.from({ length: 24 }, (_, i) => `harbor/repository-${i}`).join("|") };
  expect(readJudgedAccess(saying({ repo, title: long }, 200))).toHaveProperty("roles");
  const schemas = Array.from({ length: 4_000 }, (_, i) => [`x${i}`, { schema: { type: "string", maxLength: i } }]);
  expect(readJudgedAccess(saying(Object.fromEntries(schemas.slice(0, 2_000))))).toHaveProperty("roles");
  expect(readJudgedAccess(saying(Object.fromEntries(schemas)))).toEqual({
    problem: expect.stringContaining("more than can be compared"),
  });
});

describe("comparing", () => {
  const changed = (edit: (text: string) => string): Access => readAccess(edit(printed(plan))) as Access;

  test("with itself gives nothing", () =>
    expect(compareAccess(accessOf(plan), accessOf(plan), ["github"])).toEqual([]));

  test.each<[string, (text: string) => string, object]>([
    [
      "a tool less",
      (text) => text.replace(/,\n *"list_issues": "allow"/, ""),
      { before: { effect: "allow" }, after: { effect: "deny" } },
    ],
    [
      "asked no more",
      (text) => text.replace('"ask"', '"allow"'),
      { before: { effect: "ask" }, after: { effect: "allow" } },
    ],
    ["another condition", (text) => text.replace("h.*", "x.*"), { before: { where: true }, after: { where: true } }],
  ])("tells %s", (_, edit, change) => {
    expect(compareAccess(accessOf(plan), changed(edit), ["github"])).toMatchObject([{ role: "tester", ...change }]);
    expect(compareAccess(accessOf(plan), changed(edit), ["another"])).toEqual([]);
  });

  test("holders are who has the tool on one of the servers", () => {
    expect(holdersOf(accessOf(plan), ["github"], "list_issues")).toEqual(["reader", "tester"]);
    expect(holdersOf(accessOf(plan), ["github"], "merge")).toEqual([]);
    expect(holdersOf(accessOf(plan), [], "list_issues")).toEqual([]);
  });
});
