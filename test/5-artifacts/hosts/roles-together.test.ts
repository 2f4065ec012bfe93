import { describe, expect, test } from "vitest";
import { HOST_LISTS } from "./host-lists.ts";
import { entryFor, HOSTS, HOSTS_THAT_HIDE } from "../../support/known-hosts.ts";
import { build, filesThere } from "../../support/built-project.ts";

/** What several roles of one host have to do with each other, and names that a host could take for more. */
const manifest = (server: string, tools: readonly string[]) =>
  JSON.stringify({
    format: 1,
    server,
    capabilities: { tools: {} },
    tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
  });

const compiled = (hosts: string, roles: string, emitting: "hosts" = "hosts") =>
  build(
    {
      "rolecall.yaml": `version: 1\nproject: together\nhosts: [${hosts}]\n`,
      "mcp/team.yaml": `
servers:
  git: { connect: [{ stdio: [a] }] }
  git_hub: { connect: [{ stdio: [b] }] }
  odd: { connect: [{ stdio: [c] }] }
  wild: { connect: [{ stdio: [d] }] }
${roles}`,
      "mcp/manifests/git.json": manifest("git", ["hub_list", "read"]),
      "mcp/manifests/git_hub.json": manifest("git_hub", ["list", "merge"]),
      "mcp/manifests/odd.json": manifest("odd", ["*", "a b", "x.y", "z"]),
      "mcp/manifests/wild.json": manifest("wild", ["get", "get*"]),
    },
    emitting,
  );

const leftOut = (made: ReturnType<typeof compiled>) =>
  made.hosts.flatMap(({ roles }) =>
    roles.flatMap(({ name, leftOut: away }) =>
      away.map(({ server, tools }) => `${name} ${server.name}.${tools.map((tool) => tool.name).join()}`),
    ),
  );

describe("roles that share a session or a file", () => {
  test("a name of one role's tool that another role's server has too opens neither", () => {
    const made = compiled(
      "{ id: opencode, into: opencode.json }",
      "roles: { a: { tools: { git: [hub_list, read] } }, b: { tools: { git_hub: [merge] } } }",
    );
    expect(leftOut(made)).toEqual(["a git.hub_list"]);
    expect(made.artifacts.get("opencode.json")).not.toContain("git_hub_list");
  });

  test("elsewhere they have nothing to do with each other", () => {
    const roles = "roles: { a: { tools: { git: [hub_list] } }, b: { tools: { git_hub: [list] } } }";
    expect(leftOut(compiled("codex", roles))).toEqual([]);
    expect(leftOut(compiled("ai-sdk", roles))).toEqual([]);
  });

  test.each([
    ["claude-code", ".claude/agents/a.md", /Agent/],
    ["opencode", "mcp/hosts/opencode/a.json", /"b"/],
    ["vscode", ".github/agents/a.vscode.agent.md", /"b"|"agent"/],
  ])("%s: work isn't handed to a role that has no file there", (host, file, opened) => {
    const roles = "roles: { a: { tools: { git: [read] }, delegates: [b] }, b: { tools: { git_hub: all } } }";
    expect(compiled(host, roles).artifacts.get(file)).toMatch(opened);
    const { errors, artifacts } = compiled(`{ id: ${host}, role: a }`, roles);
    expect(errors).toEqual([]);
    expect(artifacts.get(file)).not.toMatch(opened);
  });
});

