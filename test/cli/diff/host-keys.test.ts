import { describe, expect, test } from "vitest";
import { compare } from "../../../compiler/diff/compare.ts";
import { comparedAccess } from "../../../compiler/cli/diff/base.ts";
import { manifest, planned } from "../../support/compiled.ts";
import { doorOf, HOSTS, HOSTS_SERVED_ALONE, HOSTS_THROUGH } from "../../support/known-hosts.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";

/** Each key of each host under `hosts`, alone another one: no change of it goes by unsaid. */

type Entry = Readonly<Record<string, unknown>>;

const takes = new Map(allHosts([]).map(({ id, takes: keys = [] }) => [id, new Set<string>(keys)]));
takes.get("opencode")!.add("into");
const said = (was: Entry, is: Entry): string[] => {
  const [before, after] = [was, is].map((entry) => comparedAccess(planOf(entry)));
  const { changes } = compare(
    before!,
    after!,
    () => false,
    () => [],
  );
  return changes.map(({ direction, kind, server }) => `${direction} ${kind} ${server}`);
};

function planOf(entry: Entry) {
  const { plan } = planned({
    "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${JSON.stringify(entry)}]\n`,
    "mcp/servers.yaml": `servers:
  files: { connect: [{ stdio: [files] }, { http: "https://files.example.com/mcp" }] }
  spare: { connect: [{ stdio: [spare], env: { T: "\${TOKEN:+x}" } }] }
`,
    "mcp/manifests/files.json": manifest("read"),
    "mcp/manifests/spare.json": manifest("read"),
    "mcp/roles.yaml": "roles:\n  low: { tools: { files: [read] } }\n  other: { tools: { spare: [read] } }\n",
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

test.each(HOSTS_THROUGH.filter((id) => !HOSTS_SERVED_ALONE.includes(id)))("%s is told of the gateway", (id) => {
  const [direct, served] = [
    { id, role: "low" },
    { id, role: "low", via: "serve" },
  ];
  expect([said(direct, served), said(served, direct)]).toEqual([[`changed host ${id}`], [`changed host ${id}`]]);
});

test("every key that an entry may have is among them", () => {
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
