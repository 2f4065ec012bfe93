import { fc } from "../../support/generated.ts";
import { expect, test } from "vitest";
import { build, RANK } from "../../support/built-project.ts";
import { diceOf, tapes, type Dice } from "../../support/dice.ts";
import type { Verdict } from "../../support/reference/shapes.ts";

/** Random files of MAGSAG, read a second time as their guides say, by a reader that knows nothing of ours. */

interface Tool {
  readonly name: string;
  readonly readOnly: boolean | undefined;
}
interface Written {
  readonly tools: Readonly<Record<string, readonly Tool[]>>;
  /** Server files, by id. */
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly maps: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly agents: readonly Agent[];
  readonly skills: readonly { readonly id: string; readonly permissions: readonly string[] }[];
  readonly policies: readonly Lines[];
}
type Lines = Readonly<Record<string, "allow" | "deny" | "require-approval">>;
interface Agent {
  readonly slug: string;
  readonly requires: { readonly mcp: readonly string[] };
  readonly skills: readonly string[];
  readonly policies?: { readonly tools: Lines };
}

const SERVERS = ["files", "tracker", "wiki"];
const NAMES = ["read", "write", "drop_all", "tracker_read", "wiki.list", "make"];
const WORDS = ["allow", "deny", "require-approval"] as const;
const SWITCHES = [true, false, "${X:true}", "${X:false}", "${X:-false}", "${X}", "false"];

function someFiles(dice: Dice): Written {
  const tools = Object.fromEntries(
    SERVERS.map((server) => [
      server,
      dice.sample(NAMES, 1 + dice.below(5)).map((name) => ({ name, readOnly: dice.one([true, false, undefined]) })),
    ]),
  );
  const maps = Object.fromEntries(
    SERVERS.filter(() => dice.chance(50)).map((server) => [
      server,
      { "read:x": namesFrom(dice, tools[server]!), "vault:y": namesFrom(dice, tools[server]!) },
    ]),
  );
  const servers = Object.fromEntries(SERVERS.map((server) => [server, someServer(dice, server, server in maps)]));
  const skills = ["skill.a", "skill.b"].map((id) => ({
    id,
    permissions: dice.sample([...SERVERS.map((server) => `mcp:${server}`), "net:all"], dice.below(3)),
  }));
  const agents = ["one", "two"].map((slug) => ({
    slug,
    requires: { mcp: dice.sample(SERVERS, dice.below(4)) },
    skills: dice.sample(["skill.a", "skill.b"], dice.below(3)),
    ...(dice.chance(40) && { policies: { tools: someLines(dice, tools) } }),
  }));
  return { tools, maps, servers, agents, skills, policies: dice.some(0, 2, () => someLines(dice, tools)) };
}

function namesFrom(dice: Dice, tools: readonly Tool[]): string[] {
  return dice.sample(tools, 1 + dice.below(tools.length)).map(({ name }) => name);
}

function someServer(dice: Dice, id: string, hasMap: boolean): Record<string, unknown> {
  const scope = dice.chance(60)
    ? dice.sample(hasMap ? ["read:x", "vault:y"] : ["read:x", "write:x"], dice.below(3))
    : undefined;
  if (dice.chance(50))
    return {
      server_id: id,
      type: "mcp",
      command: "npx",
      args: ["-y", `@acme/${id}@1.0.0`],
      ...(scope && { scopes: scope }),
    };
  return {
    id,
    transport: { type: "stdio", command: "npx", args: ["-y", `@acme/${id}@1.0.0`] },
    ...(dice.chance(40) && { options: { read_only: dice.one(SWITCHES) } }),
    permissions: {
      ...(scope && { scope }),
      ...(dice.chance(40) && { write_requires_approval: dice.one(SWITCHES) }),
    },
  };
}

function someLines(dice: Dice, tools: Written["tools"]): Lines {
  const all = Object.entries(tools).flatMap(([server, list]) => list.map(({ name }) => `${server}.${name}`));
  return Object.fromEntries(dice.sample(all, 1 + dice.below(3)).map((name) => [name, dice.one(WORDS)]));
}

