import { describe, expect, test } from "vitest";
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

  test("what begins with `mcp_` already gets no other beginning there", () => {
    const tools = { mcp: ["drop", "list"], mcp_hub: ["drop", "list"], files: ["drop", "list"] };
    const left = (...exclude: string[]) => {
      const found = read({ tools: { exclude } }, tools);
      const held = Object.entries(tools).flatMap(([server, all]) =>
        all
          .filter((tool) => decision(found, "dev", server, tool)?.effect === "allow")
          .map((tool) => `${server}.${tool}`),
      );
      return [errors(found), held];
    };
    expect(left("mcp_hub_drop")).toEqual([[], ["mcp.drop", "mcp.list", "mcp_hub.list", "files.drop", "files.list"]]);
    expect(left("mcp_drop")).toEqual([[], ["mcp.list", "mcp_hub.drop", "mcp_hub.list", "files.drop", "files.list"]]);
  });

  test("and may be the name that a tool of another server has by itself", () => {
    const tools = { mcp_git: ["drop"], hub: ["mcp_git_drop", "mcp_git__drop", "list"] };
    for (const name of ["mcp_git_drop", "mcp_git__drop"]) {
      const found = read({ tools: { exclude: [name] } }, { ...tools, mcp_git: [name.slice("mcp_git_".length)] });
      expect([errors(found), decision(found, "dev", "hub", name)?.effect]).toEqual([[], "deny"]);
      expect(decision(found, "dev", "hub", "list")?.effect).toBe("allow");
    }
  });

  test("a name by which every server's tools go is told, and another of one name counts", () => {
    expect(read({ tools: { exclude: ["DiscoveredMCPTool"] } }).diagnostics.map(({ code }) => code)).toEqual([
      "import/left-behind",
    ]);
    const tools = { files: ["search_file_content", "list"], hub: ["grep_search"] };
    for (const exclude of [["grep_search"], ["search_file_content"]]) {
      const found = read({ tools: { exclude } }, tools);
      expect(decision(found, "dev", "files", "search_file_content")?.effect).toBe("deny");
      expect(decision(found, "dev", "hub", "grep_search")?.effect).toBe("deny");
    }
  });

  test("an old release cuts a long name in its middle", () => {
    const cut = `${"a".repeat(28)}___${"b".repeat(32)}`;
    expect(read({ tools: { exclude: [cut] } }).diagnostics.map(({ code }) => code)).toEqual(["import/left-behind"]);
  });
});

describe("hooks and checkers that may stop a call are told", () => {
  const told = (document: object) => read(document).diagnostics.map(({ code }) => code);
  test.each([
    "",
    ".*",
    "mcp_.*",
    "write_file|replace",
    "^(write_file|mcp_files_drop)$",
    "(a+)+$",
    "mcp__files__.*",
    "^mcp__files__drop",
    "^files__drop$",
    "^(write_file|files__drop)$",
    "^drop$",
    "^(write_file|drop)$",
  ])("%j", (matcher) => {
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
    [{ BeforeTool: [{ matcher: "^mcp__other__.*", hooks: [{ command: "./deny.sh" }] }] }],
    [{ BeforeTool: [{ matcher: "^other__drop$", hooks: [{ command: "./deny.sh" }] }] }],
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
    for (const name of ["mcp__tracker__drop", "drop"]) {
      const rule = `[[rule]]\ntoolName = "${name}"\ndecision = "deny"\n`;
      expect(outcome(GEMINI, { ".gemini/policies/a.toml": rule }, "taken")).toBe("told");
    }
    const own = '[[rule]]\ntoolName = ["run_shell_command", "write_file"]\ndecision = "deny"\n';
    expect(outcome(GEMINI, { ".gemini/policies/a.toml": own }, "taken")).toBe("silence");
  });
});
