import { fc } from "../../support/generated.ts";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { escaped } from "../../support/arbitrary/selectors.ts";
import { build, type Built } from "../../support/built-project.ts";
import { type Dice, diceOf, tapes } from "../../support/dice.ts";
import { doorOf } from "../../support/known-hosts.ts";
import { agentgatewayReaches, type Claims, envoyReaches, type Reached } from "./gateway-readers.ts";

/** Over random projects and calls: what a gateway lets through, the plan lets through. */
const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);
const SERVERS = ["a", "b", "a_b", "a__b", "a-b", "a-", "a0", "b_", "github"];
const ROLES = ["x", "y", "x_y", "x-y", "x_", "admin"];
const PARTS = [
  "a",
  "b",
  "c",
  "b_c",
  "_",
  "__",
  "_b",
  "b__c",
  ".",
  "*",
  '"',
  "\\",
  "$",
  "${HOME}",
  "|",
  "^",
  "é",
  "😀",
  "\n",
  " ",
  "x]",
];
const ARGUMENTS = [{}, { path: "a" }, { path: "b" }, { path: 1 }, { path: "a", other: true }];

function someProject(dice: Dice): Record<string, string> {
  const servers = dice.sample(SERVERS, 1 + dice.below(4));
  const made = () => dice.some(1, 3, () => dice.one(PARTS)).join("");
  // More than a list of names has room for there.
  const many = () => (dice.chance(25) ? Array.from({ length: 35 }, (_, i) => `t${i}`) : []);
  const toolNames = () => [...new Set([...dice.some(1, 5, made), ...many()])];
  const tools = new Map(servers.map((server) => [server, toolNames()]));
  const entry = (server: string) => {
    const all = tools.get(server)!.map(escaped);
    const include = dice.chance(50) ? all : dice.sample(all, 1 + dice.below(all.length));
    return {
      include,
      ...(dice.chance(20) ? { ask: [dice.one(include)] } : {}),
      ...(dice.chance(20) ? { where: { [dice.one(include)]: { path: { enum: ["a"] } } } } : {}),
    };
  };
  const role = () => ({
    tools: Object.fromEntries(
      dice.sample(servers, 1 + dice.below(servers.length)).map((server) => [server, entry(server)]),
    ),
  });
  const roles = Object.fromEntries(
    dice.sample(ROLES, 1 + dice.below(3)).map((name) => [name, dice.chance(10) ? {} : role()]),
  );
  const door = ["agentgateway", "envoy-ai-gateway"].map((id) => ({ id, ...doorOf(id) }));
  return {
    "rolecall.yaml": stringify({ version: 1, project: "random", hosts: door }),
    "mcp/team.json": JSON.stringify({
      servers: Object.fromEntries(
        servers.map((server) => [server, { connect: [{ http: `https://s${server.length}.example/mcp` }] }]),
      ),
      roles,
      ...(dice.chance(30)
        ? {
            policies: [
              { name: "p", roles: "*", tools: [`${dice.one(servers)}.*`], effect: dice.chance(50) ? "deny" : "ask" },
            ],
          }
        : {}),
    }),
    ...Object.fromEntries(
      servers.map((server) => [`mcp/manifests/${server}.json`, manifestOf(server, tools.get(server)!)]),
    ),
  };
}

function manifestOf(server: string, names: readonly string[]): string {
  const inputSchema = { type: "object", properties: { path: { type: ["string", "number"] } } };
  return JSON.stringify({
    format: 1,
    server,
    capabilities: { tools: {} },
    tools: names.map((name) => ({ name, inputSchema })),
  });
}

/** Names as any client may send them: of tools there are, of parts of them, joined by anything. */
function someName(dice: Dice, { plan }: Built): string {
  const server = dice.one(plan.servers);
  const joined = (between: string, other = server) => server.name + between + dice.one(other.tools).name;
  const odd = dice.one([...SERVERS, server.name]) + dice.one(["", "+", "___", "-", "_"]) + dice.one(PARTS);
  const name = dice.one([
    joined("_"),
    joined("__"),
    joined("_", dice.one(plan.servers)),
    joined("__", dice.one(plan.servers)),
    odd,
  ]);
  return dice.chance(15) ? dice.one([name + dice.one(PARTS), name.slice(0, -1), name.slice(1)]) : name;
}

function someClaims(dice: Dice, { plan }: Built): Claims {
  const role = dice.chance(80) ? dice.one(plan.roles).name : dice.one(ROLES);
  const odd = [{ role: [role] }, { role: role.toUpperCase() }, { roles: role }, {}, { role: true }];
  return dice.chance(80) ? { role } : dice.one<Claims>(odd);
}

test("never wider than the plan, and whatever a role is given there goes through", () => {
  let through = 0;
  const property = fc.property(tapes(240), (tape) => {
    const dice = diceOf(tape);
    const files = someProject(dice);
    const built = build(files, "hosts");
    fc.pre(built.errors.length === 0 && built.plan.servers.every(({ tools }) => tools.length > 0));
    const config = built.artifacts.get("mcp/hosts/agentgateway/config.yaml")!;
    const judged = (claims: Claims, path: string, name: string) =>
      [agentgatewayReaches(config, claims, name), envoyReaches(built.artifacts, path, claims, name)] as const;
    const isHeld = (claims: Claims, path: string, name: string): void => {
      for (const reached of judged(claims, path, name).filter((one): one is Reached => one !== undefined)) {
        through++;
        const verdicts = ARGUMENTS.map((args) => built.may(String(claims["role"]), ...reached, args));
        const isWide = verdicts.some((verdict) => verdict !== "allow");
        if (isWide) expect([claims, path, name, ...verdicts], JSON.stringify(files, undefined, 1)).toEqual([]);
      }
    };
    for (let i = 0; i < 12; i++) isHeld(someClaims(dice, built), `/mcp/${dice.one(ROLES)}`, someName(dice, built));
    // Each role on its own way and on every other one's, with the name of each tool.
    const names = built.plan.servers.flatMap(({ name, tools }) =>
      tools.slice(0, 6).flatMap((tool) => [`${name}_${tool.name}`, `${name}__${tool.name}`]),
    );
    for (const { name: role } of built.plan.roles)
      for (const { name: other } of built.plan.roles) for (const name of names) isHeld({ role }, `/mcp/${other}`, name);
    for (const { host, roles } of built.hosts)
      for (const { name: role, servers } of roles)
        for (const { server, tools } of servers)
          for (const { tool, joined } of tools) {
            const [one, other] = judged({ role }, `/mcp/${role}`, joined);
            const reached = host.id === "agentgateway" ? one : other;
            expect([role, joined, reached]).toEqual([role, joined, [server.name, tool.name]]);
            for (const args of ARGUMENTS)
              expect([role, joined, built.may(role, server.name, tool.name, args)]).toEqual([role, joined, "allow"]);
          }
  });
  fc.assert(property, { numRuns: Math.ceil(120 * MORE), maxSkipsPerRun: 60, interruptAfterTimeLimit: 15_000 * MORE });
  expect(through).toBeGreaterThan(200);
});
