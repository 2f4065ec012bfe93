// Pins the readings of the second opinion, each straight from a sentence of the language page.
import { describe, expect, test } from "vitest";
import { EVERYTHING, held, project, role } from "./example.ts";
import { readReference } from "./files.ts";
import { brokenInvariants } from "./invariants.ts";
import { may, roles, tools, verdict } from "./reference.ts";

describe("short forms and selectors", () => {
  test.each([
    ["a list is include", "[create_issue]", "create_issue"],
    ["all", "all", EVERYTHING],
    ["none", "none", ""],
    ["read-only leaves out what also says destructive", "read-only", "get_issue list_issues"],
    ["a glob", "['*_issue*']", "create_issue get_issue list_issues"],
    ["one character", "['od?']", "odd"],
    ["globs are case-sensitive", "['LIST_*']", ""],
    ["an escaped wildcard is itself", "['od\\?', 'od\\d']", "odd"],
    ["an escaped class is a name", "['\\is:read-only']", ""],
    ["destructive is the default", "['is:destructive']", "create_issue delete_repo odd"],
    ["idempotent is not", "['is:idempotent']", "delete_repo"],
    ["writing is whatever isn't read-only", "['is:write']", "create_issue delete_repo merge_pull odd"],
    ["open world is", "['is:open-world & is:read-only']", "list_issues"],
    ["several parts must all match", "['*issue* & is:read-only & get_*']", "get_issue"],
    [
      "exclude alone starts from everything",
      "{ exclude: [odd, 'is:read-only'] }",
      "create_issue delete_repo merge_pull",
    ],
    ["exclude beside include", "{ include: ['*issue*'], exclude: [create_issue] }", "get_issue list_issues"],
    ["exclude beside ask is still alone", "{ exclude: ['*_*'], ask: [odd] }", "odd?"],
    ["ask alone includes nothing", "{ ask: ['*'] }", ""],
    ["ask", "{ include: [odd, create_issue], ask: [odd] }", "create_issue odd?"],
    ["optional grants what is there", "[{ optional: odd }, { optional: gone }]", "odd"],
    ["absent never grants", "[{ absent: odd }]", ""],
    ["an unknown name", "[nothing]", ""],
  ])("%s", (_, entry, expected) => {
    expect(held(project(role(entry)))).toBe(expected);
  });

  test("names of objects' own methods are no tools, roles or servers", () => {
    const p = project(role("all"));
    expect(verdict(p, "constructor", "github", "odd")).toBe("deny");
    expect(verdict(p, "r", "constructor", "odd")).toBe("deny");
    expect(verdict(p, "r", "github", "constructor")).toBe("deny");
  });
});

describe("extends", () => {
  const family = (parent: string, child: string): string =>
    `roles: { p: { tools: { github: ${parent} } }, r: { extends: p, tools: { github: ${child} } } }`;
  test.each([
    ["includes are united", "[odd]", "[get_issue]", "get_issue odd"],
    [
      "a child can't undo an exclude",
      "{ include: [odd], exclude: ['get_*'] }",
      "['*issue*']",
      "create_issue list_issues odd",
    ],
    ["a child's exclude takes away", "[odd, get_issue]", "{ exclude: [odd] }", "get_issue"],
    ["with extends, exclude alone only takes away", "[odd]", "{ exclude: [get_issue] }", "odd"],
    ["a parent's exclude alone gives the rest", "{ exclude: ['*_*'] }", "[odd]", "odd"],
    [
      "a parent's ask holds for what the child adds",
      "{ include: [odd], ask: ['*'] }",
      "[get_issue]",
      "get_issue? odd?",
    ],
    ["a child's none takes all", "all", "none", ""],
  ])("%s", (_, parent, child, expected) => {
    expect(held(project(family(parent, child)))).toBe(expected);
  });

  test("ancestors of ancestors, several parents, a diamond", () => {
    const source = `roles:
  a: { tools: { github: [odd, get_issue] } }
  b: { extends: a, tools: { github: { exclude: [odd] } } }
  c: { extends: [a], tools: { github: [merge_pull] } }
  r: { extends: [b, c] }`;
    expect(held(project(source))).toBe("get_issue merge_pull");
  });

  test("an empty extends is an extends", () => {
    expect(held(project("roles: { r: { extends: [], tools: { github: { exclude: [odd] } } } }"))).toBe("");
  });
});

