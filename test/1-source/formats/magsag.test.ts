import { describe, expect, test } from "vitest";
import { compiled, decision, errors, manifest } from "../../support/compiled.ts";

/** What the case folders below test/cases/formats don't show. */

const reads = (name: string) => ({ name, annotations: { readOnlyHint: true } });
const writes = (name: string) => ({ name, annotations: { readOnlyHint: false } });
const tracker = manifest(reads("list_issues"), writes("create_issue"), writes("tracker_raw"), "odd");
const server = (more: string) => `id: tracker\ntransport: { type: http, url: https://t.example.com/mcp }\n${more}\n`;
const project = (more: string) => `version: 1\nproject: p\nimports: ["s/*.yaml"]\n${more}\n`;
const catalog = 'version: 1\nproject: p\nimports: ["s/*.yaml", "c/*.yaml"]\n';
const ROLE = "roles: { r: { tools: { tracker: all } } }";

const TOOLS = ["list_issues", "create_issue", "tracker_raw", "odd"];
function held(files: Readonly<Record<string, string>>, role = "r"): string {
  const result = compiled({ "mcp/manifests/tracker.json": tracker, ...files });
  if (errors(result).length > 0) return errors(result).join(" ");
  return TOOLS.map((tool) => [tool, decision(result, role, "tracker", tool)?.effect])
    .filter(([, effect]) => effect !== undefined && effect !== "deny")
    .map(([tool, effect]) => (effect === "ask" ? `${tool}?` : tool))
    .join(" ");
}

describe("switches that take away", () => {
  const ALL = TOOLS.join(" ");
  const ASKED = "list_issues create_issue? tracker_raw? odd?";
  test.each([
    ["options: { read_only: true }", "list_issues"],
    ['options: { read_only: "${X:true}" }', "list_issues"],
    ['options: { read_only: "${X:-true}" }', "list_issues"],
    ['options: { read_only: "${X:false}" }', "list_issues"],
    ['options: { read_only: "${X}" }', "list_issues"],
    ['options: { read_only: "yes" }', "list_issues"],
    ["read_only: true", "list_issues"],
    ["permissions: { read_only: true }", "list_issues"],
    ["options: { read_only: false }", ALL],
    ['options: { read_only: "false" }', ALL],
    ["permissions: { write_requires_approval: true }", ASKED],
    ['permissions: { write_requires_approval: "${X:false}" }', ASKED],
    ["permissions: { write_requires_approval: false }", ALL],
    ["permissions: { scope: [] }", ""],
    ["permissions: { scope: ['read:x'] }", "list_issues"],
    ["permissions: { scope: ['read:x', 'write:x'] }", ALL],
    ["options: { read_only: true }\npermissions: { scope: ['write:x'] }", ""],
  ])("%s", (more, expected) => {
    expect(held({ "rolecall.yaml": project(ROLE), "s/tracker.yaml": server(more) })).toBe(expected);
  });

  test.each([
    ['options: { read_only: "${X:true}" }', ["import/read-by-default"]],
    ['options: { read_only: "${X:-true}" }', ["import/read-by-default"]],
    ['permissions: { write_requires_approval: "${X:-true}" }', ["import/read-by-default"]],
    ['options: { read_only: "${X:-false}" }', ["import/read-strictly"]],
    ['options: { read_only: "${X}" }', ["import/read-strictly"]],
    ["options: { read_only: true }", []],
    ["options: { read_only: false }", []],
  ])("says so where a variable would decide: %s", (more, expected) => {
    const files = { "rolecall.yaml": project(ROLE), "s/tracker.yaml": server(more) };
    const { diagnostics } = compiled({ "mcp/manifests/tracker.json": tracker, ...files });
    expect(diagnostics.map(({ code }) => code).filter((code) => code.startsWith("import/"))).toEqual(expected);
  });

  test("only the project lifts one, in its own words", () => {
    const files = { "s/tracker.yaml": server("permissions: { write_requires_approval: true }") };
    const hints = "servers: { tracker: { from: s/tracker.yaml, hints: { odd: { readOnly: true } } } }";
    expect(held({ ...files, "rolecall.yaml": project(`${ROLE}\n${hints}`) })).toBe(
      "list_issues create_issue? tracker_raw? odd",
    );
  });
});