describe("an opencode.json that the team keeps", () => {
  const agents = (roles: string) => {
    const made = compiled("{ id: opencode, into: opencode.json }", roles);
    expect(made.errors).toEqual([]);
    const keys = JSON.parse(made.artifacts.get("opencode.json")!) as { at: string[]; value: Agent }[];
    const found = keys.filter(({ at }) => at[0] === "agent");
    return {
      modes: Object.fromEntries(found.map(({ at, value }) => [at[1], value.mode])),
      task: Object.fromEntries(found.map(({ at, value }) => [at[1], value.permission["tas?"]])),
      closed: made.hosts[0]!.roles.flatMap(({ closedDelegation }) => closedDelegation ?? []),
    };
  };
  interface Agent {
    readonly mode: string;
    readonly permission: Readonly<Record<string, unknown>>;
  }
  const B = "b: { tools: { git_hub: [merge] } }";

  test("a role that is handed work is told to the one that hands it, and can be started too", () => {
    const { modes, task, closed } = agents(`roles: { a: { tools: { git: [read] }, delegates: [b] }, ${B} }`);
    expect(modes).toEqual({ a: "primary", b: "all" });
    expect(task).toEqual({ a: { "**": "deny", b: "allow" }, b: "deny" });
    expect(closed).toEqual([]);
  });

  test("with a role in it that isn't handed work, nothing is: a person's `@` would open that one as well", () => {
    const C = "c: { tools: { wild: [get] } }";
    const { modes, task, closed } = agents(`roles: { a: { tools: { git: [read] }, delegates: [b] }, ${B}, ${C} }`);
    expect(modes).toEqual({ a: "primary", b: "primary", c: "primary" });
    expect(task).toEqual({ a: "deny", b: "deny", c: "deny" });
    expect(closed).toMatchObject([{ delegates: ["b"], why: expect.stringContaining("opencode.json") }]);
  });

  test("what is handed on counts", () => {
    const roles =
      "roles: { a: { tools: { git: [read] }, delegates: [b] }, b: { tools: { git_hub: [merge] }, delegates: [c] }, c: { tools: { wild: [get] } } }";
    expect(agents(roles).task).toMatchObject({ a: { b: "allow" }, b: "deny" });
  });
});

test("where no tool can be hidden, one that has to stay away keeps its whole server away", () => {
  const where = "where: { get: { path: { enum: [a] } } }";
  const roles = `roles: { a: { tools: { git_hub: all, paths: { include: [get, list], ${where} } } } }`;
  const { errors, artifacts, hosts } = build(
    {
      "rolecall.yaml": "version: 1\nproject: together\nhosts: [{ id: cursor, role: a }]\n",
      "mcp/team.yaml": `servers:\n  git_hub: { connect: [{ stdio: [b] }] }\n  paths: { connect: [{ stdio: [p] }] }\n${roles}`,
      "mcp/manifests/git_hub.json": manifest("git_hub", ["list"]),
      "mcp/manifests/paths.json": manifest("paths", ["get", "list"]).replaceAll(
        '{"type":"object"}',
        '{"type":"object","properties":{"path":{"type":"string"}}}',
      ),
    },
    "hosts",
  );
  expect(errors).toEqual([]);
  expect(artifacts.get(".cursor/mcp.json")).toContain("git_hub");
  expect(artifacts.get(".cursor/mcp.json")).not.toContain("paths");
  expect(hosts[0]!.roles[0]!.leftOut).toMatchObject([{ wholeServer: true, because: "hide" }]);
});

describe("odd names", () => {
  const ODD = "roles: { a: { tools: { odd: all } } }";
  test.each(["copilot-cli", "copilot-sdk", "cursor", "gemini-cli", "vscode"])(
    "%s isn't given a tool called `*`",
    (host) => {
      const made = compiled(entryFor(host, "a"), ODD);
      expect(made.errors).toEqual([]);
      expect(leftOut(made).join()).toMatch(/^a odd\.\*/);
      if (host !== "gemini-cli") expect([...made.artifacts.values()].join("\n")).not.toMatch(/"(?:odd\/)?\*"|, \*\)/);
    },
  );

  test("Cursor's list without questions has plain names alone", () => {
    const { artifacts } = compiled("{ id: cursor, role: a }", "roles: { a: { tools: { git_hub: all, wild: all } } }");
    const allowed = '["Mcp(git_hub, list)","Mcp(git_hub, merge)","Mcp(wild, get)"]';
    expect(artifacts.get(".cursor/cli.json")).toContain(allowed);
  });

  test.each(HOSTS_THAT_HIDE)("%s is given those with dots and spaces", (host) => {
    const built = compiled(host, "roles: { a: { tools: { odd: ['a b', x.y, z] } } }");
    const lists = HOST_LISTS[host]!(filesThere(built), "a");
    for (const tool of ["a b", "x.y", "z"]) expect([tool, lists.tool("odd", tool)]).not.toEqual([tool, undefined]);
  });
});

test.each(HOSTS)("%s compiles for a project without roles, and for a role without tools", (host) => {
  const entry = entryFor(host, "a");
  expect(compiled(entryFor(host), "").errors).toEqual([]);
  expect(compiled(entry, "roles: { a: { tools: { git: none } } }").errors).toEqual([]);
});
