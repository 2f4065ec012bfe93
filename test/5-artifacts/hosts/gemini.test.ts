import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { build } from "../../support/built-project.ts";

/** Keys that open nothing in the team's own settings, and for each role a policy and the names of its servers. */
const manifest = (server: string, tools: readonly string[]) =>
  JSON.stringify({
    format: 1,
    server,
    capabilities: { tools: {} },
    tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
  });

function compiled(roles: string) {
  const made = build(
    {
      "rolecall.yaml": "version: 1\nproject: seen\nhosts: [gemini-cli]\n",
      "mcp/team.yaml": `
servers:
  files: { connect: [{ stdio: [f] }] }
  notes: { connect: [{ stdio: [n] }] }
  odd: { connect: [{ stdio: [o] }] }
roles: ${roles}
`,
      "mcp/manifests/files.json": manifest("files", ["read_file", "write_file", "stat"]),
      "mcp/manifests/notes.json": manifest("notes", ["look", "write"]),
      "mcp/manifests/odd.json": manifest("odd", ["a b", "a_b", "c d", "mcp_*", "mcp_notes_look"]),
    },
    "hosts",
  );
  expect(made.errors).toEqual([]);
  const keys = JSON.parse(made.artifacts.get(".gemini/settings.json") ?? "[]") as { at: string[]; value: unknown }[];
  return {
    ...made,
    settings: new Map(keys.map(({ at, value }) => [at.join("."), value])),
    started: (role: string) => made.artifacts.get(`mcp/hosts/gemini-cli/${role}/servers.txt`),
    rules: (role: string) =>
      parse(made.artifacts.get(`mcp/hosts/gemini-cli/${role}/policy.toml`)!)["rule"] as unknown as Rule[],
  };
}

interface Rule {
  readonly mcpName?: string;
  readonly toolName: string | readonly string[];
  readonly decision: string;
  readonly priority: number;
  readonly modes?: readonly string[];
  readonly argsPattern?: string;
}

describe("the team's settings", () => {
  const { settings, started } = compiled(
    "{ a: { tools: { files: [read_file], notes: [look] } }, b: { tools: { files: [stat] } }, c: { tools: { files: none } } }",
  );

  test("have each server once, with the tools of every role, and exclude them all", () => {
    expect([...settings.keys()]).toEqual(["mcpServers.files", "mcpServers.notes", "mcp.excluded"]);
    expect(settings.get("mcpServers.files")).toMatchObject({ command: "f", includeTools: ["read_file", "stat"] });
    expect(settings.get("mcp.excluded")).toEqual(["files", "notes"]);
    expect(JSON.stringify([...settings])).not.toMatch(/trust|allowed/);
  });

  test("a role is told its own servers, and one without any is told a name that no server can have", () => {
    expect(["a", "b", "c"].map(started)).toEqual(["files,notes\n", "files\n", "no server\n"]);
  });

  test("without a server there is nothing to say", () => {
    expect([...compiled("{ a: { tools: { files: none } } }").settings]).toEqual([]);
  });
});

describe("a role's policy", () => {
  test("names a tool as the host shows it, and no tool that another one could be", () => {
    const { rules, hosts } = compiled("{ a: { tools: { odd: ['a b', 'c d'] } }, b: { tools: { odd: [a_b] } } }");
    expect(rules("a").filter(({ mcpName }) => mcpName === "odd")).toEqual([
      { mcpName: "odd", toolName: "c_d", decision: "allow", priority: 999 },
    ]);
    const away = hosts.flatMap(({ roles }) =>
      roles.flatMap(({ leftOut }) => leftOut.map(({ tools }) => tools[0]!.name)),
    );
    expect(away).toEqual(["a b", "a_b"]);
  });

  test("keeps a tool in sight that bears the name of one of the host's own, and lifts no denial by it", () => {
    const { rules } = compiled(
      "{ a: { tools: { files: all, odd: ['mcp_*', mcp_notes_look] }, builtins: { gemini-cli: [glob] } } }",
    );
    const unnamed = rules("a").filter(({ mcpName, decision }) => mcpName === undefined && decision !== "deny");
    const [namesakes, ...own] = unnamed;
    expect(namesakes).toMatchObject({ toolName: ["read_file", "write_file"], priority: 999 });
    expect(new RegExp(namesakes!.argsPattern!).test('{"file_path":"x"}')).toBe(false);
    expect(own.map(({ toolName }) => toolName)).toEqual([["glob"]]);
  });

  test("holds built-in tools above what `tools.allowed` opens, below what a person wants asked or left out", () => {
    const { rules } = compiled("{ a: { tools: { notes: all }, builtins: { gemini-cli: [glob, run_shell_command] } } }");
    const own = rules("a").filter(({ priority }) => priority < 998);
    expect(own.map(({ decision }) => decision)).toContain("deny");
    // In thousandths of the user's tier, as gemini-cli 0.61.0 has them.
    for (const { priority } of own) expect([priority > 300, priority < 350]).toEqual([true, true]);
  });

  test("leaves the host its questions about the built-in tools that are listed, and denies the others", () => {
    const { rules } = compiled(
      "{ a: { tools: { notes: all }, builtins: { gemini-cli: [run_shell_command, glob, write_file, { optional: later }] } } }",
    );
    const decided = (tool: string, mode: string) =>
      rules("a")
        .filter(({ mcpName, argsPattern }) => mcpName === undefined && argsPattern === undefined)
        .filter(
          ({ toolName, modes }) =>
            [toolName].flat().some((name) => [tool, "*"].includes(name)) && (modes ?? [mode]).includes(mode),
        )
        .sort((one, other) => other.priority - one.priority)[0]?.decision;
    const MODES = ["default", "autoEdit", "yolo", "plan"];
    expect(
      Object.fromEntries(
        ["glob", "write_file", "run_shell_command", "later", "read_file"].map((tool) => [
          tool,
          MODES.map((mode) => decided(tool, mode)),
        ]),
      ),
    ).toEqual({
      glob: ["allow", "allow", "allow", "deny"],
      write_file: ["ask_user", "allow", "allow", "deny"],
      run_shell_command: ["ask_user", "ask_user", "allow", "deny"],
      later: ["ask_user", "ask_user", "allow", "deny"],
      read_file: ["deny", "deny", "deny", "deny"],
    });
  });

  test.each(["", ", builtins: { gemini-cli: all }"])(
    "says nothing of built-in tools that aren't governed%s",
    (builtins) => {
      const { rules } = compiled(`{ a: { tools: { notes: all }${builtins} } }`);
      expect(rules("a").filter(({ mcpName, toolName }) => mcpName === undefined && toolName === "*")).toEqual([]);
    },
  );
});