describe("servers", () => {
  const on = (server: string, entry = "all"): string => `servers: { github: ${server} }\n${role(entry)}`;
  test.each([
    ["tools: all", "{ tools: all }", EVERYTHING],
    ["tools: none", "{ tools: none }", ""],
    ["tools: read-only", "{ tools: read-only }", "get_issue list_issues"],
    ["tools: a list", "{ tools: [odd, 'get_*'] }", "get_issue odd"],
    ["tools: exclude", "{ tools: { exclude: ['*issue*'] } }", "delete_repo merge_pull odd"],
    [
      "tools: include and exclude",
      "{ tools: { include: ['*issue*'], exclude: [get_issue] } }",
      "create_issue list_issues",
    ],
    ["a scope map is a ceiling", "{ scopes: { 'a:b': [odd], c: ['get_*'] } }", "get_issue odd"],
    ["read: without a map", "{ scopes: ['read:x'] }", "get_issue list_issues"],
    ["write: without a map", "{ scopes: ['write:x'] }", "create_issue delete_repo merge_pull odd"],
    ["both ceilings hold", "{ scopes: ['read:x'], tools: [odd, get_issue] }", "get_issue"],
    [
      "hints win",
      "{ tools: read-only, hints: { list_issues: { readOnly: false }, merge_pull: { readOnly: true } } }",
      "get_issue merge_pull",
    ],
    [
      "a contradiction stays destructive",
      "{ tools: read-only, hints: { delete_repo: { readOnly: true } } }",
      "get_issue list_issues",
    ],
    [
      "until both are corrected",
      "{ tools: read-only, hints: { odd: { destructive: false } } }",
      "get_issue list_issues odd",
    ],
  ])("%s", (_, server, expected) => {
    expect(held(project(on(server)))).toBe(expected);
  });

  test("label: and scope: select", () => {
    const server =
      "{ labels: { private-data: [odd, 'get_*'] }, scopes: { 'issues:read': [get_issue, list_issues], rest: ['*'] } }";
    expect(held(project(on(server, "['label:private-data']")))).toBe("get_issue odd");
    expect(held(project(on(server, "['scope:issues:read']")))).toBe("get_issue list_issues");
    expect(held(project(on(server, "['scope:issues:read & label:private-data']")))).toBe("get_issue");
    expect(held(project(on(server, "['label:other', 'scope:other']")))).toBe("");
  });

  test("servers may share a pin", () => {
    const p = project(
      "servers: { github: {}, other: { manifest: github } }\nroles: { r: { tools: { other: read-only } } }",
    );
    expect(held(p, "r", "other")).toBe("get_issue list_issues");
    expect(held(p)).toBe("");
  });

  test("without a manifest only exact includes", () => {
    const p = project("roles: { r: { tools: { bare: [one, 'two*', 'is:open-world'] } }, s: { tools: { bare: all } } }");
    expect(verdict(p, "r", "bare", "one")).toBe("allow");
    expect(verdict(p, "r", "bare", "two")).toBe("deny");
    expect(verdict(p, "s", "bare", "one")).toBe("deny");
    expect(tools(p).filter(({ server }) => server === "bare")).toEqual([{ server: "bare", tool: "one" }]);
  });
});

describe("presets", () => {
  const preset = (server: string, policies = "[]"): Record<string, string> => ({
    "mcp/presets/gh.yaml": `id: gh\nserver: ${server}\npolicies: ${policies}\n`,
  });
  const on = (server: string): string => `servers: { github: ${server} }\n${role("all")}`;
  const MAP = "{ scopes: { read: [get_issue], rest: [odd, merge_pull] } }";
  test.each([
    ["the preset's map is the ceiling", "{ preset: gh }", MAP, "get_issue merge_pull odd"],
    ["a list picks from the map", "{ preset: gh, scopes: [read] }", MAP, "get_issue"],
    ["a listed scope that the map lacks", "{ preset: gh, scopes: ['read:x'] }", MAP, ""],
    ["a map replaces it", "{ preset: gh, scopes: { rest: [odd] } }", MAP, "odd"],
    ["tools of both hold", "{ preset: gh, tools: ['*issue*'] }", "{ tools: read-only }", "get_issue list_issues"],
    [
      "hints are united, the server's win",
      "{ preset: gh, tools: read-only, hints: { list_issues: { readOnly: true } } }",
      "{ hints: { list_issues: { readOnly: false }, get_issue: { readOnly: false } } }",
      "list_issues",
    ],
    ["nothing without preset:", "{}", "{ tools: none }", EVERYTHING],
  ])("%s", (_, server, brought, expected) => {
    expect(held(project(on(server), preset(brought)))).toBe(expected);
  });

  test("labels are united", () => {
    const source = `servers: { github: { preset: gh, labels: { x: [odd] } } }\n${role("['label:x']")}`;
    expect(held(project(source, preset("{ labels: { x: [get_issue] } }")))).toBe("get_issue odd");
  });

  test("its policies hold for the servers that use it, by its id too", () => {
    const policies = preset("{}", "[{ name: n, roles: ['*'], tools: ['gh.*issue*'], effect: deny }]");
    expect(held(project(on("{ preset: gh }"), policies))).toBe("delete_repo merge_pull odd");
    expect(held(project(on("{}"), policies))).toBe(EVERYTHING);
  });
});

