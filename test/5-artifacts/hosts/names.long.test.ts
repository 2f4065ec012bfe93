import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { escaped } from "../../support/arbitrary/selectors.ts";
import { HOST_LISTS } from "./host-lists.ts";
import { doorOf, HOSTS, HOSTS_SERVED_ALONE } from "../../support/known-hosts.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../../compiler/io/read/resources.ts";
import { build, filesThere, type Built } from "../../support/built-project.ts";
import { diceOf, tapes, type Dice } from "../../support/dice.ts";

/** Over names as hostile as they come: what a host reads in its lists is what the plan gives, its own tools included. */
const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);
const hosts = allHosts(readResources().hosts);
const SERVERS =
  "a b a_b a__b a_ read external doom apply custom transfer execute workspace ide codex_apps github github-mcp-server mcp notes".split(
    " ",
  );
const TOOLS =
  "a b b__c c look drop read runInTerminal directory loop patch agent to_admin mcp-server-x transfer_to_agent invoke_agent * ? look* look(x) drop(y) __ _ __proto__ constructor".split(
    " ",
  );
const BETWEEN = [
  "",
  " ",
  ", ",
  ",",
  "\n",
  "/",
  ":",
  ".",
  "-",
  "_",
  "__",
  "(",
  ")",
  "*",
  "é",
  "\u00a0",
  '"',
  "'",
  "#",
  "$",
  "`",
  "|",
];
const BUILTINS =
  "mcp__a mcp__a__b mcp__a__* mcp__notes__drop notes/drop mcp:notes-drop notes-drop notes_drop external_directory doom_loop Agent agent custom-agent task Task * Bash(*) @a".split(
    " ",
  );

function someProject(dice: Dice, host: string): Record<string, string> {
  const toolNames = () => {
    const made = dice.some(1, 5, () => dice.one(TOOLS) + (dice.chance(40) ? dice.one(BETWEEN) + dice.one(TOOLS) : ""));
    return [...new Set(made)].filter((name) => name !== "");
  };
  const servers = dice.sample(SERVERS, 1 + dice.below(3));
  const tools = new Map(servers.map((server) => [server, toolNames()]));
  const own = [...(hosts.find(({ id }) => id === host)!.ownTools?.tools.keys() ?? [])];
  const builtin = () => {
    const name = dice.chance(60) && own.length > 0 ? dice.one(own) : dice.one(BUILTINS);
    const whole = dice.chance(15) ? name + dice.one(BETWEEN) + dice.one(BUILTINS) : name;
    return dice.chance(40) ? { optional: whole } : whole;
  };
  const role = () => ({
    tools: Object.fromEntries(
      servers.map((server) => {
        const all = tools.get(server)!.map(escaped);
        const include = dice.chance(50) ? all : dice.sample(all, 1 + dice.below(all.length));
        const ask = dice.sample(include, dice.below(2));
        return [server, { include, ...(ask.length > 0 ? { ask } : {}) }];
      }),
    ),
    ...(own.length > 0 && dice.chance(60) && hosts.find(({ id }) => id === host)!.abilities.builtins.holds !== "none"
      ? { builtins: { [host]: dice.chance(10) ? "all" : dice.some(1, 3, builtin) } }
      : {}),
  });
  const { abilities } = hosts.find(({ id }) => id === host)!;
  const choice = { id: host, ...doorOf(host), ...(abilities.roles ? {} : { role: "x" }) };
  return {
    "rolecall.yaml": stringify({ version: 1, project: "names", hosts: [choice] }),
    "mcp/team.json": JSON.stringify({
      servers: Object.fromEntries(
        servers.map((server) => [server, { connect: [{ stdio: ["s"] }, { http: "https://s.example/mcp" }] }]),
      ),
      roles: { x: role(), y: role() },
    }),
    ...Object.fromEntries(
      servers.map((server) => [
        `mcp/manifests/${server}.json`,
        JSON.stringify({
          format: 1,
          server,
          capabilities: { tools: {} },
          tools: tools.get(server)!.map((name) => ({ name, inputSchema: { type: "object" } })),
        }),
      ]),
    ),
  };
}

/** What a role's files give beyond the plan, or without which it was planned. */
function wrongs(id: string, built: Built): string[] {
  const files = filesThere(built);
  const { roles, host } = built.hosts[0]!;
  const ownNames = [...(host.ownTools?.tools ?? [])];
  return roles.flatMap(({ name: role, servers, builtins }) => {
    const lists = HOST_LISTS[id]!(files, role);
    const fitted = new Map(
      servers.flatMap(({ server, tools }) => tools.map(({ tool, effect }) => [key(server.name, tool.name), effect])),
    );
    const tools = built.plan.servers.flatMap((server) => {
      // One that the host would call as it calls a tool of the manifest is that tool to it: its server could change it as well.
      const names = new Set(server.tools.map(({ name }) => host.joinedName(server.name, name)));
      const grown = [...TOOLS, "grown"].filter(
        // What is given a server whole is given what the server grows.
        (tool) => host.abilities.hide.holds !== "none" && !names.has(host.joinedName(server.name, tool)),
      );
      return [...new Set([...server.tools.map(({ name }) => name as string), ...grown])].flatMap((tool) => {
        const [seen, planned] = [lists.tool(server.name, tool), built.effect(role, server.name, tool)];
        const wide =
          seen !== undefined && (planned === "deny" || (planned === "ask" && seen === "allow" && !host.takesAsWritten));
        const lost = seen === undefined && fitted.has(key(server.name, tool));
        return wide || lost ? [`${role} ${key(server.name, tool)}: planned ${planned}, read ${seen}`] : [];
      });
    });
    const own = ownNames.flatMap(([name, can]) => {
      const closed = can === "hands work on" || can === "reads resources";
      const wanted =
        !closed &&
        builtins !== undefined &&
        (builtins.includes("*") || [name, name.split("/")[0]!].some((one) => builtins.includes(one)));
      const free = builtins === undefined || host.abilities.builtins.holds === "none" || builtins.includes("*");
      const seen = lists.own(name);
      if (seen !== undefined && (closed || !(wanted || free))) return [`${role} own ${name}: read ${seen}`];
      return wanted && !builtins.includes("*") && seen === undefined ? [`${role} own ${name}: lost`] : [];
    });
    return [...tools, ...own, ...lists.taken.map((word) => `${role} took the host's word ${word}`)];
  });
}

const key = (server: string, tool: string) => `${server} ${JSON.stringify(tool)}`;

// Those that are told of `rolecall serve` alone are held against it in through-gateway.test.ts.
describe.each(HOSTS.filter((id) => id !== "mcp-servers" && !HOSTS_SERVED_ALONE.includes(id)))("%s", (id) => {
  test("reads in its lists what the plan gives, and of its own tools what `builtins` name", () => {
    let fit = 0;
    const property = fc.property(tapes(80), (tape) => {
      const files = someProject(diceOf(tape), id);
      const built = build(files, "hosts");
      fc.pre(built.errors.length === 0);
      fit++;
      expect(wrongs(id, built), JSON.stringify(files, undefined, 1)).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(60 * MORE), maxSkipsPerRun: 60, interruptAfterTimeLimit: 15_000 * MORE });
    expect(fit).toBeGreaterThan(30);
  });
});
