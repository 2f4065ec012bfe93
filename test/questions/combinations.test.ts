import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import {
  createCombiner,
  newCombinations,
  type Combination,
  type CombinedTool,
} from "../../compiler/questions/combinations.ts";
import { manifest, planned } from "../support/compiled.ts";

/** What is dangerous together, and the fewest tools without which it is gone. */

const ownTools = new Map(
  allHosts([]).flatMap(({ id, ownTools: own }) => (own === undefined ? [] : [[id, own] as const])),
);
const nameOf = ({ server, name }: CombinedTool): string => (server === undefined ? name : `${server}.${name}`);
const said = ({ kind, host, parts, fewest, isAsked }: Combination) => ({
  kind,
  ...(host !== undefined && { host }),
  ...Object.fromEntries(parts.map(({ part, tools }) => [part, tools.map(nameOf)])),
  without: fewest.map(nameOf),
  ...(isAsked && { isAsked }),
});

const SERVERS = `servers:
  mail:
    connect: [{ stdio: [node, mail.mjs] }]
    labels: { private-data: [read, search], untrusted-content: [read, search], external: [send] }
  web:
    connect: [{ stdio: [node, web.mjs] }]
  box:
    connect: [{ stdio: [node, box.mjs] }]
    labels: { shell: [sh], destructive: [put] }
`;
const FILES = {
  "mcp/servers.yaml": SERVERS,
  "mcp/manifests/mail.json": manifest("read", "search", "send", "sort"),
  "mcp/manifests/web.json": manifest(
    { name: "look", annotations: { readOnlyHint: true, openWorldHint: true } },
    { name: "post", annotations: { readOnlyHint: false, openWorldHint: true } },
    { name: "save", annotations: { readOnlyHint: false, openWorldHint: false } },
    "odd",
  ),
  "mcp/manifests/box.json": manifest("sh", "put"),
};

function combinationsOf(roles: string, role = "agent") {
  const { plan } = planned({ ...FILES, "mcp/roles.yaml": `roles:\n${roles}` });
  return createCombiner(plan, ownTools)(plan.roles.find(({ name }) => name === role)!);
}

describe("what a stranger wrote can send what is private", () => {
  test("by labels", () => {
    expect(combinationsOf("  agent: { tools: { mail: [read, search, send] } }\n").combinations.map(said)).toEqual([
      {
        kind: "leak",
        "private-data": ["mail.read", "mail.search"],
        "untrusted-content": ["mail.read", "mail.search"],
        "way-out": ["mail.send"],
        without: ["mail.send"],
      },
    ]);
  });

  test("by hints that somebody wrote, where no label of the server speaks", () => {
    expect(
      combinationsOf("  agent: { tools: { mail: [search], web: [look, post] } }\n").combinations.map(said),
    ).toEqual([
      {
        kind: "leak",
        "private-data": ["mail.search"],
        "untrusted-content": ["mail.search", "web.look"],
        "way-out": ["web.post"],
        without: ["web.post"],
      },
    ]);
  });

  test.each([
    ["two of the three", "mail: [read, search]"],
    ["what stays inside", "mail: [read], web: [save]"],
    ["what is taken away", "mail: { include: ['*'], exclude: [send] }"],
  ])("%s is none", (_, tools) => expect(combinationsOf(`  agent: { tools: { ${tools} } }\n`).combinations).toEqual([]));

  test("a part that is only asked for has a person in it", () => {
    expect(
      combinationsOf("  agent: { tools: { mail: { include: [read, send], ask: [send] } } }\n").combinations.map(said),
    ).toMatchObject([{ kind: "leak", isAsked: true }]);
    expect(
      combinationsOf("  agent: { tools: { mail: { include: [read, send], ask: [send] }, web: [post] } }\n")
        .combinations[0],
    ).toMatchObject({ isAsked: false, fewest: [{ name: "read", isAsked: false }] });
  });

  test("over two roles, where one hands work to the other", () => {
    const roles = "  agent: { delegates: [sender], tools: { mail: [read] } }\n  sender: { tools: { mail: [send] } }\n";
    expect(combinationsOf(roles).combinations).toMatchObject([
      { kind: "leak", fewest: [{ name: "send", through: "sender" }] },
    ]);
    expect(combinationsOf(roles, "sender").combinations).toEqual([]);
  });
});

