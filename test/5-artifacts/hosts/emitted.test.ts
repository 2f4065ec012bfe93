import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import { arbitraryProject, type SampleProject } from "../../support/arbitrary/project.ts";
import { HOST_LISTS, type Given } from "./host-lists.ts";
import { entryFor, HOSTS, HOSTS_THAT_HIDE } from "../../support/known-hosts.ts";
import { held } from "../../../compiler/3-plan/held.ts";
import { mayHaveBeenOurs } from "../../../compiler/base/keyed-places.ts";
import { build, filesThere, type Built } from "../../support/built-project.ts";
import { filesOf } from "../../support/project-layout.ts";

/** Over generated projects: what a host makes of its files is never more than the plan, and all that isn't left out. */
const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);
interface AnyTool {
  readonly server: string;
  readonly tool: string;
}

describe.each(HOSTS_THAT_HIDE)("%s", (host) => {
  test("gets what the plan gives, no tool more, and loses no question", () => {
    let fit = 0;
    const property = fc.property(arbitraryProject, (project) => {
      const built = build(filesFor(project, host), "hosts");
      fc.pre(built.errors.length === 0);
      fit++;
      const files = filesThere(built);
      for (const { name } of built.plan.roles) {
        const lists = HOST_LISTS[host]!(files, name);
        for (const one of everyTool(built)) holdsFor(name, one, lists.tool(one.server, one.tool), built);
      }
    });
    fc.assert(property, { numRuns: Math.ceil(30 * MORE), maxSkipsPerRun: 20, interruptAfterTimeLimit: 10_000 * MORE });
    expect(fit).toBeGreaterThan(10);
  });
});

/** A policy that Gemini CLI can't read is dropped whole. */
test.each(["codex", "gemini-cli"])("%s reads its file whatever a tool is called", (host) => {
  const names = ["a\u{e0041}", "b\u007f", "c\u2028", "d\"\n'", "e\\u0041", "f🙂", "g\ufe0f"];
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  const files = {
    "rolecall.yaml": `version: 1\nproject: odd\nhosts: [${host}]\n`,
    "mcp/team.yaml": "servers: { odd: { connect: [{ stdio: [a] }] } }\nroles: { all: { tools: { odd: all } } }\n",
    "mcp/manifests/odd.json": JSON.stringify({ format: 1, server: "odd", capabilities: { tools: {} }, tools }),
  };
  const built = build(files, "hosts");
  const lists = HOST_LISTS[host]!(filesThere(built), "all");
  const given = built.hosts[0]!.roles[0]!.servers[0]!.tools.map(({ tool }) => tool.name as string);
  expect(given).toEqual(names);
  for (const tool of given) expect([tool, lists.tool("odd", tool)]).toEqual([tool, "allow"]);
});

test("every agent in a file of OpenCode's closes all servers of that file, then opens its own tools", () => {
  const server = (name: string) =>
    JSON.stringify({ server: name, tools: [{ name: "look", inputSchema: { type: "object" } }] });
  const { artifacts } = build(
    {
      "rolecall.yaml": "version: 1\nproject: all\nhosts: [opencode]\n",
      "mcp/team.yaml":
        "servers: { a: { connect: [{ stdio: [a] }] }, b: { connect: [{ stdio: [b] }] } }\nroles: { lead: { tools: { a: all }, delegates: [hand] }, hand: { tools: { b: all } } }\n",
      "mcp/manifests/a.json": server("a"),
      "mcp/manifests/b.json": server("b"),
    },
    "hosts",
  );
  const { agent } = JSON.parse(artifacts.get("mcp/hosts/opencode/lead.json")!) as {
    agent: Record<"lead" | "hand", { permission: object }>;
  };
  const rules = Object.entries(agent).map(([name, { permission }]) => [name, Object.entries(permission).slice(0, 3)]);
  expect(rules).toEqual([
    [
      "hand",
      [
        ["a_**", "deny"],
        ["b_**", "deny"],
        ["b_look", "allow"],
      ],
    ],
    [
      "lead",
      [
        ["a_**", "deny"],
        ["b_**", "deny"],
        ["a_look", "allow"],
      ],
    ],
  ]);
});