function filesOf({ tools, maps, servers, agents, skills, policies }: Written): Record<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 1)}\n`;
  const manifestOf = (list: readonly Tool[]) => ({
    tools: list.map(({ name, readOnly }) => ({
      name,
      inputSchema: { type: "object" },
      // Whatever writes says that it destroys nothing, which is no reading.
      ...(readOnly !== undefined && { annotations: { readOnlyHint: readOnly, destructiveHint: false } }),
    })),
  });
  const preset = (id: string, scopes: unknown) => ({
    id,
    server: { connect: [{ stdio: ["npx", "-y", `@acme/${id}@2.0.0`] }], scopes },
  });
  return {
    "rolecall.yaml": 'version: 1\nproject: random\nimports: ["servers/*.yaml", "catalog/**/*.yaml"]\n',
    ...Object.fromEntries(SERVERS.map((id) => [`mcp/manifests/${id}.json`, json(manifestOf(tools[id]!))])),
    ...Object.fromEntries(Object.entries(maps).map(([id, map]) => [`mcp/presets/${id}.yaml`, json(preset(id, map))])),
    ...Object.fromEntries(Object.entries(servers).map(([id, server]) => [`servers/${id}.yaml`, json(server)])),
    ...Object.fromEntries(agents.map((agent) => [`catalog/agents/${agent.slug}/agent.yaml`, json(agent)])),
    ...Object.fromEntries(skills.map((skill) => [`catalog/skills/${skill.id}/skill.yaml`, json(skill)])),
    ...Object.fromEntries(
      policies.map((lines, i) => [`catalog/policies/${i}.yaml`, json({ policies: { tools: lines } })]),
    ),
  };
}

/** What the guides say that an agent may do with a tool, whatever the environment will be. */
function naively(written: Written, agent: Agent, server: string, tool: Tool): Verdict {
  const used = written.skills.filter(({ id }) => agent.skills.includes(id));
  const isGiven = agent.requires.mcp.includes(server) || used.some((one) => one.permissions.includes(`mcp:${server}`));
  const file = written.servers[server] as {
    scopes?: string[];
    options?: { read_only?: unknown };
    permissions?: { scope?: string[]; write_requires_approval?: unknown };
  };
  const scopes = file.scopes ?? file.permissions?.scope;
  const reads = tool.readOnly === true;
  const inScope = (scope: string): boolean => {
    const map = written.maps[server];
    if (map !== undefined) return map[scope]!.includes(tool.name);
    return scope.startsWith("read:") ? reads : !reads;
  };
  const own = agent.policies?.tools ?? {};
  const wordsOf = (all: readonly Lines[]) => all.map((one) => one[`${server}.${tool.name}`]);
  const lines = wordsOf([...written.policies, own]);
  const mayBeOn = (value: unknown): boolean => value !== undefined && value !== false && value !== "false";
  if (!isGiven || lines.includes("deny")) return "deny";
  if (scopes !== undefined && !scopes.some(inScope)) return "deny";
  if (mayBeOn(file.options?.read_only) && !reads) return "deny";
  const asksToWrite = mayBeOn(file.permissions?.write_requires_approval) && !reads;
  // Named alone, what isn't sure to read has to be named itself, by a line about whoever names the server.
  const isBound = scopes !== undefined || mayBeOn(file.options?.read_only);
  const opening = wordsOf([...written.policies, ...(agent.requires.mcp.includes(server) ? [own] : [])]);
  const isNamed = opening.includes("allow") || opening.includes("require-approval");
  if (!isBound && !reads && !asksToWrite && !isNamed) return "deny";
  return asksToWrite || lines.includes("require-approval") ? "ask" : "allow";
}

test("no file of MAGSAG gives more than it says", () => {
  let same = 0;
  let granted = 0;
  fc.assert(
    fc.property(tapes(300), (tape) => {
      const written = someFiles(diceOf(tape));
      const built = build(filesOf(written));
      expect(built.errors).toEqual([]);
      for (const agent of written.agents) {
        for (const [server, tools] of Object.entries(written.tools)) {
          for (const tool of tools) {
            const meant = naively(written, agent, server, tool);
            const ours = built.effect(agent.slug, server, tool.name);
            if (RANK[ours] > RANK[meant])
              throw new Error(`${agent.slug} ${server}.${tool.name}: ${ours}, and the files say ${meant}`);
            if (meant === "deny") continue;
            granted++;
            if (ours === meant) same++;
          }
        }
      }
    }),
    { numRuns: 150 * Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1) },
  );
  expect([granted > 100, same]).toEqual([true, granted]);
});
