import { describe, expect, test } from "vitest";
import type { Plan } from "../../../compiler/3-plan/types.ts";
import { accessChunks, accessJson } from "../../../compiler/5-artifacts/review/access-json/index.ts";
import type { LargeFile } from "../../../compiler/5-artifacts/types.ts";
import { manifest, planned } from "../../support/compiled.ts";
import { HOSTILE, hostileList, hostileManifest } from "../../support/hostile-texts.ts";

const accessText = (plan: Plan): string => [...accessChunks(plan)].join("");

const GITHUB = `http: https://api.example.com/mcp/, headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }`;
const MANIFEST = manifest(
  { name: "create_issue", arguments: ["repo"] },
  { name: "list_issues", arguments: ["path"] },
  "merge_pull_request",
);

/** `roles` and more in YAML, over one server with a manifest and one without. */
function planOf(roles: string, github = GITHUB): Plan {
  return planned({
    "mcp/servers.yaml": `servers: { github: { connect: [{ ${github} }] }, loose: { connect: [{ stdio: [loose] }] } }`,
    "mcp/roles.yaml": roles,
    "mcp/manifests/github.json": MANIFEST,
  }).plan;
}

const parsed = (...given: Parameters<typeof planOf>) => JSON.parse(accessText(planOf(...given)));

describe("access.json", () => {
  test("lies in `out`, ends in a line break and reads like the format page", () => {
    const plan = planOf(`
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
  - { name: g, roles: ["*"], tools: [github.merge_*], effect: deny }
`);
    const [file] = [...accessJson.emit(plan, [])];
    expect(file!.path).toBe("src/mcp/access.json");
    const text = [...(file as LargeFile).chunks].join("");
    expect(text.endsWith("}\n")).toBe(true);
    const value = JSON.parse(text);
    expect(Object.keys(value)).toEqual(["format", "project", "guards", "servers", "roles"]);
    expect(value.guards.g).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(value.servers.github.connect).toEqual([
      {
        http: "https://api.example.com/mcp/",
        headers: ["Authorization"],
        variables: ["GITHUB_TOKEN"],
        values: expect.stringMatching(/^sha256:/),
      },
    ]);
    expect(value.roles.tester).toEqual({
      servers: {
        github: {
          tools: { create_issue: "ask", list_issues: "allow" },
          where: { create_issue: { repo: { enum: ["harbor"] } } },
        },
      },
      builtins: { "claude-code": ["Edit", "Read"] },
      delegates: ["reader"],
    });
  });

  test("one tool to a line, so that a gained tool is one line of the diff", () => {
    const before = accessText(planOf("roles: { a: { tools: { github: [create_issue, merge_pull_request] } } }"));
    const after = accessText(planOf("roles: { a: { tools: { github: all } } }"));
    const old = new Set(before.split("\n"));
    expect(
      after
        .split("\n")
        .filter((line) => !old.has(line))
        .map((line) => line.trim()),
    ).toEqual([expect.stringMatching(/^"list_issues": "sha256:[0-9a-f]{64}",$/), `"list_issues": "allow",`]);
  });

  test("lists only what somebody holds", () => {
    const value = parsed(
      "roles: { a: { tools: { github: { include: [list_issues], ask: [list_issues] } } }, empty: { description: Holds nothing. } }",
    );
    expect(Object.keys(value.servers)).toEqual(["github"]);
    expect(Object.keys(value.servers.github.tools)).toEqual(["list_issues"]);
    expect(value.roles).toEqual({
      a: { servers: { github: { tools: { list_issues: "ask" } } } },
      empty: { servers: {} },
    });
  });

  test("built-ins that are none differ from built-ins that nobody wrote", () => {
    const { roles } = parsed("roles: { a: { builtins: { opencode: none } }, b: { description: Silent. } }");
    expect(roles.a.builtins).toEqual({ opencode: [] });
    expect(roles.b).not.toHaveProperty("builtins");
  });

  test("a tool without a pin is null", () => {
    expect(parsed("roles: { a: { tools: { loose: [x] } } }").servers.loose.tools).toEqual({ x: null });
  });

  test("several conditions on an argument are a list whose order, like that of keys, doesn't depend on who wrote first", () => {
    const rules = ["{ glob: a/**, optional: true }", "{ optional: true, enum: [a/b] }"];
    const of = (own: string, policy: string) =>
      parsed(`
roles: { a: { tools: { github: { include: [list_issues], where: { list_issues: { path: ${own} } } } } } }
policies: [{ name: p, roles: [a], tools: [github.list_issues], where: { path: ${policy} } }]
`).roles;
    const there = of(rules[0]!, rules[1]!);
    expect(there.a.servers.github.where.list_issues.path).toHaveLength(2);
    expect(JSON.stringify(of(rules[1]!, "{ optional: true, glob: a/** }"))).toBe(JSON.stringify(there));
  });

  test("a changed literal shows, a variable given to another header shows, a value itself doesn't", () => {
    const values = (headers: string) =>
      parsed("roles: { a: { tools: { github: [list_issues] } } }", `http: https://x.example/, headers: ${headers}`)
        .servers.github.connect[0];
    const first = values('{ A: one, B: "${X}" }');
    expect(values('{ A: two, B: "${X}" }').values).not.toBe(first.values);
    expect(values('{ A: "${X}", B: one }').values).not.toBe(first.values);
    expect(values('{ B: "${X}", A: one }')).toEqual(first);
    expect(JSON.stringify(first)).not.toContain("one");
  });

  test("stdio stands as written", () => {
    const roles = "roles: { a: { tools: { github: [list_issues] } } }";
    const [entry] = parsed(roles, 'stdio: [npx, -y, a@1.0.0], env: { KEY: "${KEY}" }').servers.github.connect;
    expect(entry).toEqual({
      stdio: ["npx", "-y", "a@1.0.0"],
      env: ["KEY"],
      variables: ["KEY"],
      values: expect.any(String),
    });
  });

  test("hostile names stay names, and nothing in the file hides or reorders", () => {
    const { plan } = planned({
      "mcp/team.yaml": `
servers: { s: { connect: [{ stdio: [x] }] } }
roles: { r: { tools: { s: { include: ["*"], where: { "*": { path: { enum: ${hostileList} } } } } } } }
`,
      "mcp/manifests/s.json": hostileManifest,
    });
    const text = accessText(plan);
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    const { tools, where } = JSON.parse(text).roles.r.servers.s;
    expect(Object.keys(tools).sort()).toEqual(HOSTILE.toSorted());
    expect(Object.keys(where).length).toBe(HOSTILE.length);
  });

  test("340,000 lines take well under a second", () => {
    const tools = Array.from({ length: 100 }, (_, i) => `list_something_${i}`);
    const servers = Array.from({ length: 50 }, (_, i) => `s${i}`);
    const { plan } = planned({
      "mcp/team.yaml": JSON.stringify({
        servers: Object.fromEntries(servers.map((name) => [name, { connect: [{ stdio: [name] }] }])),
        roles: Object.fromEntries(
          Array.from({ length: 70 }, (_, i) => [
            `r${i}`,
            { tools: Object.fromEntries(servers.map((name) => [name, "all"])) },
          ]),
        ),
      }),
      ...Object.fromEntries(servers.map((name) => [`mcp/manifests/${name}.json`, manifest(...tools)])),
    });
    const began = performance.now();
    const text = accessText(plan);
    expect(text.split("\n").length).toBeGreaterThan(340_000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
