import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../compiler/base/json.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import type { Satisfies } from "../../compiler/diff/implies.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import { findTools } from "../../compiler/2-model/selectors/find-tools.ts";
import { isNotGranted } from "../../compiler/questions/not-granted.ts";
import { holdsAtMost } from "../../compiler/questions/no-wider.ts";
import type { Answer } from "../../compiler/questions/types.ts";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import { manifest, planned } from "../support/compiled.ts";

/** Answers, each held against calls that the runtime's own judge lets through or not. */

const satisfies: Satisfies = await schemaJudge();

const PINNED = {
  "mcp/servers.yaml": `servers:
  hub:
    connect: [{ stdio: [node, hub.mjs] }]
    labels: { private-data: [read_code] }
  files: { connect: [{ stdio: [node, files.mjs] }] }
  unseen: { connect: [{ stdio: [node, unseen.mjs] }] }
`,
  "mcp/manifests/hub.json": manifest("merge_change", "merge_branch", {
    name: "read_code",
    annotations: { readOnlyHint: true },
  }),
  "mcp/manifests/files.json": manifest({ name: "write", arguments: ["path"] }),
};

function ask(roles: string, selector: string, only?: readonly string[]): Answer & { readonly wrong: string[] } {
  const { plan } = planned({ ...PINNED, "mcp/roles.yaml": `roles:\n${roles}` });
  const report = createReport(() => undefined);
  const found = findTools(selector, "--not-granted", plan.servers, report);
  const wrong = report
    .sorted()
    .flatMap(({ severity, code, help }) => (severity === "error" ? [`${code}: ${help}`] : []));
  return { ...isNotGranted(plan, found, only as never, satisfies), wrong };
}

const held = ({ against }: Answer): string[] =>
  against.map(
    ({ change: { role, server, tool }, through }) =>
      `${role} ${server}.${tool}${through === undefined ? "" : ` through ${through}`}`,
  );

describe("what nobody may hold", () => {
  const ROLES = `  dev: { tools: { hub: { include: ['*'], ask: [merge_change] } } }
  lead: { delegates: [dev], tools: { files: [write] } }
  blind: { tools: { unseen: [peek] } }
`;

  test.each<[string, string, readonly string[] | undefined, Answer["verdict"], string[]]>([
    ["a glob", "hub.merge_*", undefined, "fails", ["dev hub.merge_branch", "dev hub.merge_change"]],
    ["a name", "hub.read_code", undefined, "fails", ["dev hub.read_code"]],
    ["a label", "label:private-data", undefined, "fails", ["dev hub.read_code"]],
    ["parts that all hold", "hub.*code* & is:write", undefined, "holds", []],
    ["of one role", "files.write", ["dev"], "holds", []],
    ["what a role reaches", "hub.merge_branch", ["lead"], "fails", ["lead hub.merge_branch through dev"]],
    ["a name of a server without a manifest", "unseen.peek", undefined, "fails", ["blind unseen.peek"]],
    ["a class there", "unseen.is:read-only", undefined, "unknown", []],
    ["a class there, of a role that holds nothing of it", "unseen.is:read-only", ["dev"], "holds", []],
    ["a slip there", "unseen.peak", ["dev"], "unknown", []],
  ])("%s", (_, selector, only, verdict, against) => {
    const answer = ask(ROLES, selector, only);
    expect([answer.verdict, held(answer)]).toEqual([verdict, against]);
  });

  test.each([
    ["hub.merge_chnage", "manifest/unknown-tool", "merge_change"],
    ["hub.murge_*", "manifest/matches-nothing", "merge_*"],
    ["hob.merge_change", "server/unknown", "hub"],
    ["label:private-dat", "server/unknown-label", "private-data"],
    ["is:destructiv", "source/unknown-class", "destructive"],
    ["merge_change", "policy/selector", "hub.merge_change"],
  ])("%s is a slip", (selector, code, meant) => {
    const { wrong } = ask(ROLES, selector);
    expect(wrong.join()).toContain(code);
    expect(wrong.join()).toContain(meant);
  });

  test("comes with one call that passes", () => {
    const { against } = ask(
      "  dev: { tools: { files: { include: [write], where: { write: { path: { glob: 'a/**' } } } } } }\n",
      "files.*",
    );
    expect(against).toMatchObject([
      { example: { path: expect.stringMatching(/^a(?:\/|$)/) }, from: [{ written: "write" }] },
    ]);
  });
});

const compare = (plan: Plan, role: string, other: string): Answer => {
  const of = (name: string) => plan.roles.find((one) => one.name === name)!;
  return holdsAtMost(plan, of(role), of(other), satisfies);
};

