import { describe, expect, test } from "vitest";
import { connection } from "../../compiler/5-artifacts/hosts/codex/connection.ts";
import { fitEveryHost } from "../../compiler/4-fit/fit.ts";
import { keptNames } from "../../compiler/4-fit/kept-names.ts";
import { spellTransport, type Spelling } from "../../compiler/4-fit/spelling.ts";
import type { Abilities, FittedPlan, HostFacts } from "../../compiler/4-fit/types.ts";
import { parseTemplate } from "../../compiler/2-model/template.ts";
import type { HostChoice, NamedTemplate, Template, Transport } from "../../compiler/3-plan/types.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import { build } from "../support/built-project.ts";

const enforced = { holds: "enforced" } as const;
const ABLE: Abilities = {
  hide: enforced,
  ask: { holds: "asked" },
  conditions: enforced,
  resources: enforced,
  delegation: enforced,
  builtins: enforced,
  references: enforced,
  pins: enforced,
  limits: enforced,
  roles: true,
  filtersByName: false,
  longestName: undefined,
};

/** What stays away from a host that can do everything but this. */
function away(
  but: Partial<Abilities>,
  more: Partial<HostFacts> = {},
  files: Readonly<Record<string, string>> = PROJECT,
): string[] {
  const [fitted] = fitEveryHost(build(files).plan, [hostWith(but, more)]);
  return words(fitted!);
}

function hostWith(but: Partial<Abilities>, more: Partial<HostFacts> = {}): HostFacts {
  return {
    id: "vscode",
    title: "a host",
    kept: keptNames("nowhere", {}),
    abilities: { ...ABLE, ...but },
    joinedName: (server, tool) => `${server}_${tool.replaceAll(".", "_")}`,
    tell: () => ({ value: undefined }),
    start: () => ({}),
    ...more,
  };
}

function words({ roles }: FittedPlan): string[] {
  return roles.flatMap(({ leftOut }) =>
    leftOut.map(({ server, tools, wholeServer, because }) => {
      const names = wholeServer ? "*" : tools.map((tool) => tool.name).join(" ");
      return `${because}: ${server.name}.${names}`;
    }),
  );
}

const tool = (name: string) => ({
  name,
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  annotations: { readOnlyHint: true },
});
const manifest = (server: string, tools: readonly string[], capabilities = {}) =>
  JSON.stringify({ format: 1, server, capabilities, tools: tools.map(tool) });

const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: fitting\n",
  "mcp/team.yaml": `
servers:
  git: { connect: [{ stdio: [git-server] }] }
  git_hub: { connect: [{ stdio: [hub-server] }] }
  notes: { connect: [{ stdio: [notes-server] }] }
roles:
  tester:
    tools:
      git: { include: [hub_list, read, x.y], ask: [read], where: { x.y: { path: { glob: "tests/**" } } } }
      git_hub: [list]
      notes: all
`,
  "mcp/manifests/git.json": manifest("git", ["hub_list", "read", "x.y", "x_y"]),
  "mcp/manifests/git_hub.json": manifest("git_hub", ["list", "other"]),
  "mcp/manifests/notes.json": manifest("notes", ["search"], { resources: {} }),
};

const GUARDED = {
  ...PROJECT,
  "mcp/team.yaml": `${PROJECT["mcp/team.yaml"].replace("git_hub: [list]", "git_hub: { exclude: [other] }")}
policies:
  - { name: look-first, roles: ["*"], effect: ask, tools: [notes.search] }
`,
};

/** Whatever else a host can't do: `git_hub_list` is a name of two tools there. */
const CLASHES = ["clash: git.hub_list", "clash: git_hub.list"];