test("OpenCode starts no server of another role's, though the team's own file has all of them", () => {
  const { artifacts } = build(
    {
      "rolecall.yaml": "version: 1\nproject: all\nhosts: [{ id: opencode, into: opencode.json }]\n",
      "mcp/team.yaml":
        "servers: { a: { connect: [{ stdio: [a] }] }, b: { connect: [{ stdio: [b] }] } }\nroles: { x: { tools: { a: all } }, y: { tools: { b: all } } }\n",
      "mcp/manifests/a.json": '{"server":"a","tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
      "mcp/manifests/b.json": '{"server":"b","tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
    },
    "hosts",
  );
  const { mcp } = JSON.parse(artifacts.get("mcp/hosts/opencode/x.json")!) as { mcp: object };
  expect(mcp).toMatchObject({ a: { enabled: true }, b: { enabled: false } });
});

test("keys in a user's file lie where a later build takes them out again", () => {
  const choices = HOSTS.map((id) => (id === "opencode" ? "{ id: opencode, into: opencode.json }" : entryFor(id, "a")));
  const { hosts, errors } = build(
    {
      "rolecall.yaml": `version: 1\nproject: all\nhosts: [${choices.join(", ")}]\n`,
      "mcp/team.yaml": "servers: { notes: { connect: [{ stdio: [n] }] } }\nroles: { a: { tools: { notes: all } } }\n",
      "mcp/manifests/notes.json": '{"server":"notes","tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
    },
    "hosts",
  );
  expect(errors).toEqual([]);
  const keyed = hosts.flatMap((fitted) => [...fitted.host.emit(fitted)].filter((artifact) => "keys" in artifact));
  const known = hosts.map(({ host }) => host);
  const lost = keyed.flatMap(({ path, keys }) =>
    keys.filter(({ at }) => !mayHaveBeenOurs(path, at, known)).map(() => path),
  );
  expect(keyed.length).toBeGreaterThan(5);
  expect(lost).toEqual([]);
});

function holdsFor(role: string, { server, tool }: AnyTool, seen: Given, built: Built): void {
  const { abilities, takesAsWritten } = built.hosts[0]!.host;
  const effect = built.effect(role, server, tool);
  const conditioned = hasConditions(built, role, server, tool);
  const where = `${role} ${server}.${tool}`;
  if (effect === "deny") expect([where, seen]).toEqual([where, undefined]);
  if (conditioned && abilities.conditions.holds === "none") expect([where, seen]).toEqual([where, undefined]);
  if (effect === "ask" && !takesAsWritten) expect([where, seen]).not.toEqual([where, "allow"]);
  const left = built.hosts
    .flatMap((fitted) => fitted.roles.filter(({ name }) => name === role))
    .some((one) => one.leftOut.some((away) => away.server.name === server && away.tools.some((t) => t.name === tool)));
  if (effect !== "deny") expect([where, seen !== undefined]).toEqual([where, !left]);
}

function hasConditions({ plan }: Built, role: string, server: string, tool: string): boolean {
  const grant = plan.roles.find(({ name }) => name === role)?.grants.find((one) => one.server.name === server);
  return grant !== undefined && held(grant).some(([one, { where }]) => one.name === tool && where.length > 0);
}

/** Every tool of the manifests, and one that its server grows later. */
function everyTool({ plan }: Built): AnyTool[] {
  return plan.servers.flatMap((server) => [
    ...server.tools.map(({ name }) => ({ server: server.name, tool: name as string })),
    { server: server.name, tool: "grown_later" },
  ]);
}

function filesFor(project: SampleProject, host: string): Record<string, string> {
  const files = { ...filesOf(project) };
  return { ...files, "rolecall.yaml": `${files["rolecall.yaml"]}hosts: [${host}]\n` };
}