describe("one role beside another", () => {
  test.each<[string, string, string, Answer["verdict"], string]>([
    ["the same", "tools: { hub: all }", "tools: { hub: all }", "holds", ""],
    ["less", "tools: { hub: [read_code] }", "tools: { hub: all }", "holds", ""],
    ["asked for more", "tools: { hub: { include: ['*'], ask: ['*'] } }", "tools: { hub: all }", "holds", ""],
    [
      "asked for less",
      "tools: { hub: [merge_change] }",
      "tools: { hub: { include: ['*'], ask: ['*'] } }",
      "fails",
      "effect",
    ],
    ["another tool", "tools: { files: [write] }", "tools: { hub: all }", "fails", "tool"],
    [
      "a host's own tool",
      "builtins: { claude-code: [Read, Bash] }, tools: { hub: all }",
      "builtins: { claude-code: [Read] }, tools: { hub: all }",
      "fails",
      "builtin",
    ],
    ["work for the other", "delegates: [b], tools: { hub: [read_code] }", "tools: { hub: all }", "holds", ""],
    ["work for a third", "delegates: [c], tools: { hub: [read_code] }", "tools: { hub: all }", "fails", "delegate"],
    [
      "wider conditions",
      "tools: { files: { include: [write], where: { write: { path: { glob: '**' } } } } }",
      "tools: { files: { include: [write], where: { write: { path: { glob: 'a/**' } } } } }",
      "fails",
      "condition",
    ],
    [
      "narrower conditions",
      "tools: { files: { include: [write], where: { write: { path: { glob: 'a/b/**' } } } } }",
      "tools: { files: { include: [write], where: { write: { path: { glob: 'a/**' } } } } }",
      "holds",
      "",
    ],
  ])("%s", (_, a, b, verdict, kind) => {
    const { plan } = planned({
      ...PINNED,
      "mcp/roles.yaml": `roles:\n  a: { ${a} }\n  b: { ${b} }\n  c: { tools: { files: [write] } }\n`,
    });
    const answer = compare(plan, "a", "b");
    expect([answer.verdict, [...new Set(answer.against.map(({ change }) => change.kind))].join()]).toEqual([
      verdict,
      kind,
    ]);
  });

  test("what the other has beyond is told, and is against nothing", () => {
    const { plan } = planned({
      ...PINNED,
      "mcp/roles.yaml":
        "roles:\n  a: { tools: { hub: [read_code] } }\n  b: { tools: { hub: [read_code, merge_change] } }\n",
    });
    expect(compare(plan, "a", "b")).toMatchObject({
      verdict: "holds",
      beyond: [{ change: { tool: "merge_change" }, from: [{ written: "merge_change" }] }],
    });
  });

  test("a yes is one for every call, and a no has a call that passes here and not there", () => {
    const values = ["a", "a/b", "a/b/c", "b", "", "x.ts", "a/x.ts"];
    const condition = fc.oneof(
      fc.constantFrom("a/**", "**", "*.ts", "a/*", "a/b/**").map((glob) => ({ glob })),
      fc.subarray(values, { minLength: 1 }).map((listed) => ({ enum: listed })),
      fc.constantFrom("^a", "b", "^[a-z]+$").map((pattern) => ({ pattern })),
    );
    const entry = fc.record({ where: fc.option(condition, { nil: undefined }), ask: fc.boolean() });
    fc.assert(
      fc.property(entry, entry, (one, other) => {
        const written = ({ where, ask: isAsked }: typeof one) =>
          JSON.stringify({
            include: ["write"],
            ...(isAsked && { ask: ["write"] }),
            ...(where && { where: { write: { path: where } } }),
          });
        const { plan } = planned({
          ...PINNED,
          "mcp/roles.yaml": `roles:\n  a: { tools: { files: ${written(one)} } }\n  b: { tools: { files: ${written(other)} } }\n`,
        });
        const passes = (role: string, args: JsonValue): boolean => {
          const { server, decisions } = plan.roles.find(({ name }) => name === role)!.grants[0]!;
          const schema = server.tools[0]!.definition().inputSchema as JsonValue;
          return judgeOf(decisions[0]!.where, { schema, satisfies })(args as never, undefined).ok;
        };
        const { verdict, against } = compare(plan, "a", "b");
        const calls = [{}, ...values.map((path) => ({ path }))];
        const more = calls.some((args) => passes("a", args) && !passes("b", args)) || (other.ask && !one.ask);
        if (verdict === "holds") expect(more).toBe(false);
        if (verdict === "fails") {
          const call = against.find(({ example }) => example !== undefined)!;
          expect(passes("a", call.example!)).toBe(true);
          if (call.change.kind === "condition") expect(passes("b", call.example!)).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});
