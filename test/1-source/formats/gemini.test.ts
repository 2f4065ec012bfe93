import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, decision, errors, manifest } from "../../support/compiled.ts";
import { GEMINI, outcome } from "../../support/settings-beside.ts";

/** What Gemini CLI's own lists take away: of every server that they fit. */

const FILE = ".gemini/settings.json";
const TOOLS = { hub: ["drop", "files__drop", "list"], files: ["drop", "list"] };

function read(document: object, tools: Readonly<Record<string, readonly string[]>> = TOOLS) {
  const servers = Object.keys(tools);
  return compiled({
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "test",
      imports: [FILE],
      roles: { dev: { tools: Object.fromEntries(servers.map((one) => [one, "all"])) } },
    }),
    [FILE]: JSON.stringify({
      mcpServers: Object.fromEntries(servers.map((one) => [one, { command: "serve" }])),
      ...document,
    }),
    ...Object.fromEntries(servers.map((one) => [`mcp/manifests/${one}.json`, manifest(...tools[one]!)])),
  });
}

function held(found: ReturnType<typeof read>): string[] {
  return Object.entries(TOOLS).flatMap(([server, tools]) =>
    tools.filter((tool) => decision(found, "dev", server, tool)?.effect === "allow").map((tool) => `${server}.${tool}`),
  );
}

describe("servers that are kept out", () => {
  test.each([
    [{ mcp: { excluded: ["*"] } }, []],
    [{ excludeMCPServers: ["*"] }, []],
    [{ mcp: { excluded: [" FILES "] } }, ["hub.drop", "hub.files__drop", "hub.list"]],
  ])("%j", (document, expected) => {
    const found = read(document);
    expect([errors(found), held(found)]).toEqual([[], expected]);
  });

  test("a pattern is a name there, and that is told", () => {
    const found = read({ mcp: { excluded: ["corporate-*"] } });
    expect(found.diagnostics.map(({ code, help }) => [code, help])).toEqual([
      [
        "import/left-behind",
        "there it is one name, and keeps nothing out: name each server that is meant, or write `*` alone for all",
      ],
    ]);
    expect(errors(read({ mcp: { excluded: ["file?"] } }))).toEqual(["import/not-of-format"]);
  });

  test("beside the file", () => {
    for (const excluded of [["*"], ["TRACKER"]])
      expect(outcome(GEMINI, { [FILE]: { mcp: { excluded } } }, "taken")).toBe("held");
    expect(outcome(GEMINI, { [FILE]: { mcp: { excluded: ["tr*"] } } }, "taken")).toBe("told");
  });
});

describe("tools", () => {
  test("a name of which the beginning is a server's may be a tool's own", () => {
    expect(held(read({ tools: { exclude: ["files__drop"] } }))).toEqual(["hub.drop", "hub.list", "files.list"]);
  });

  test("and of the same server's", () => {
    const tools = { files: ["drop", "files__drop", "list"] };
    const found = read({ tools: { exclude: ["files__drop"] } }, tools);
    expect(tools.files.filter((tool) => decision(found, "dev", "files", tool)?.effect === "allow")).toEqual(["list"]);
  });

  test("an old release cuts a long name in its middle", () => {
    const cut = `${"a".repeat(28)}___${"b".repeat(32)}`;
    expect(read({ tools: { exclude: [cut] } }).diagnostics.map(({ code }) => code)).toEqual(["import/left-behind"]);
  });
});