describe("policies", () => {
  const ruled = (...policies: string[]): string => `roles:
  r: { extends: base-dev, tools: { github: [odd] } }
  base-dev: { tools: { github: ['*issue*'] } }
policies: [${policies.join(", ")}]`;
  test.each([
    ["deny", "{ roles: ['*'], tools: [github.odd], effect: deny }", "create_issue get_issue list_issues"],
    ["ask", "{ roles: [r], tools: ['github.*_issue'], effect: ask }", "create_issue? get_issue? list_issues odd"],
    ["server globs", "{ roles: [r], tools: ['*.*issue*'], effect: deny }", "odd"],
    ["another server", "{ roles: [r], tools: ['git.*'], effect: deny }", "create_issue get_issue list_issues odd"],
    ["a bare class", "{ roles: [r], tools: ['is:destructive'], effect: deny }", "get_issue list_issues"],
    [
      "a class of a server",
      "{ roles: [r], tools: ['github.is:read-only'], effect: ask }",
      "create_issue get_issue? list_issues? odd",
    ],
    [
      "parts after the server",
      "{ roles: [r], tools: ['github.*issue* & is:read-only'], effect: deny }",
      "create_issue odd",
    ],
    ["roles that extend", "{ roles: ['*-dev'], tools: ['github.*'], effect: deny }", ""],
    ["other roles", "{ roles: [dev], tools: ['github.*'], effect: deny }", "create_issue get_issue list_issues odd"],
    [
      "allow lifts nothing",
      "{ roles: [r], tools: ['github.*'], effect: allow }",
      "create_issue get_issue list_issues odd",
    ],
  ])("%s", (_, policy, expected) => {
    expect(held(project(ruled(policy)))).toBe(expected);
  });

  test("deny before ask, whatever the order", () => {
    const ask = "{ roles: ['*'], tools: ['github.*'], effect: ask }";
    const deny = "{ roles: ['*'], tools: [github.odd], effect: deny }";
    expect(held(project(ruled(ask, deny)))).toBe("create_issue? get_issue? list_issues?");
    expect(held(project(ruled(deny, ask)))).toBe("create_issue? get_issue? list_issues?");
  });

  test("the first dot divides", () => {
    const manifest = JSON.stringify({ tools: [{ name: "issues.list" }, { name: "list" }] });
    const source =
      "roles: { r: { tools: { github: all } } }\npolicies: [{ roles: [r], tools: [github.issues.list], effect: deny }]";
    expect(held(project(source, { "mcp/manifests/github.json": manifest }))).toBe("list");
  });

  test("where holds for every matched tool", () => {
    const p = project(ruled("{ roles: [base-dev], tools: ['github.create_*'], where: { repo: { enum: [harbor] } } }"));
    expect(may(p, "r", "github", "create_issue", { repo: "harbor" })).toBe("allow");
    expect(may(p, "r", "github", "create_issue", { repo: "other" })).toBe("deny");
    expect(may(p, "r", "github", "odd", { anything: 1 })).toBe("allow");
  });

  test("guards bring policies and invariants, nothing else", () => {
    const p = project(role("[odd, get_issue]"), {
      "rolecall.yaml": "version: 1\nproject: harbor\nguards: [node_modules/@acme/guards/*.yaml]\n",
      "node_modules/@acme/guards/a.yaml": `policies: [{ name: g, roles: ['*'], tools: [github.odd], effect: deny }]
invariants: [{ name: i, never: { roles: [r], tools: [github.get_issue] } }]
roles: { s: { tools: { github: all } } }`,
      "node_modules/@acme/guards/deep/b.yaml":
        "policies: [{ name: h, roles: ['*'], tools: ['github.*'], effect: deny }]",
    });
    expect(held(p)).toBe("get_issue");
    expect(roles(p)).toEqual(["r"]);
    expect(brokenInvariants(p)).toEqual([{ name: "i", role: "r", tool: "github.get_issue" }]);
  });

  test("a policy restricts a tool without a manifest by name and by the cautious defaults", () => {
    const p = project(`roles: { r: { tools: { bare: [one, two, three] } } }
policies: [{ roles: [r], tools: [bare.two], effect: deny }, { roles: [r], tools: ['bare.t* & is:destructive'], effect: ask }]`);
    expect(held(p, "r", "bare")).toBe("one three?");
  });
});

