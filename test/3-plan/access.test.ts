import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { accessOf, type Access } from "../../compiler/3-plan/access.ts";
import { compareAccess, holdersOf } from "../../compiler/3-plan/compare-access.ts";
import { readAccess } from "../../compiler/3-plan/read-access.ts";
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