describe("what a host can't hold stays away from it", () => {
  test.each([
    ["nothing, where it can do everything", {}, CLASHES],
    ["asked tools", { ask: { holds: "none" } }, ["ask: git.read", ...CLASHES]],
    ["conditioned tools", { conditions: { holds: "none" } }, ["conditions: git.x.y", ...CLASHES]],
    ["servers that may have resources", { resources: { holds: "none" } }, ["resources: notes.*", ...CLASHES]],
    ["servers that the role holds a part of", { hide: { holds: "none" } }, ["hide: git.*", "hide: git_hub.*"]],
    ["long names", { longestName: 9 }, ["name: git.hub_list", "name: git_hub.list", "name: notes.search"]],
    ["a name that the host would read as two", { splitsNames: /ear/ }, ["name: notes.search", ...CLASHES]],
    [
      "a name that another, unheld tool has",
      { filtersByName: true },
      ["clash: git.hub_list", "clash: git.x.y", "clash: git_hub.list"],
    ],
  ] satisfies [string, Partial<Abilities>, string[]][])("%s", (_, but, expected) => {
    expect(away(but)).toEqual(expected);
  });

  test("a name that the host keeps for itself", () => {
    const kept = (words: Parameters<typeof keptNames>[1]) => away({}, { kept: keptNames("here", words) });
    expect(kept({ tools: "search" })).toEqual(["name: notes.search", ...CLASHES]);
    expect(kept({ joined: "NOTES_search" })).toEqual(["name: notes.search", ...CLASHES]);
    expect(kept({ joined: "notes_*" })).toEqual(["name: notes.search", ...CLASHES]);
    expect(kept({ settings: "notes_search" })).toEqual(["name: notes.*", ...CLASHES]);
    expect(kept({ settings: "git_other" })).toEqual(CLASHES);
    expect(kept({ servers: "Notes" })).toEqual(["name: notes.*", ...CLASHES]);
    expect(kept({ servers: "git-hub" })).toEqual(["name: git.hub_list", "name: git_hub.*"]);
  });

  test("a name that another server could come to have", () => {
    const other = away({ filtersByName: true }, { joinedName: (server, tool) => `${server}_${tool}` });
    expect(other.filter((one) => one.startsWith("clash"))).toEqual(CLASHES);
    const files = { ...PROJECT, "mcp/manifests/git_hub.json": manifest("git_hub", ["other", "list_all"]) };
    files["mcp/team.yaml"] = PROJECT["mcp/team.yaml"].replace("[list]", "[other]");
    expect(away({ filtersByName: true }, {}, files)).toContain("clash: git.hub_list");
    expect(away({}, {}, files)).not.toContain("clash: git.hub_list");
  });

  test("a way is spelt once, and what was said of it is kept for whoever writes it down", () => {
    const asked: string[] = [];
    const tell: HostFacts["tell"] = (transport) => {
      const command = transport.kind === "stdio" ? transport.command[0]!.written : "";
      asked.push(command);
      return { value: `told ${command}` };
    };
    const files = { ...PROJECT, "mcp/more.yaml": "roles: { reader: { tools: { notes: all, git: [read] } } }" };
    const [fitted] = fitEveryHost(build(files).plan, [hostWith({}, { tell })]);
    const told = fitted!.roles.flatMap((role) => role.servers.map((one) => [role.name, one.server.name, one.told]));
    expect(told).toContainEqual(["reader", "notes", "told notes-server"]);
    expect(told).toContainEqual(["tester", "notes", "told notes-server"]);
    expect(asked.toSorted()).toEqual(["git-server", "hub-server", "notes-server"]);
  });

  test("what stays away names the rules that the host can't hold, and nothing else", () => {
    const rulesFor = (but: Partial<Abilities>) => {
      expect(build(GUARDED).errors).toEqual([]);
      const [fitted] = fitEveryHost(build(GUARDED).plan, [hostWith(but)]);
      const left = fitted!.roles.flatMap(({ leftOut }) => leftOut);
      return left.flatMap(({ because, rules }) => rules.map(({ rule, from }) => [because, rule, from.path.join(".")]));
    };
    expect(rulesFor({})).toEqual([]);
    expect(rulesFor({ ask: { holds: "none" } })).toEqual([
      ["ask", "ask", "roles.tester.tools.git.ask.0"],
      ["ask", "policy", "policies.0"],
    ]);
    expect(rulesFor({ conditions: { holds: "none" } })).toEqual([
      ["conditions", "where", "roles.tester.tools.git.where.x.y"],
    ]);
    expect(rulesFor({ hide: { holds: "none" } })).toEqual([
      ["hide", "nothing", "roles.tester.tools.git"],
      ["hide", "exclude", "roles.tester.tools.git_hub.exclude.0"],
    ]);
  });

  test("a server that it can't be told how to reach", () => {
    expect(away({}, { tell: () => ({ problem: "has no such thing" }) })).toEqual([
      "references: git.*",
      "references: git_hub.*",
      "references: notes.*",
    ]);
  });
});

const CHOICE: HostChoice = {
  id: "vscode",
  place: { file: "rolecall.yaml", path: [] },
  via: "files",
  whenUnenforceable: "leave-out",
  isChosen: false,
  assumed: new Map([["SET", "set"]]),
  without: [],
  role: undefined,
  into: undefined,
  stored: { project: undefined, product: undefined, transports: undefined },
  door: {
    issuer: undefined,
    audience: undefined,
    jwks: undefined,
    claim: undefined,
    url: undefined,
    gateway: undefined,
  },
};

