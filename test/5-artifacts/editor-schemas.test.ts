import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { manifest, planned } from "../support/compiled.ts";
import { HOSTILE, hostileManifest } from "../support/hostile-texts.ts";
import { ROOT } from "../support/root.ts";
import { HOSTS } from "../support/known-hosts.ts";
import { header } from "../../compiler/5-artifacts/header.ts";
import { editorSchemas } from "../../compiler/5-artifacts/editor-schemas/index.ts";
import { genericSchemas } from "../../scripts/generic-schemas.ts";

const folder = path.join(ROOT, "schemas", "json");
const generic = Object.fromEntries(
  ["project", "source", "preset"].map((name) => [
    name,
    JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")),
  ]),
) as unknown as Parameters<typeof editorSchemas>[0];

function emitted(plan: Plan) {
  return new Map(
    [...editorSchemas(generic).emit(plan, [])].map((file) => [file.path, (file as { text: string }).text]),
  );
}

function judge(schema: unknown) {
  const validate = new Ajv2020({ strict: false }).compile(schema as object);
  return (value: unknown) => validate(value);
}

describe("schemas/json", () => {
  test("is what the zod schemas say: node scripts/run.mjs scripts/write-schemas.ts makes it again", () => {
    for (const [file, schema] of Object.entries(genericSchemas())) {
      expect(readFileSync(path.join(folder, file), "utf8")).toBe(`${JSON.stringify(schema, null, 2)}\n`);
    }
  });

  test("refuses what is empty, unknown or undecided", () => {
    const ok = judge(generic.source);
    const policy = { roles: ["*"], tools: ["a.b"] };
    expect(ok({ policies: [{ ...policy, effect: "ask" }] })).toBe(true);
    for (const bad of [
      { roles: {} },
      { rolse: {} },
      { policies: [policy] },
      { policies: [{ ...policy, effect: "deny", where: { a: { glob: "b" } } }] },
      { policies: [{ ...policy, where: { a: {} } }] },
    ]) {
      expect(ok(bad)).toBe(false);
    }
  });
});

