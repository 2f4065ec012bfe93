// Which format a file is read in, and where its errors are told.
import { describe, expect, test } from "vitest";
import { hashHeader } from "../../compiler/5-artifacts/header.ts";
import { compiled, decision, manifest } from "../support/compiled.ts";

const TOOLS = ["list", "drop"];

function read(file: string, text: string, more: Readonly<Record<string, string>> = {}, as?: string) {
  const listed = as === undefined ? file : { file, as };
  return compiled({
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "test",
      imports: [listed],
      roles: { dev: { tools: { tracker: "all" } } },
    }),
    [file]: text,
    "mcp/manifests/tracker.json": manifest(...TOOLS),
    ...more,
  });
}

/** `code file:line:column` of each error. */
function errorsOf({ diagnostics }: ReturnType<typeof read>): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, at }) => (at === undefined ? code : `${code} ${at.file}:${at.line}:${at.column}`));
}

const one = (entry: object, rest: object = {}) => JSON.stringify({ mcpServers: { tracker: entry }, ...rest });

describe("the format", () => {
  test.each<[title: string, file: string, text: string, held: readonly string[]]>([
    ["that all would read the same needs no name", "conf/any.json", one({ command: "x" }), TOOLS],
    ["is the only one that has these keys", "conf/any.json", one({ command: "x", includeTools: ["list"] }), ["list"]],
    ["goes by the file's name", "x/.cursor/mcp.json", one({ command: "x", args: ["${env:A}"] }), TOOLS],
    [
      "goes by the file's name where one of another's keys is carried over",
      ".cursor/mcp.json",
      '{"mcpServers":{"tracker":{"command":"x"},"tides":{"type":"sse","url":"https://t.example.com/","enabled":false}}}',
      TOOLS,
    ],
    ["goes by keys before the file's name", ".cursor/mcp.json", '{"servers":{"tracker":{"command":"x"}}}', TOOLS],
  ])("%s", (_, file, text, held) => {
    const found = read(file, text);
    expect(errorsOf(found)).toEqual([]);
    expect(TOOLS.filter((tool) => decision(found, "dev", "tracker", tool)?.effect === "allow")).toEqual(held);
  });

  test("needs no name where all would say the same of it", () => {
    const found = read("conf/any.json", one({ command: "x", disabledTools: ["drop"], alwaysAllow: ["list"] }));
    expect(errorsOf(found)).toEqual([]);
    expect(found.diagnostics.map(({ code }) => code)).toContain("import/left-behind");
    expect(decision(found, "dev", "tracker", "drop")?.effect).toBe("deny");
  });

  test.each<[title: string, file: string, text: string]>([
    ["two of which one would say more", "conf/any.json", one({ command: "x", args: ["${env:A}"], trust: true })],
    ["two that spell references otherwise", "conf/any.json", one({ command: "x", args: ["${A}"] })],
    ["keys of another beside", "conf/any.json", one({ command: "x" }, { toolRestrictions: {} })],
    ["settings under another name", "conf/any.json", one({ command: "x" }, { theme: "dark" })],
  ])("isn't guessed: %s", (_, file, text) => {
    expect(errorsOf(read(file, text))).toEqual(["import/several-formats rolecall.yaml:1:42"]);
  });

  test("is the one that is named", () => {
    expect(errorsOf(read("conf/any.json", one({ command: "x", args: ["$A"] }, { ui: {} }), {}, "gemini"))).toEqual([]);
  });
});

test.each<[file: string, text: string, expected: string]>([
  [
    ".codex/config.toml",
    '[mcp_servers.tracker]\ncommand = "x"\ndisabled_tools = [\n  "list",\n  "dropp",\n]\n',
    "manifest/unknown-tool .codex/config.toml:5:3",
  ],
  [
    ".codex/config.toml",
    '[mcp_servers.tracker]\ncommand = "x"\nenv = { A = 1 }\n',
    "source/wrong-shape .codex/config.toml:3:13",
  ],
  [
    ".codex/config.toml",
    '[mcp_servers.tracker]\nurl = "http://x.example.com/mcp"\n',
    "server/plain-http .codex/config.toml:2:7",
  ],
  [
    ".gemini/settings.json",
    '{\n  // c\n  "mcpServers": { "tracker": { "command": "x", "excludeTools": ["dropp"] } },\n}',
    "manifest/unknown-tool .gemini/settings.json:3:65",
  ],
  [
    "opencode.jsonc",
    '{\n\t/* c */ "mcp": {\n\t\t"tracker": { "type": "local", "command": "x", },\n\t},\n}',
    "source/wrong-shape opencode.jsonc:3:44",
  ],
  [
    ".cursor/mcp.json",
    '{"mcpServers":{"tracker":{"command":"x"},\n"tracker":{"command":"y"}}}',
    "source/duplicate-key .cursor/mcp.json:2:1",
  ],
  [".mcp.json", one({ url: "https://x.example.com/mcp" }), "source/missing-key .mcp.json:1:16"],
  [
    ".github/agents/dev.agent.md",
    "---\nname: dev\nmcp-servers:\n  tracker: { type: local, command: x, tool: [list] }\n---\nHi\n",
    "source/unknown-key .github/agents/dev.agent.md:4:39",
  ],
])("an error of %s stands in the file: %j", (file, text, expected) => {
  expect(errorsOf(read(file, text))).toEqual([expected]);
});