describe("a preset of the project", () => {
  const preset = (id: string, more: string, url = "https://t.example.com/mcp/?lang=en") => ({
    [`mcp/presets/${id}.yaml`]: `id: ${id}\nserver:\n  connect: [{ http: "${url}" }]\n${more}`,
  });
  const MAP = '  scopes: { "issues:read": [list_issues, odd], "issues:write": [create_issue] }\n';
  const scoped = { "s/tracker.yaml": server("permissions: { scope: ['issues:read'] }") };
  const base = { ...scoped, "rolecall.yaml": project(ROLE) };

  test("says what scopes cover, whatever it is called", () => {
    expect(held(base)).toBe("server/unknown-scope");
    expect(held({ ...base, ...preset("theirs", MAP) })).toBe("list_issues odd");
    expect(held({ ...base, ...preset("theirs", MAP, "https://t.example.com/other") })).toBe("server/unknown-scope");
  });

  test("is no ceiling by its map alone, and one by its tools", () => {
    const files = { "rolecall.yaml": project(ROLE), "s/tracker.yaml": server("") };
    expect(held({ ...files, ...preset("theirs", MAP) })).toBe(TOOLS.join(" "));
    expect(held({ ...files, ...preset("theirs", "  tools: [odd]\n") })).toBe("odd");
  });

  test("brings its hints and its policies", () => {
    const policies = 'policies: [{ roles: ["*"], tools: [theirs.odd], effect: deny }]\n';
    const files = {
      "rolecall.yaml": project(ROLE),
      "s/tracker.yaml": server("permissions: { write_requires_approval: true }"),
    };
    expect(held({ ...files, ...preset("theirs", `  hints: { create_issue: { readOnly: true } }\n${policies}`) })).toBe(
      "list_issues create_issue tracker_raw?",
    );
  });

  test("changes neither how the server is reached nor how long it may take", () => {
    const more = "  limits: { timeout: 5s }\n  root: /elsewhere\n  connection: session\n  cache: 5m\n";
    const { plan } = compiled({ ...base, ...preset("theirs", MAP + more), "mcp/manifests/tracker.json": tracker });
    const { connect, limits, root, connection, cacheMs } = plan.servers[0]!;
    expect([connect.length, limits.timeoutMs, root, connection, cacheMs]).toEqual([
      1,
      30_000,
      undefined,
      "project",
      undefined,
    ]);
    expect(connect[0]!.kind === "http" && connect[0]!.url.written).toBe("https://t.example.com/mcp");
  });

  test("of several the one of the server's name is meant, and else a person says", () => {
    const two = { ...preset("one", MAP), ...preset("two", "  scopes: { 'issues:read': [odd] }\n") };
    expect(held({ ...base, ...two })).toBe("server/several-presets server/unknown-scope");
    expect(held({ ...base, ...two, ...preset("tracker", "  scopes: { 'issues:read': [create_issue] }\n") })).toBe(
      "create_issue",
    );
    const said = project(`${ROLE}\nservers: { tracker: { from: s/tracker.yaml, preset: two } }`);
    expect(held({ ...base, ...two, "rolecall.yaml": said })).toBe("odd");
  });

  test("isn't looked for where the project says the connection itself", () => {
    const own = project(
      `${ROLE}\nservers: { tracker: { from: s/tracker.yaml, connect: [{ http: "https://o.example.com/mcp" }] } }`,
    );
    expect(held({ ...base, "rolecall.yaml": own, ...preset("theirs", MAP) })).toBe("server/unknown-scope");
  });

  test("one that can't be read stops the build: it could be the one that restricts", () => {
    expect(held({ ...base, ...preset("theirs", MAP), "mcp/presets/bad.yaml": "id: bad\nsever: {}\n" })).toContain(
      "source/unknown-key",
    );
  });

  test("a map of the project's own tells what a list below it means", () => {
    const own = project(
      `${ROLE}\nservers: { tracker: { from: s/tracker.yaml, scopes: { "issues:read": [odd], "issues:write": [create_issue] } } }`,
    );
    expect(held({ ...base, "rolecall.yaml": own })).toBe("odd");
  });
});