describe("what it wrote can be run", () => {
  test("a tool that runs commands does what any tool does", () => {
    expect(combinationsOf("  agent: { tools: { box: [sh, put] } }\n").combinations.map(said)).toEqual([
      {
        kind: "leak",
        "private-data": ["box.sh"],
        "untrusted-content": ["box.sh"],
        "way-out": ["box.sh"],
        without: ["box.sh"],
      },
      { kind: "write-and-run", writes: ["box.put", "box.sh"], runs: ["box.sh"], without: ["box.sh"] },
    ]);
  });

  test("a host's own tools count there and on no other host", () => {
    const roles =
      "  agent: { builtins: { claude-code: [Read, WebFetch], opencode: [edit] }, tools: { mail: [sort] } }\n";
    expect(combinationsOf(roles).combinations.map(said)).toEqual([
      {
        kind: "leak",
        host: "claude-code",
        "private-data": ["Read"],
        "untrusted-content": ["WebFetch"],
        "way-out": ["WebFetch"],
        without: ["WebFetch"],
      },
    ]);
  });

  test("all of a host's own tools are every part", () => {
    const kinds = combinationsOf("  agent: { builtins: { claude-code: all } }\n").combinations.map(
      ({ kind, host }) => `${kind} ${host}`,
    );
    expect(kinds).toEqual(["leak claude-code", "write-and-run claude-code"]);
  });
});

test("a tool of which neither a label nor a hint says anything is unknown, and counts for nothing", () => {
  const { combinations, unknown } = combinationsOf("  agent: { tools: { web: all, mail: all } }\n");
  expect(unknown.map(nameOf)).toEqual(["mail.sort", "web.odd"]);
  expect(JSON.stringify(combinations)).not.toMatch(/odd|sort/);
});

test("no smaller set of tools breaks a combination than the one that is named", () => {
  const tools = ["read", "search", "send", "sort"] as const;
  const labels = ["private-data", "untrusted-content", "external"] as const;
  const project = fc.array(fc.subarray([...labels]), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(project, (given) => {
      const holding = (held: readonly number[]) => {
        const written = labels.flatMap((label) => {
          const of = tools.filter((_, i) => given[i]!.includes(label));
          return of.length === 0 ? [] : [`${label}: [${of.join(", ")}]`];
        });
        const servers = `servers:\n  mail:\n    connect: [{ stdio: [node, mail.mjs] }]\n    labels: { ${[...written, "calm: [sort]"].join(", ")} }\n`;
        const names = held.map((i) => tools[i]!).join(", ");
        const { plan } = planned({
          "mcp/servers.yaml": servers,
          "mcp/manifests/mail.json": FILES["mcp/manifests/mail.json"],
          "mcp/roles.yaml": `roles:\n  agent: { description: x${names === "" ? "" : `, tools: { mail: [${names}] }`} }\n`,
        });
        return createCombiner(plan, ownTools)(plan.roles[0]!).combinations;
      };
      const [whole] = holding([0, 1, 2, 3]);
      if (whole === undefined) return;
      const without = (gone: readonly number[]) => holding([0, 1, 2, 3].filter((i) => !gone.includes(i)));
      const sets = Array.from({ length: 16 }, (_, bits) => [0, 1, 2, 3].filter((i) => bits & (1 << i)));
      const smallest = Math.min(...sets.filter((gone) => without(gone).length === 0).map(({ length }) => length));
      expect(whole.fewest.length).toBe(smallest);
      expect(without(whole.fewest.map(({ name }) => tools.indexOf(name as "read")))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

describe("new is what wasn't there", () => {
  const asked = combinationsOf("  agent: { tools: { mail: { include: [read, send], ask: [send] } } }\n");
  const open = combinationsOf("  agent: { tools: { mail: [read, send] } }\n");
  const none = combinationsOf("  agent: { tools: { mail: [read] } }\n");

  test.each([
    ["where there was none", none, open, 1],
    ["where nothing was known of it", undefined, open, 1],
    ["what needed a person before", asked, open, 1],
    ["not what was there", open, open, 0],
    ["not what a person is asked for now", open, asked, 0],
    ["not what is gone", open, none, 0],
  ])("%s", (_, before, after, count) => expect(newCombinations(before, after)).toHaveLength(count));
});