function template(written: string): Template {
  return parseTemplate(
    written,
    CHOICE.place,
    createReport(() => undefined),
  );
}

function named(entries: Readonly<Record<string, string>>): NamedTemplate[] {
  return Object.entries(entries).map(([name, value]) => ({ name, value: template(value) }));
}

function http(url: string, headers: Readonly<Record<string, string>> = {}): Transport {
  return { kind: "http", url: template(url), headers: named(headers), place: CHOICE.place };
}

function stdio(command: readonly string[], env: Readonly<Record<string, string>> = {}): Transport {
  return { kind: "stdio", command: command.map(template), env: named(env), cwd: undefined, place: CHOICE.place };
}

describe("references in a host's own spelling", () => {
  const spelling: Spelling = {
    plain: (name) => `<${name}>`,
    withDefault: (name, text) => `<${name}|${text}>`,
    places: ["headers", "env"],
    taken: /</,
  };
  const header = (written: string) => {
    const { value, problem } = spellTransport(http("https://a.example", { H: written }), spelling, CHOICE);
    return problem ?? (value as { headers: readonly (readonly [string, string])[] }).headers[0]?.[1];
  };

  test.each([
    ["Bearer ${A}", "Bearer <A>"],
    ["${A:?say why}", "<A>"],
    ["${A:-fallback}", "<A|fallback>"],
    ["a $$ b", "a $ b"],
    // A host that can't ask: taken for unset unless the project says otherwise, and an empty header is left out.
    ["${A:+Bearer ${A}}", undefined],
    ["${SET:+Bearer ${SET}}", "Bearer <SET>"],
    ["x${A:+y}", "x"],
    ["${A:-${B}}", "can't spell the default of `A`"],
    ["${A:-a}b}", "<A|a>b}"],
    ["a < b", "would take a part of `a < b` for a reference"],
  ])("%s", (written, expected) => expect(header(written)).toBe(expected));

  test("where the host reads none, it is told and never written as it stands", () => {
    const url = http("https://a.example/${A}");
    expect(spellTransport(url, spelling, CHOICE)).toEqual({ problem: "reads no reference in a URL: `${A}`" });
    expect(spellTransport(stdio(["run", "${A}"]), spelling, CHOICE).problem).toContain("a command");
  });

  test("a host without defaults", () => {
    const { withDefault: _, ...plain } = spelling;
    expect(spellTransport(http("https://a.example", { H: "${A:-b}" }), plain, CHOICE).problem).toBe(
      "knows no defaults: `${A:-...}`",
    );
  });
});

describe("Codex, which has no references", () => {
  test.each([
    ["a bearer token", http("https://a.example", { Authorization: "Bearer ${T}" }), [["bearer_token_env_var", "T"]]],
    ["a whole header", http("https://a.example", { "X-Key": "${K}" }), [["env_http_headers", { "X-Key": "K" }]]],
    ["plain headers", http("https://a.example", { "X-A": "b" }), [["http_headers", { "X-A": "b" }]]],
    ["a variable by its own name", stdio(["run"], { T: "${T}" }), [["env_vars", ["T"]]]],
    [
      "plain text",
      stdio(["run", "-v"], { A: "b" }),
      [
        ["args", ["-v"]],
        ["env", { A: "b" }],
      ],
    ],
    ["a header that nobody sets", http("https://a.example", { A: "${X:+y}" }), []],
  ] as const)("%s", (_, transport, expected) => {
    const { value } = connection(transport, CHOICE);
    expect(
      value!.slice(1).filter(([key]) => key !== "args" || (transport.kind === "stdio" && transport.command.length > 1)),
    ).toEqual(expected);
  });

  test.each([
    ["a variable in a URL", http("https://a.example/${A}"), "takes no variable in a URL"],
    ["a variable in a command", stdio(["run", "${A}"]), "takes no variable in a command"],
    ["a mixed header", http("https://a.example", { A: "x ${B}" }), "can't build `A` from a variable and other text"],
    ["a default", http("https://a.example", { A: "${B:-c}" }), "can't be told what `A` is where `B` isn't set"],
    [
      "a renamed variable",
      stdio(["run"], { A: "${B}" }),
      "is handed a variable under its own name alone, and `A` is `${B}`",
    ],
    ["SSE", { ...http("https://a.example"), kind: "sse" } as Transport, "doesn't speak SSE"],
  ])("%s can't be said", (_, transport, problem) => expect(connection(transport, CHOICE)).toEqual({ problem }));
});