describe("what a build wrote", () => {
  const file = ".cursor/mcp.json";
  const list = (line: string) => ({ "src/mcp/files.txt": `${hashHeader}\n${line}\n` });

  test.each<[title: string, line: string, errors: readonly string[]]>([
    ["is no source", `${file}\tmcpServers/tracker`, ["import/own-output rolecall.yaml:1:42"]],
    ["is believed of keys that a host keeps, and of no others", `${file}\tmcpServers`, []],
    ["is believed of files where a host keeps keys", "conf/any.json\tmcpServers/tracker", []],
  ])("%s", (_, line, errors) => {
    expect(errorsOf(read(file, one({ command: "x" }), list(line)))).toEqual(errors);
  });

  test("and stands beside the team's own is passed by, so that nothing of it is held", () => {
    const found = read(
      file,
      '{"mcpServers":{"tracker":{"command":"x"},"docs":{"command":"y"}}}',
      list(`${file}\tmcpServers/tracker`),
    );
    expect(errorsOf(found)).toEqual(["server/unknown rolecall.yaml:1:87"]);
  });

  test("is no layer, beside the team's own or not: what a layer restricts would be lost", () => {
    const found = compiled({
      "rolecall.yaml": "version: 1\nproject: p\nlayers: [.cursor/mcp.json]\n",
      [file]: '{"mcpServers":{"tracker":{"command":"x"},"docs":{"command":"y"}}}',
      ...list(`${file}\tmcpServers/tracker`),
    });
    expect(errorsOf(found)).toEqual(["import/own-output rolecall.yaml:3:10"]);
  });

  describe("is a server's entry: what a file restricts stays, whatever the list says of it", () => {
    const held = (found: ReturnType<typeof read>) =>
      TOOLS.filter((tool) => decision(found, "dev", "tracker", tool)?.effect === "allow");
    const gemini = ".gemini/settings.json";
    const settings = (excluded: readonly string[]) =>
      JSON.stringify({ mcpServers: { tracker: { command: "x" }, own: { command: "y" } }, mcp: { excluded } });

    test("Gemini's `mcp.excluded`", () => {
      const forged = list(`${gemini}\tmcp/excluded`);
      expect(held(read(gemini, settings(["tracker"]), forged))).toEqual([]);
      expect(held(read(gemini, settings(["own"]), forged))).toEqual(TOOLS);
    });

    test("and of a server that is the build's own nothing is said", () => {
      const found = read(gemini, settings(["own"]), list(`${gemini}\tmcp/excluded\n${gemini}\tmcpServers/own`));
      expect(found.diagnostics.map(({ code }) => code)).not.toContain("import/left-behind");
      expect(held(found)).toEqual(TOOLS);
    });

    test("the tools of a Copilot agent", () => {
      const agent = ".github/agents/dev.agent.md";
      const text = "---\ndescription: d\ntools: [tracker/list]\nmcp-servers: { tracker: { command: x } }\n---\nWork.\n";
      expect(held(read(agent, text, list(`${agent}\ttools`)))).toEqual(["list"]);
      expect(errorsOf(read(agent, text, list(`${agent}\tmcp-servers`)))).toEqual([
        "import/own-output rolecall.yaml:1:42",
      ]);
    });

    test.each(["permission/tracker_*", "agent/reader"])("OpenCode's rules: %s", (key) => {
      const rule = { "tracker_*": "deny" };
      const text = JSON.stringify({
        mcp: { tracker: { type: "local", command: ["x"] } },
        ...(key === "agent/reader" ? { agent: { reader: { permission: rule } } } : { permission: rule }),
      });
      const found = read("opencode.json", text, list(`opencode.json\t${key}`));
      expect(found.diagnostics.map(({ code }) => code)).toContain("import/left-behind");
    });
  });

  test("a list without the build's own first line says nothing", () => {
    const found = read(file, one({ command: "x" }), { "src/mcp/files.txt": `${file}\tmcpServers/tracker\n` });
    expect(errorsOf(found)).toEqual([]);
  });
});