describe("an agent that names a server", () => {
  const agent = (more: string) => ({ "c/r.yaml": `slug: r\n${more}\n`, "rolecall.yaml": catalog });
  const bare = { ...agent("requires: { mcp: [tracker] }"), "s/tracker.yaml": server("") };
  const lines = (text: string) => ({ "c/lines.yaml": `policies: { tools: { ${text} } }\n` });

  test("alone: what reads", () => expect(held(bare)).toBe("list_issues"));
  test.each([
    ["tracker.odd: deny", "list_issues"],
    ["tracker.odd: deny, tracker.create_issue: require-approval", "list_issues create_issue?"],
    ["tracker.list_issues: allow", "list_issues"],
    ["tracker.odd: allow", "list_issues odd"],
    ["tracker.list_issues: require-approval", "list_issues?"],
    ["tracker.odd: allow, tracker.od?: deny", "list_issues"],
    ["tracker.tracker_create_issue: require-approval", "list_issues create_issue?"],
    ['"tracker.*": require-approval', "list_issues? create_issue? tracker_raw? odd?"],
    ['"*.odd": require-approval', "list_issues"],
  ])("with lines about the server, what reads and what they name: %s", (text, expected) => {
    expect(held({ ...bare, ...lines(text) })).toBe(expected);
  });
  test("a line that lets a tool through isn't said to grant nothing, and any other is", () => {
    const said = (text: string) =>
      compiled({ "mcp/manifests/tracker.json": tracker, ...bare, ...lines(text) }).diagnostics.map(({ code }) => code);
    expect(said("tracker.odd: allow")).toEqual(["role/server-alone"]);
    expect(said('"*.odd": allow')).toEqual(["import/allow-line", "role/server-alone"]);
    expect(said("tracker.ood: require-approval").filter((code) => code === "manifest/unknown-tool")).toHaveLength(1);
    expect(said("tracker.ood: allow").filter((code) => code === "manifest/unknown-tool")).toHaveLength(1);
  });
  test("whose writing tools are asked about has them, asked", () => {
    const asked = { "s/tracker.yaml": server("permissions: { write_requires_approval: true }") };
    expect(held({ ...bare, ...asked })).toBe("list_issues create_issue? tracker_raw? odd?");
  });
  test.each(["deny", "ask"])("a policy of the project's own opens nothing: %s", (effect) => {
    const rule = `policies: [{ roles: ["*"], tools: [tracker.odd], effect: ${effect} }]`;
    expect(held({ ...bare, "rolecall.yaml": `${catalog}${rule}\n` })).toBe("list_issues");
  });
  test("with lines about all servers: what reads", () => {
    expect(held({ ...bare, ...lines('"*.odd": deny') })).toBe("list_issues");
  });
  test("with lines of another agent: what reads", () => {
    const other = "slug: other\nrequires: { mcp: [tracker] }\npolicies: { tools: { tracker.odd: deny } }\n";
    expect(held({ ...bare, "c/other.yaml": other })).toBe("list_issues");
    const asks = other.replace("deny", "require-approval");
    expect(held({ ...bare, "c/other.yaml": asks })).toBe("list_issues");
    expect(held({ ...bare, "c/other.yaml": asks }, "other")).toBe("list_issues odd?");
  });
  test("within scopes: what they cover", () => {
    expect(held({ ...bare, "s/tracker.yaml": server("permissions: { scope: ['write:x'] }") })).toBe(
      "create_issue tracker_raw odd",
    );
  });
  test.each(["policy", "tool_policies", "governance"])(
    "what says effects under the key `%s` isn't passed by",
    (key) => {
      const agent = `slug: bot\nrequires: { mcp: [tracker] }\n${key}: { tools: { tracker.create_issue: deny } }\n`;
      const files = { "rolecall.yaml": catalog, "s/t.yaml": server(""), "c/bot.yaml": agent };
      expect(held(files, "bot")).toBe("import/not-of-format");
    },
  );

  test("a skill without a permission brings nothing", () => {
    const skill = { "c/skill.yaml": "id: skill.x\nentrypoint: x.ts\n" };
    expect(held({ ...agent("skills: [skill.x]"), ...skill, "s/tracker.yaml": server("") })).toBe("");
  });
});

