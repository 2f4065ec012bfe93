import { describe, expect, test } from "vitest";
import { compiled, decision, errors, manifest } from "../support/compiled.ts";

/** Who wins: the formula of docs/language.md, one row a sentence. */

const TOOLS = manifest(
  { name: "read", annotations: { readOnlyHint: true }, arguments: ["path"] },
  { name: "write", arguments: ["path"] },
  { name: "drop", annotations: { destructiveHint: true }, arguments: ["path"] },
);
const SERVER = "servers:\n  s:\n    connect: [{ stdio: [node, s.mjs] }]\n";

interface Row {
  readonly roles: string;
  readonly rest?: string;
  readonly server?: string;
  /** What role r holds. */
  readonly want: Readonly<Record<string, string>>;
}

const rows: readonly (readonly [string, Row])[] = [
  ["all is every tool", { roles: "r: { tools: { s: all } }", want: { read: "allow", write: "allow", drop: "allow" } }],
  ["none is no tool", { roles: "r: { tools: { s: none } }", want: { read: "deny", write: "deny", drop: "deny" } }],
  [
    "read-only is what is read-only",
    { roles: "r: { tools: { s: read-only } }", want: { read: "allow", write: "deny", drop: "deny" } },
  ],
  [
    "a list includes",
    { roles: "r: { tools: { s: [read, write] } }", want: { read: "allow", write: "allow", drop: "deny" } },
  ],
  [
    "exclude alone starts from the whole manifest",
    { roles: "r: { tools: { s: { exclude: [drop] } } }", want: { read: "allow", write: "allow", drop: "deny" } },
  ],
  [
    "exclude alone only takes away in a child",
    {
      roles: "p: { tools: { s: [read, write] } }\n  r: { extends: p, tools: { s: { exclude: [write] } } }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "exclude wins over a glob include",
    {
      roles: 'r: { tools: { s: { include: ["*"], exclude: [drop] } } }',
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "a child adds",
    {
      roles: "p: { tools: { s: [read] } }\n  r: { extends: p, tools: { s: [write] } }",
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "a parent's exclude holds for a child's glob",
    {
      roles: 'p: { tools: { s: { exclude: [drop] } } }\n  r: { extends: p, tools: { s: ["*"] } }',
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "a grandparent's exclude holds",
    {
      roles: 'g: { tools: { s: { exclude: [drop] } } }\n  p: { extends: g }\n  r: { extends: p, tools: { s: ["d*"] } }',
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "what one parent excludes is out",
    {
      roles:
        "a: { tools: { s: [read, write] } }\n  b: { tools: { s: { include: [read], exclude: [write] } } }\n  r: { extends: [a, b] }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "the order of parents means nothing",
    {
      roles:
        "a: { tools: { s: [read, write] } }\n  b: { tools: { s: { include: [read], exclude: [write] } } }\n  r: { extends: [b, a] }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "ask asks",
    {
      roles: "r: { tools: { s: { include: [read, write], ask: [write] } } }",
      want: { read: "allow", write: "ask", drop: "deny" },
    },
  ],
  [
    "a parent's ask can't be lifted",
    {
      roles: "p: { tools: { s: { include: [write], ask: [write] } } }\n  r: { extends: p, tools: { s: [write] } }",
      want: { read: "deny", write: "ask", drop: "deny" },
    },
  ],
  [
    "an ask doesn't grant",
    {
      roles: 'r: { tools: { s: { include: [read], ask: ["*"] } } }',
      want: { read: "ask", write: "deny", drop: "deny" },
    },
  ],
  [
    "a server's tools are a ceiling",
    {
      server: "    tools: [read, write]\n",
      roles: "r: { tools: { s: all } }",
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "a ceiling may exclude",
    {
      server: "    tools: { exclude: [drop] }\n",
      roles: "r: { tools: { s: all } }",
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "scopes are a ceiling",
    {
      server: "    scopes: { files: [read] }\n",
      roles: "r: { tools: { s: all } }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "read: without a map is what is read-only",
    {
      server: '    scopes: ["read:x"]\n',
      roles: "r: { tools: { s: all } }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "write: without a map is the rest",
    {
      server: '    scopes: ["write:x"]\n',
      roles: "r: { tools: { s: all } }",
      want: { read: "deny", write: "allow", drop: "allow" },
    },
  ],
  [
    "ceilings of both kinds hold",
    {
      server: "    tools: [read, write]\n    scopes: { files: [write, drop] }\n",
      roles: "r: { tools: { s: all } }",
      want: { read: "deny", write: "allow", drop: "deny" },
    },
  ],
  [
    "a hint wins over the server's annotation",
    {
      server: "    hints: { write: { readOnly: true } }\n",
      roles: "r: { tools: { s: read-only } }",
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "destructive is the worse word",
    {
      server: "    hints: { drop: { readOnly: true } }\n",
      roles: "r: { tools: { s: read-only } }",
      want: { read: "allow", write: "deny", drop: "deny" },
    },
  ],
  [
    "a policy denies",
    {
      roles: "r: { tools: { s: all } }",
      rest: 'policies:\n  - { roles: ["*"], tools: [s.drop], effect: deny }\n',
      want: { read: "allow", write: "allow", drop: "deny" },
    },
  ],
  [
    "deny wins over ask, first",
    {
      roles: "r: { tools: { s: all } }",
      rest: 'policies:\n  - { roles: ["*"], tools: [s.drop], effect: deny }\n  - { roles: ["*"], tools: ["s.*"], effect: ask }\n',
      want: { read: "ask", write: "ask", drop: "deny" },
    },
  ],
  [
    "deny wins over ask, last",
    {
      roles: "r: { tools: { s: all } }",
      rest: 'policies:\n  - { roles: ["*"], tools: ["s.*"], effect: ask }\n  - { roles: ["*"], tools: [s.drop], effect: deny }\n',
      want: { read: "ask", write: "ask", drop: "deny" },
    },
  ],
  [
    "a policy about a parent holds for its child",
    {
      roles: "p: { tools: { s: [read] } }\n  r: { extends: p, tools: { s: [drop] } }",
      rest: "policies:\n  - { roles: [p], tools: [is:destructive], effect: ask }\n",
      want: { read: "allow", write: "deny", drop: "ask" },
    },
  ],
  [
    "a policy about a child doesn't hold for its parent",
    {
      roles: "r: { tools: { s: all } }\n  c: { extends: r }",
      rest: "policies:\n  - { roles: [c], tools: [s.drop], effect: deny }\n",
      want: { read: "allow", write: "allow", drop: "allow" },
    },
  ],
];

describe("what a role holds", () => {
  test.each(rows)("%s", (_, { roles, rest = "", server = "", want }) => {
    const result = compiled({
      "mcp/a.yaml": `${SERVER}${server}roles:\n  ${roles}\n${rest}`,
      "mcp/manifests/s.json": TOOLS,
    });
    expect(errors(result)).toEqual([]);
    expect(
      Object.fromEntries(Object.keys(want).map((tool) => [tool, decision(result, "r", "s", tool)?.effect])),
    ).toEqual(want);
  });
});

describe("conditions", () => {
  test("all that are written hold, wherever they are written", () => {
    const result = compiled({
      "mcp/a.yaml": `${SERVER}roles:
  p: { tools: { s: { include: [write], where: { write: { path: { glob: "a/**" } } } } } }
  r: { extends: p, tools: { s: { where: { "*": { path: { pattern: "a/.*" } } } } } }
policies:
  - { roles: [r], tools: [s.write], where: { path: { enum: [a/b] } } }
`,
      "mcp/manifests/s.json": TOOLS,
    });
    expect(errors(result)).toEqual([]);
    expect(decision(result, "r", "s", "write")?.where).toEqual([
      { argument: "path", conditions: [{ enum: ["a/b"] }, { glob: "a/**" }, { pattern: "a/.*" }] },
    ]);
    expect(decision(result, "p", "s", "write")?.where).toEqual([{ argument: "path", conditions: [{ glob: "a/**" }] }]);
  });

  test("a parent's condition holds for the tool that a child adds", () => {
    const result = compiled({
      "mcp/a.yaml": `${SERVER}roles:
  p: { tools: { s: { include: [read], where: { "*": { path: { glob: "a/**" } } } } } }
  r: { extends: p, tools: { s: [drop] } }
`,
      "mcp/manifests/s.json": TOOLS,
    });
    expect(decision(result, "r", "s", "drop")?.where).toHaveLength(1);
  });
});

describe("why", () => {
  test("a denied tool has what took it away, and nothing that only asks", () => {
    const result = compiled({
      "mcp/a.yaml":
        `${SERVER}roles:\n  r: { tools: { s: { include: [drop, read], exclude: ["d* & is:destructive"] } } }\n`.replace(
          "[drop, read]",
          '["*"]',
        ) + 'policies:\n  - { roles: ["*"], tools: ["s.*"], effect: ask }\n',
      "mcp/manifests/s.json": TOOLS,
    });
    expect(decision(result, "r", "s", "drop")?.because.map((reason) => reason.rule)).toEqual(["include", "exclude"]);
    expect(decision(result, "r", "s", "read")?.because.map((reason) => reason.rule)).toEqual(["include", "policy"]);
  });

  test("tools under the same rules share one decision", () => {
    const result = compiled({
      "mcp/a.yaml": `${SERVER}roles:\n  r: { tools: { s: all } }\n`,
      "mcp/manifests/s.json": TOOLS,
    });
    expect(decision(result, "r", "s", "read")).toBe(decision(result, "r", "s", "drop"));
  });
});
