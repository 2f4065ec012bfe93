import { definedBy } from "../../compiler/2-model/definition.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";
import type { RoleName, ServerName, ToolName } from "../../compiler/base/names.ts";
import type { Locate, Place } from "../../compiler/base/place.ts";
import type { Decision, Plan, PlannedRole, Reason, Server, Template, Tool } from "../../compiler/3-plan/types.ts";

/** A small plan made by hand, for tests of what people see: two real servers, one without a manifest. */
export function samplePlan(): Plan {
  const github = server("github", ["create_issue", "list_issues", "merge_pull_request"], {
    title: "GitHub",
    connect: [
      {
        kind: "http",
        url: template("https://api.example.com/mcp/"),
        headers: [{ name: "Authorization", value: template("Bearer ${GITHUB_TOKEN}") }],
        place: place(4),
      },
      {
        kind: "stdio",
        command: ["npx", "-y", "github-mcp@1.0.0"].map(template),
        env: [{ name: "TOKEN", value: template("${GITHUB_TOKEN}") }],
        cwd: undefined,
        place: place(6),
      },
    ],
    limits: { timeoutMs: 30_000, ratePerMinute: 60, concurrency: 4 },
    variables: [
      {
        name: "GITHUB_TOKEN",
        default: undefined,
        required: true,
        purpose: "a token that may read issues",
        url: undefined,
        acceptedNames: ["GH_TOKEN"],
      },
      { name: "LOG_LEVEL", default: "warn", required: false, purpose: undefined, url: undefined, acceptedNames: [] },
    ],
  });
  const files = server("files", ["read_file", "write_file"], {});
  const notes = server("notes", ["search"], { manifest: undefined });
  const included = because("include", "*_issue*", "reader", 20);
  const tester = role("tester", [
    {
      server: files,
      decisions: [
        allow(because("include", "*", "tester", 30)),
        {
          effect: "allow",
          where: testsOnly,
          because: [because("include", "*", "tester", 30), because("where", "write_file", "tester", 33)],
        },
      ],
    },
    {
      server: github,
      decisions: [
        {
          effect: "ask",
          where: [],
          because: [
            { ...because("policy", "writes are asked", "writes are asked", 50), effect: "ask" },
            because("include", "create_issue", "tester", 28),
          ],
        },
        allow(included),
        { effect: "deny", where: [], because: [because("exclude", "merge_*", "reader", 22)] },
      ],
    },
  ]);
  const reader = role("reader", [
    {
      server: github,
      decisions: [
        { effect: "deny", where: [], because: [because("nothing", "", undefined, 19)] },
        allow(included),
        { effect: "deny", where: [], because: [because("exclude", "merge_*", "reader", 22)] },
      ],
    },
    { server: notes, decisions: [allow(because("include", "search", "reader", 24))] },
  ]);
  return {
    project: {
      name: "harbor",
      out: "src/mcp",
      folder: "mcp",
      importExtension: "js",
      runtime: "files",
      envExample: undefined,
      hosts: [],
    },
    servers: [files, github, notes],
    roles: [reader, tester],
    guards: [{ name: "testers never merge", text: { never: true } }],
  };
}

/** Every place is a line of one file. */
export const locate: Locate = (at) => {
  const line = Number(at.path[0]);
  return { file: at.file, line, column: 3, length: 4, text: `  line ${line} as written` };
};

/** `roles` roles with long names and `servers` servers: what a matrix must be able to take. */
export function widePlan(roles: number, servers: number, tools = 12): Plan {
  const made = Array.from({ length: servers }, (_, i) =>
    server(
      `server-number-${i}`,
      Array.from({ length: tools }, (_, t) => `tool_number_${t}`),
      {},
    ),
  );
  const decision = allow(because("include", "*", "x", 1));
  return {
    ...samplePlan(),
    servers: made,
    roles: Array.from({ length: roles }, (_, i) =>
      role(
        `role-of-team-${i}`,
        made.map((s) => ({ server: s, decisions: s.tools.map((_, t) => (t % 3 === 0 ? ask : decision)) })),
      ),
    ),
  };
}

/** Renames the first tool of a server. */
export function withToolName(plan: Plan, name: string, description?: string): Plan {
  const [first, ...rest] = plan.servers;
  const renamed = {
    ...first!,
    tools: first!.tools.map((tool, i) => (i === 0 ? { ...tool, name: name as ToolName, description } : tool)),
  };
  const roles = plan.roles.map((r) => ({
    ...r,
    grants: r.grants.map((g) => (g.server === first ? { ...g, server: renamed } : g)),
  }));
  return { ...plan, servers: [renamed, ...rest], roles };
}

const testsOnly: readonly ArgumentRule[] = [{ argument: "path", conditions: [{ glob: "tests/**" }] }];
const ask: Decision = { effect: "ask", where: [], because: [because("ask", "*", "x", 1)] };

function allow(reason: Reason): Decision {
  return { effect: "allow", where: [], because: [reason] };
}

function because(rule: Reason["rule"], written: string, by: string | undefined, line: number): Reason {
  return { rule, written, by, from: place(line) };
}

function place(line: number): Place {
  return { file: "rolecall.yaml", path: [line] };
}

function template(written: string): Template {
  return { written, parts: [written] };
}

function role(name: string, grants: PlannedRole["grants"]): PlannedRole {
  return {
    name: name as RoleName,
    place: place(18),
    description: undefined,
    owner: undefined,
    prompt: undefined,
    lineage: [name as RoleName],
    grants,
    builtins: [],
    delegates: [],
    reaches: [],
  };
}

function server(name: string, tools: readonly string[], more: Partial<Server>): Server {
  return {
    name: name as ServerName,
    place: place(2),
    preset: undefined,
    title: undefined,
    connect: [{ kind: "stdio", command: [template(name)], env: [], cwd: undefined, place: place(3) }],
    root: undefined,
    limits: { timeoutMs: 30_000, ratePerMinute: undefined, concurrency: undefined },
    breaker: { failures: 3, cooldownMs: 60_000 },
    cacheMs: undefined,
    connection: "project",
    mustConnect: false,
    whenDown: undefined,
    owner: undefined,
    pin: name,
    manifest: {
      file: `mcp/manifests/${name}.json`,
      instructions: undefined,
      instructionsDigest: undefined,
      capabilities: {},
      serverVersion: "1.0.0",
    },
    tools: tools.map((tool, index) => makeTool(name, tool, index)),
    ceilings: [],
    scopes: undefined,
    knownScopes: [],
    labels: [],
    variables: [],
    notes: [],
    ...more,
  };
}

function makeTool(serverName: string, name: string, index: number): Tool {
  return {
    server: serverName as ServerName,
    name: name as ToolName,
    index,
    digest: null,
    ...definedBy(() => ({
      title: undefined,
      description: `Does ${name}. And more that nobody reads.`,
      inputSchema: '{"properties":{"path":{"type":"string"}},"type":"object"}',
      outputSchema: undefined,
    })),
    resultFrom: undefined,
    hints: { readOnly: index === 1, destructive: index === 2, idempotent: false, openWorld: true },
    strictHints: { readOnly: index === 1, destructive: index === 2, idempotent: false, openWorld: true },
    labels: index === 0 ? ["external"] : [],
    choice: undefined,
    contradiction: undefined,
    slow: undefined,
  };
}