describe("names as a host shows them", () => {
  const files = {
    "c/r.yaml": "slug: r\nrequires: { mcp: [tracker] }\n",
    "rolecall.yaml": catalog,
    "s/tracker.yaml": server(""),
  };
  const denied = (name: string) =>
    held({ ...files, "c/lines.yaml": `policies: { tools: { "${name}": deny, "tracker.*": allow } }\n` });
  const without = (tool: string) => TOOLS.filter((name) => name !== tool).join(" ");

  test.each(["tracker_create_issue", "tracker-create_issue", "tracker.create_issue", "tracker.tracker_create_issue"])(
    "%s is that tool",
    (name) => expect(denied(name)).toBe(without("create_issue")),
  );
  test("the name as it is written comes first", () => {
    const both = { ...files, "mcp/manifests/tracker.json": manifest(...TOOLS, "raw") };
    const lines = 'policies: { tools: { tracker.tracker_raw: deny, "tracker.*": allow } }\n';
    expect(held({ ...both, "c/lines.yaml": lines })).toBe("list_issues create_issue odd");
  });
  test("what no tool has stays an error", () => {
    expect(denied("tracker_creat_issue")).toBe("policy/selector");
    expect(denied("tracker.tracker_creat_issue")).toBe("manifest/unknown-tool");
  });
  test("in a source of ours it isn't read so", () => {
    const own = project(`${ROLE}\npolicies: [{ roles: ["*"], tools: [tracker.tracker_create_issue], effect: deny }]`);
    expect(held({ "rolecall.yaml": own, "s/tracker.yaml": server("") })).toBe("manifest/unknown-tool");
  });
  test("two that can be meant are nobody", () => {
    const twin = "id: tracker_a\ntransport: { type: http, url: https://a.example.com/mcp }\n";
    const more = {
      "s/a.yaml": twin,
      "mcp/manifests/tracker_a.json": manifest("b"),
      "mcp/manifests/tracker.json": manifest(...TOOLS, "a_b"),
    };
    const lines = "policies: { tools: { tracker_a_b: deny } }\n";
    expect(held({ ...files, ...more, "c/lines.yaml": lines })).toBe("policy/selector");
  });
  test("in Squad's restrictions too, by the name that the file has for the server", () => {
    const squad = JSON.stringify({
      servers: { Tracker: { type: "http", url: "https://t.example.com/mcp" } },
      agentServers: { r: ["Tracker"] },
      toolRestrictions: { r: { Tracker: { exclude: ["Tracker_create_issue", "tracker-odd"] } } },
    });
    expect(held({ "rolecall.yaml": "version: 1\nproject: p\nimports: [squad.json]\n", "squad.json": squad })).toBe(
      "list_issues tracker_raw",
    );
  });
});

test("several layers of presets hold together", () => {
  const files = {
    "rolecall.yaml": `version: 1\nproject: p\nlayers: [s/a.yaml, s/b.yaml]\n${ROLE}\n`,
    "s/a.yaml": server("permissions: { write_requires_approval: true }"),
    "s/b.yaml": server("permissions: { write_requires_approval: true, scope: ['write:x'] }"),
  };
  expect(held(files)).toBe("create_issue? tracker_raw? odd?");
});

test("of several files under one pattern, one has to have a name that is changed", () => {
  const files = {
    "s/tracker.yaml": server(""),
    "s/other.yaml": "server_id: Other One\ntype: mcp\ncommand: other\n",
    "mcp/manifests/other.json": manifest("x"),
  };
  const renamed = (names: string) =>
    `version: 1\nproject: p\nimports: [{ file: "s/*.yaml", servers: ${names} }]\n${ROLE}\n`;
  expect(held({ ...files, "rolecall.yaml": renamed("{ Other One: other }") })).toBe(TOOLS.join(" "));
  expect(held({ ...files, "rolecall.yaml": renamed("{ Other Tow: other }") })).toBe("import/renames-nothing");
});