describe("invariants", () => {
  const ruled = (
    invariant: string,
  ): string => `servers: { github: { labels: { private-data: [get_issue, odd], external: [create_issue, odd] } } }
roles:
  r: { extends: p, tools: { github: { include: [create_issue], ask: [create_issue] } } }
  p: { tools: { github: [get_issue] } }
  lead: { delegates: mid }
  mid: { delegates: [p, lead] }
  junior: { extends: lead }
invariants: [{ name: n, ${invariant} }]`;
  const broken = (invariant: string): string[] =>
    brokenInvariants(project(ruled(invariant))).map((one) => `${one.role} ${one.tool}`);

  test.each([
    ["never counts what is asked", "never: { roles: [r], tools: ['github.create_*'] }", ["r github.create_issue"]],
    ["never is about named roles", "never: { roles: [p], tools: ['github.create_*'] }", []],
    [
      "never through delegates, transitive and inherited",
      "never: { roles: [lead, junior], tools: ['is:read-only'] }",
      ["junior github.get_issue", "lead github.get_issue"],
    ],
    [
      "together",
      "never: { roles: ['*'], together: ['label:private-data', 'label:external'] }",
      ["r github.get_issue + github.create_issue"],
    ],
    [
      "together, asked: ignore",
      "never: { roles: ['*'], together: ['label:private-data', 'label:external'], asked: ignore }",
      [],
    ],
    [
      "always, held otherwise",
      "always: { roles: ['*'], tools: ['github.get_*'], effect: ask }",
      [
        "junior github.get_issue",
        "lead github.get_issue",
        "mid github.get_issue",
        "p github.get_issue",
        "r github.get_issue",
      ],
    ],
    ["always, held so", "always: { roles: ['*'], tools: ['is:destructive'], effect: ask }", []],
    ["can", "can: { roles: [r, lead], tools: [github.get_issue] }", []],
    ["can wants it unasked", "can: { roles: [r], tools: [github.create_issue] }", ["r github.create_issue"]],
    ["can, not held", "can: { roles: [p], tools: [github.odd] }", ["p github.odd"]],
    ["can, in no manifest", "can: { roles: [p], tools: [github.gone] }", ["p github.gone"]],
  ])("%s", (_, invariant, expected) => {
    expect(broken(invariant)).toEqual(expected);
  });

  test("one tool may answer for several", () => {
    const p = project(`servers: { github: { labels: { a: [odd], b: [odd] } } }
roles: { r: { tools: { github: [odd] } } }
invariants: [{ name: n, never: { roles: [r], together: ['label:a', 'label:b'] } }]`);
    expect(brokenInvariants(p)).toEqual([{ name: "n", role: "r", tool: "github.odd" }]);
  });

  test("a delegate's unasked tool is held unasked", () => {
    const p = project(`roles:
  r: { delegates: [s], tools: { github: { include: [odd], ask: [odd] } } }
  s: { tools: { github: [odd] } }
invariants:
  - { name: asked, always: { roles: [r], tools: [github.odd], effect: ask } }
  - { name: can, can: { roles: [r], tools: [github.odd] } }`);
    expect(brokenInvariants(p)).toEqual([{ name: "asked", role: "r", tool: "github.odd" }]);
  });
});

describe("files", () => {
  test("all sources are one program; manifests, presets, hosts and schema aren't sources", () => {
    const p = readReference({
      "rolecall.yaml": "version: 1\nproject: harbor\nservers: { github: {} }\n",
      "mcp/a/b.yml": "roles: { one: { tools: { github: all } } }",
      "mcp/c.json": '{ "roles": { "two": { "extends": "one" } } }',
      "mcp/hosts/h.yaml": "roles: { three: {} }",
      "mcp/presets/p.yaml": "roles: { four: {} }",
      "mcp/schema/s.json": '{ "roles": { "five": {} } }',
      "other/o.yaml": "roles: { six: {} }",
      "mcp/manifests/github.json": '{ "tools": [{ "name": "b" }, { "name": "a" }] }',
    });
    expect(roles(p)).toEqual(["one", "two"]);
    expect(tools(p)).toEqual([
      { server: "github", tool: "a" },
      { server: "github", tool: "b" },
    ]);
    expect(held(p, "two")).toBe("a b");
  });
});