describe("editor schemas of a project", () => {
  const { plan } = planned({
    "mcp/team.yaml": `
servers:
  github:
    connect: [{ stdio: [gh] }]
    preset: github
    labels: { external: [create_issue] }
    scopes: ["read:issues"]
  notes:
    connect: [{ stdio: [notes] }]
    labels: { private: [find] }
    scopes: { "read:notes": [find] }
  loose: { connect: [{ stdio: [loose] }] }
roles:
  reader: { description: Reads. }
  tester: { description: Tests. }
`,
    // Its map of scopes: more than is in force.
    "mcp/presets/github.yaml":
      'id: github\nserver: { scopes: { "read:issues": [list_issues], "write:issues": [create_issue] } }\n',
    "mcp/manifests/github.json": manifest("create_issue", "list_issues"),
    "mcp/manifests/notes.json": manifest("find"),
  });
  const schemas = emitted(plan);
  const source = judge(JSON.parse(schemas.get("mcp/schema/source.json")!));
  const project = judge(JSON.parse(schemas.get("mcp/schema/project.json")!));

  const role = (entry: unknown, more: object = {}) => ({ roles: { tester: { tools: { github: entry }, ...more } } });

  test.each([
    ["an exact tool", role(["list_issues"])],
    ["a glob", role(["list_*"])],
    ["classes", role(["is:read-only", "label:external", "scope:read:issues", "*issue* & is:read-only"])],
    ["a scope of the preset's map that isn't in force", role(["scope:write:issues"])],
    [
      "classes of a server in a policy",
      {
        policies: [
          {
            roles: ["*"],
            tools: ["scope:write:issues", "label:private", "github.scope:write:issues", "notes.label:private"],
            effect: "ask",
          },
        ],
      },
    ],
    ["a known parent", role("all", { extends: ["reader"], delegates: ["reader"] })],
    ["what must not be there", role({ exclude: [{ absent: "delete_repo" }, { optional: "close_issue" }] })],
    ["any tool of a server without a manifest", { roles: { a: { tools: { loose: ["whatever"] } } } }],
    [
      "a new server and a new role",
      {
        servers: { fresh: { connect: [{ stdio: ["x"] }], tools: ["y"] } },
        roles: { fresh: { tools: { github: "all" } } },
      },
    ],
    [
      "policies",
      {
        policies: [
          {
            roles: ["tester", "*-dev"],
            tools: ["github.create_issue", "*.delete_*", "is:destructive", "loose.any"],
            effect: "ask",
          },
        ],
      },
    ],
    [
      "invariants",
      {
        invariants: [
          { never: { roles: ["*"], together: ["label:external", "is:destructive"] } },
          { can: { roles: ["tester"], tools: ["github.list_issues"] } },
        ],
      },
    ],
    [
      "a server's own words",
      {
        servers: {
          github: {
            hints: { list_issues: { readOnly: true } },
            labels: { external: ["create_*"] },
            results: { list_issues: { type: "object" } },
          },
        },
      },
    ],
  ])("completes %s", (_, value) => expect(source(value)).toBe(true));

  test.each([
    ["a misspelt tool", role(["list_isues"])],
    ["a misspelt tool in ask", role({ include: ["list_issues"], ask: ["create_isue"] })],
    ["a misspelt tool in where", role({ include: ["list_issues"], where: { list_isues: { repo: { enum: ["x"] } } } })],
    ["an unknown label", role(["label:exernal"])],
    ["an unknown scope", role(["scope:read:isues"])],
    ["a label of another server", role(["label:private"])],
    ["a scope of another server", role(["scope:read:notes"])],
    [
      "a label of another server in a policy",
      { policies: [{ roles: ["*"], tools: ["github.label:private"], effect: "deny" }] },
    ],
    ["a misspelt class in a policy", { policies: [{ roles: ["*"], tools: ["github.is:raed-only"], effect: "deny" }] }],
    ["an unknown server", { roles: { a: { tools: { githbu: "all" } } } }],
    ["an unknown parent", role("all", { extends: "raeder" })],
    ["an unknown delegate", role("all", { delegates: ["raeder"] })],
    ["an unknown role in a policy", { policies: [{ roles: ["testr"], tools: ["*"], effect: "deny" }] }],
    ["a misspelt tool in a policy", { policies: [{ roles: ["*"], tools: ["github.create_isue"], effect: "deny" }] }],
    ["a misspelt tool in a ceiling", { servers: { github: { tools: { exclude: ["create_isue"] } } } }],
    ["a misspelt tool in hints", { servers: { github: { hints: { list_isues: { readOnly: true } } } } }],
    ["an unknown key", role({ inclued: ["list_issues"] })],
  ])("shows %s in red", (_, value) => expect(source(value)).toBe(false));

  test("each says first whose file it is", () => {
    for (const text of schemas.values()) {
      expect(text.split("\n")[1]).toBe(`  "$comment": "${header.slice("// ".length)}",`);
      expect(JSON.parse(text)).toMatchObject({ $schema: expect.stringContaining("2020-12") as string });
    }
    expect([...schemas.keys()]).toHaveLength(3);
  });

  test("rolecall.yaml has its own", () => {
    expect(project({ version: 1, project: "x", roles: { a: { tools: { github: ["list_issues"] } } } })).toBe(true);
    expect(project({ version: 1, project: "x", roles: { a: { tools: { github: ["nope"] } } } })).toBe(false);
    expect(project({ project: "x" })).toBe(false);
  });

  const withHosts = (...hosts: unknown[]) => ({ version: 1, project: "x", hosts });
  const governing = (host: string, name: unknown = "Read") => ({
    version: 1,
    project: "x",
    roles: { a: { builtins: { [host]: [name] } } },
  });

  test("completes hosts, the role that one is for, and those with tools of their own", () => {
    expect(project(withHosts("opencode", { id: "cursor", role: "tester" }, ...HOSTS))).toBe(true);
    expect(project(governing("claude-code"))).toBe(true);
    expect(project(withHosts({ id: "codex", without: ["github"] }))).toBe(true);
    expect(project(withHosts({ id: "codex", without: ["githb"] }))).toBe(false);
    for (const wrong of [withHosts("opencod"), withHosts({ id: "curser" }), withHosts({ id: "cursor", role: "testr" })])
      expect(project(wrong)).toBe(false);
    for (const host of ["claude", "mcp-servers", "opencode"]) expect(project(governing(host))).toBe(false);
    expect(project(governing("opencode", "read"))).toBe(true);
    expect(project(governing("opencode", { optional: "telepathy" }))).toBe(true);
    expect(project(governing("opencode", "task"))).toBe(false);
    expect(project(governing("codex", "anything"))).toBe(true);
  });

  test("an empty project has schemas that compile", () => {
    const empty = judge(JSON.parse(emitted(planned({ "mcp/empty.yaml": "" }).plan).get("mcp/schema/source.json")!));
    expect(empty({ servers: { a: { connect: [{ http: "https://x.example/" }] } } })).toBe(true);
  });

  test("hostile tool names are names and nothing unseen gets into the file", () => {
    const { plan } = planned({
      "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [x] }] } }",
      "mcp/manifests/s.json": hostileManifest,
    });
    const text = emitted(plan).get("mcp/schema/source.json")!;
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    const ok = judge(JSON.parse(text));
    for (const name of HOSTILE.filter((n) => n !== ""))
      expect(ok({ roles: { r: { tools: { s: [name] } } } })).toBe(true);
  });

  test("500 roles and 10,000 tools stay small and quick", () => {
    const numbers = (length: number) => Array.from({ length }, (_, i) => i);
    const servers = numbers(100).map((i) => `server${i}`);
    const tools = manifest(...numbers(100).map((i) => `update_pull_request_${i}`));
    const { plan } = planned({
      "mcp/team.yaml": JSON.stringify({
        servers: Object.fromEntries(servers.map((name) => [name, { connect: [{ stdio: [name] }] }])),
        roles: Object.fromEntries(numbers(500).map((i) => [`role-${i}`, { description: "One of many." }])),
      }),
      ...Object.fromEntries(servers.map((name) => [`mcp/manifests/${name}.json`, tools])),
    });
    const began = performance.now();
    const files = emitted(plan);
    expect(performance.now() - began).toBeLessThan(500);
    for (const text of files.values()) expect(text.length).toBeLessThan(2_000_000);
  });
});
