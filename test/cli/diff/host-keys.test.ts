import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { compare } from "../../../compiler/diff/compare.ts";
import { comparedAccess } from "../../../compiler/cli/diff/base.ts";
import { manifest, planned } from "../../support/compiled.ts";
import { doorOf, HOSTS, HOSTS_SERVED_ALONE, HOSTS_THROUGH } from "../../support/known-hosts.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";

/** Each key of each host under `hosts`, alone another one: no change of it goes by unsaid. */

type Entry = Readonly<Record<string, unknown>>;

const all = allHosts([]);
const takes = new Map(all.map(({ id, takes: keys = [] }) => [id, new Set<string>(keys)]));
takes.get("opencode")!.add("into");
const said = (was: Entry | undefined, is: Entry | undefined, builtins?: object): string[] => {
  const [before, after] = [was, is].map((entry) => comparedAccess(planOf(entry, builtins)));
  const { changes } = compare(
    before!,
    after!,
    () => false,
    () => [],
  );
  return changes.map(({ direction, kind, server }) => `${direction} ${kind} ${server}`);
};

function planOf(entry: Entry | undefined, builtins?: object) {
  const { plan } = planned({
    "rolecall.yaml": JSON.stringify({ version: 1, project: "harbor", hosts: entry === undefined ? [] : [entry] }),
    "mcp/servers.yaml": `servers:
  files: { connect: [{ stdio: [files] }, { http: "https://files.example.com/mcp" }] }
  spare: { connect: [{ stdio: [spare], env: { T: "\${TOKEN:+x}" } }] }
  wide: { connect: [{ stdio: [wide] }] }
`,
    "mcp/manifests/files.json": manifest("read"),
    "mcp/manifests/spare.json": manifest("read"),
    "mcp/manifests/wide.json": manifest("look", { name: "write", arguments: ["path"] }),
    "mcp/roles.yaml": JSON.stringify({
      roles: {
        low: { tools: { files: ["read"] }, builtins },
        other: { tools: { spare: ["read"] }, builtins },
        narrow: {
          tools: { wide: { include: ["look", "write"], where: { write: { path: { glob: "a/**" } } } } },
          builtins,
        },
      },
    }),
  });
  return plan;
}

/** Where nobody gets more by it; who gets in through a gateway's door isn't known here. */
const KEYS: Readonly<Record<string, readonly [unknown, unknown, "changed" | "widens"]>> = {
  whenUnenforceable: ["leave-out", "error", "changed"],
  assume: [undefined, { TOKEN: "set" }, "widens"],
  without: [undefined, ["spare"], "changed"],
  into: [undefined, "opencode.json", "changed"],
  project: ["one", { variable: "PROJECT" }, "changed"],
  product: [undefined, "two", "changed"],
  transports: [["stdio"], ["stdio", "http"], "changed"],
  issuer: ["https://id.example.com", "https://id.example.org", "widens"],
  audience: ["mcp", "others", "widens"],
  jwks: ["https://id.example.com/keys", "https://id.example.org/keys", "widens"],
  claim: [undefined, "name", "widens"],
  url: ["https://mcp.example.com/mcp", "https://mcp.example.org/mcp", "widens"],
  gateway: ["agents", "public", "widens"],
};
const OF_ALL = new Set(["whenUnenforceable", "assume", "without"]);

describe.each(HOSTS)("%s", (id) => {
  const entry = { id, role: "low", ...doorOf(id), ...(HOSTS_SERVED_ALONE.includes(id) && { via: "serve" }) };
  const keys = Object.entries(KEYS).filter(([key]) => OF_ALL.has(key) || takes.get(id)!.has(key));
  test.each(keys)("%s", (key, [was, is, direction]) => {
    const [one, other] = [
      { ...entry, [key]: was },
      { ...entry, [key]: is },
    ];
    expect([said(one, other), said(other, one)]).toEqual([[`${direction} host ${id}`], [`${direction} host ${id}`]]);
    expect(said(one, one)).toEqual([]);
  });
});

describe.each(HOSTS_THROUGH.filter((id) => !HOSTS_SERVED_ALONE.includes(id)))("%s through the gateway", (id) => {
  const turned = (was: Entry, is: Entry): string[][] => [
    said({ id, ...was }, { id, ...is }),
    said({ id, ...is }, { id, ...was }),
  ];
  const words = (...directions: string[]): string[][] => directions.map((one) => [`${one} host ${id}`]);

  const judges = all.find((host) => host.id === id)!.abilities.conditions.holds === "enforced";

  // Of the way back no tool is more: but the rules are the host's to hold.
  test("it is told of the gateway alone, and of servers again", () => {
    const served = { via: "serve" };
    expect(turned({ role: "low" }, { role: "low", ...served })).toEqual(words("changed", "widens"));
    expect(turned({ role: "narrow" }, { role: "narrow", ...served })).toEqual(
      words(judges ? "changed" : "widens", id === "cursor" ? "changed" : "widens"),
    );
    if (id !== "cursor") expect(turned({}, served)).toEqual(words(judges ? "changed" : "widens", "widens"));
  });

  test("the gateway has what it can't hold, and nothing any more", () => {
    const [left, through] = ["leave-out", "gateway"].map((whenUnenforceable) => ({ whenUnenforceable }));
    const of = (role: string) => turned({ role, ...left }, { role, ...through });
    expect(of("narrow")).toEqual(judges ? words("changed", "changed") : words("widens", "narrows"));
    // Of a host that can't hide a tool every server goes through it, and grows there when it doesn't.
    expect(of("low")).toEqual(id === "cursor" ? words("narrows", "widens") : words("changed", "changed"));
  });
});

test("a host that comes opens what no role holds: others work there too, and servers grow", () => {
  const none = (id: string) => ({ [id]: "none" });
  expect(said(undefined, { id: "vscode" }, none("vscode"))).toEqual(["widens host vscode"]);
  expect(said(undefined, { id: "vscode", via: "serve" }, none("vscode"))).toEqual(["changed host vscode"]);
  expect(said(undefined, { id: "opencode", role: "low" }, none("opencode"))).toEqual(["changed host opencode"]);
});

const schema = JSON.parse(readFileSync("schemas/json/project.json", "utf8")) as {
  properties: { hosts: { items: { anyOf: { properties?: object }[] } } };
};

test("every key that an entry may have is among them", () => {
  const entry = schema.properties.hosts.items.anyOf.find((one) => one.properties !== undefined)!;
  expect(new Set([...Object.keys(KEYS), "id", "via", "role"])).toEqual(new Set(Object.keys(entry.properties!)));
  expect(new Set([...takes.values()].flatMap((keys) => [...keys]))).toEqual(
    new Set(Object.keys(KEYS).filter((key) => !OF_ALL.has(key))),
  );
});

test("a default that is written out says nothing new", () => {
  const entry = { id: "agentgateway", role: "low", ...doorOf("agentgateway") };
  expect(said(entry, { ...entry, claim: "role" })).toEqual([]);
  const stored = { id: "postgres", role: "low" };
  expect(said(stored, { ...stored, project: "harbor", transports: ["sse", "stdio"] })).toEqual([]);
});

test("who gives less, and lets others in, gives more", () => {
  const entry = { id: "agentgateway", ...doorOf("agentgateway") };
  expect(said(entry, { ...entry, without: ["files"] })).toEqual(["narrows host agentgateway"]);
  const less = { ...entry, without: ["files"], issuer: "https://id.example.org" };
  expect(said(entry, less)).toEqual(["widens host agentgateway"]);
});