describe("hooks and checkers that may stop a call are told", () => {
  const told = (document: object) => read(document).diagnostics.map(({ code }) => code);
  test.each(["", ".*", "mcp_.*", "write_file|replace", "^(write_file|mcp_files_drop)$", "(a+)+$"])("%j", (matcher) => {
    expect(told({ hooks: { BeforeTool: [{ matcher, hooks: [{ command: "./deny.sh" }] }] } })).toEqual([
      "import/left-behind",
    ]);
  });
  test.each<[object]>([
    [{ BeforeTool: [{ hooks: [{ command: "./deny.sh" }] }] }],
    [{ BeforeToolSelection: [{ hooks: [{ command: "./less.sh" }] }] }],
    [{ BeforeTool: "odd" }],
  ])("%j", (hooks) => {
    expect(told({ hooks })).toEqual(["import/left-behind"]);
  });
  test.each<[object]>([
    [{ AfterTool: [{ hooks: [{ command: "./log.sh" }] }] }],
    [{ BeforeTool: [{ matcher: "^(write_file|replace)$", hooks: [{ command: "./deny.sh" }] }] }],
    [{ BeforeTool: [] }],
  ])("and others aren't: %j", (hooks) => {
    expect(told({ hooks })).toEqual([]);
  });

  test("beside the file", () => {
    const hooks = { BeforeTool: [{ matcher: "mcp_.*", hooks: [] }] };
    expect(outcome(GEMINI, { [FILE]: { hooks } }, "taken")).toBe("told");
    expect(outcome(GEMINI, { [FILE]: { policyPaths: ["deny.toml"] } }, "taken")).toBe("told");
    const checker = '[[safety_checker]]\ntoolName = "*"\n[safety_checker.checker]\ntype = "external"\nname = "x"\n';
    expect(outcome(GEMINI, { ".gemini/policies/a.toml": checker }, "taken")).toBe("told");
  });
});

describe("some thousand rules and servers take a moment", () => {
  const many = (name: (i: number) => string, count = 10_000): string[] =>
    Array.from({ length: count }, (_, i) => name(i));
  const names = many((i) => `server${i}x`);
  const taken = (file: string, more: object, entry: object, beside: Readonly<Record<string, string>> = {}) => {
    const files = memoryFiles({
      [file]: JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, entry])), ...more }),
      ...beside,
    });
    return translate({ file }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  };
  /** Of this process alone: others run beside it. */
  const seconds = (work: () => unknown): number => {
    const started = process.cpuUsage();
    work();
    return process.cpuUsage(started).user / 1e6;
  };

  test.each<[string, object]>([
    ["servers that are kept out", { mcp: { excluded: names } }],
    ["servers that nobody has", { mcp: { excluded: many((i) => `server-of-others-${i}`) } }],
    ["all servers, over and over", { mcp: { excluded: names.map(() => "*") } }],
    ["tools of servers", { tools: { exclude: names.map((name) => `mcp_${name}_drop`) } }],
    ["tools of any server", { tools: { exclude: many((i) => `drop${i}`) } }],
  ])("%s", (_, more) => {
    expect(seconds(() => taken(FILE, more, { command: "serve" }))).toBeLessThan(15);
  });

  test("tools of one server", () => {
    const [include, exclude] = [many((i) => `list${i}`, 90_000), many((i) => `drop${i}`, 90_000)];
    const lists = [{ excludeTools: exclude }, { includeTools: include, excludeTools: exclude }];
    for (const more of lists) {
      const files = memoryFiles({ [FILE]: JSON.stringify({ mcpServers: { one: { command: "serve", ...more } } }) });
      const work = () => translate({ file: FILE }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
      expect(seconds(work)).toBeLessThan(15);
    }
  });

  test("policies beside the file", () => {
    const rules = many((i) => `[[rule]]\ntoolName = "own${i}*"\ndecision = "deny"\n`).join("\n");
    const beside = { ".gemini/policies/a.toml": rules };
    expect(seconds(() => taken("conf/g.json", {}, { command: "serve", includeTools: ["a"] }, beside))).toBeLessThan(15);
  });

  test("names of tools that would be looked for in each of very many servers are an error", () => {
    const { diagnostics } = taken(FILE, { tools: { exclude: many((i) => `drop${i}`, 30) } }, { command: "serve" });
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ["import/not-of-format", "name the server of each tool too, as `mcp_server_tool`"],
    ]);
  });
});
