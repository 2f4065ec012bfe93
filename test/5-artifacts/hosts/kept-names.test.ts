import { describe, expect, test } from "vitest";
import { HOSTS } from "../../support/known-hosts.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../../compiler/io/read/resources.ts";
import { build } from "../../support/built-project.ts";

/** Names that are a host's own: a tool that would be read as one of them stays away from it, and that is told. */
const hosts = allHosts(readResources().hosts);

function fitted(id: string, server: string, tools: readonly string[], builtins = "", held = "all") {
  const choice = id === "cursor" ? "{ id: cursor, role: a }" : id;
  const own = builtins === "" ? "" : `, builtins: { ${id}: ${builtins} }`;
  return build(
    {
      "rolecall.yaml": `version: 1\nproject: kept\nhosts: [${choice}]\n`,
      "mcp/team.yaml": `servers: { ${server}: { connect: [{ stdio: [a] }] } }\nroles: { a: { tools: { ${server}: ${held} }${own} } }\n`,
      [`mcp/manifests/${server}.json`]: JSON.stringify({
        format: 1,
        server,
        capabilities: { tools: {} },
        tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
      }),
    },
    "hosts",
  );
}

function given(id: string, server: string, tools: readonly string[]) {
  const { hosts: found, artifacts } = fitted(id, server, tools);
  const [role] = found[0]!.roles;
  return {
    tools: role!.servers.flatMap((one) => one.tools.map(({ tool }) => tool.name as string)),
    away: role!.leftOut.map(({ because, why }) => `${because}: ${why}`),
    text: [...artifacts.values()].join("\n"),
  };
}

test("every host says which names it keeps", () => {
  expect(hosts.map(({ id }) => id)).toEqual([...HOSTS]);
  for (const { kept } of hosts) expect(kept.seenIn).toMatch(/\S/);
});

describe("a tool whose name is the host's own word", () => {
  test.each([
    ["opencode", "apply", "patch", "apply_patch"],
    ["opencode", "read", "mcp.resource", "read_mcp_resource"],
    ["opencode", "plan", "exit", "plan_exit"],
    ["copilot-cli", "custom", "agent", "custom-agent"],
    ["copilot-sdk", "custom", "agent", "custom-agent"],
    ["copilot-cli", "github", "mcp-server-get_me", "github-mcp-server-get_me"],
    ["openai-agents", "transfer", "to_admin", "transfer_to_admin"],
    ["adk", "team", "transfer_to_agent", "transfer_to_agent"],
    ["adk", "team", "adk_request_confirmation", "adk_request_confirmation"],
    ["gemini-cli", "team", "invoke_agent", undefined],
  ])("%s: %s.%s stays away alone", (id, server, tool, joined) => {
    const found = given(id, server, [tool, "look"]);
    expect(found.tools).toEqual(["look"]);
    expect(found.away).toEqual([expect.stringMatching(/^name: /)]);
    if (joined !== undefined && id === "opencode") expect(found.text).not.toContain(`"${joined}"`);
  });
});

describe("a server with a tool that would be a key of the host's permissions", () => {
  test.each([
    ["external", "directory"],
    ["doom", "loop"],
    ["doom", "LOOP"],
    ["workflow", "tool.approval"],
  ])("OpenCode: %s, with %s, stays away as a whole, whether the tool is held or not", (server, tool) => {
    const joined = `${server}_${tool.replace(".", "_")}`;
    const why = `name: its tool \`${tool}\` would be \`${joined}\`, a key of the host's own permissions`;
    const found = given("opencode", server, [tool, "look"]);
    expect(found).toMatchObject({ tools: [], away: [why] });
    expect(found.text).not.toContain(server);
    const { hosts: part } = fitted("opencode", server, [tool, "look"], "", "[look]");
    expect(part[0]!.roles[0]!.servers).toEqual([]);
  });
});

describe("a server whose name is the host's own", () => {
  test.each([
    ["claude-code", "workspace"],
    ["claude-code", "computer-use"],
    ["claude-code", "claude_in_chrome"],
    ["claude-code", "ide"],
    ["claude-agent-sdk", "computer-use"],
    ["codex", "codex-apps"],
    ["codex", "codex_tui"],
    ["copilot-cli", "github-mcp-server"],
    ["vscode", "execute"],
    ["vscode", "vscode"],
    ["cursor", "cursor-ide-browser"],
  ])("%s: %s stays away as a whole", (id, server) => {
    const found = given(id, server, ["look", "runInTerminal"]);
    expect(found.tools).toEqual([]);
    expect(found.away).toEqual(["name: a server of that name is the host's own there"]);
    expect(found.text).not.toContain("runInTerminal");
  });

  test.each(hosts.map((host) => [host.id, host] as const))("%s: each of those that it keeps", (id, { kept }) => {
    for (const server of kept.servers.map((name) => name.toLowerCase().replaceAll(" ", "-")))
      expect([server, given(id, server, ["look"]).tools]).toEqual([server, []]);
  });

  test.each([
    ["opencode", "external"],
    ["claude-code", "workspaces"],
    ["copilot-cli", "github"],
    ["vscode", "github"],
    ["codex", "codex"],
  ])("%s: %s is nobody's but ours", (id, server) => {
    expect(given(id, server, ["look"]).tools).toEqual(["look"]);
  });
});

describe("under `builtins`", () => {
  test.each([
    ["opencode", "external_directory", /no tool/],
    ["opencode", "doom_loop", /no tool/],
    ["opencode", "Task", /hands work over/],
    ["copilot-cli", "custom-agent", /hands work over/],
    ["copilot-sdk", "agent", /hands work over/],
    ["copilot-cli", "notes/look", /tool of `notes`/],
    ["copilot-sdk", "mcp:notes-look", /tool of `notes`/],
    ["copilot-cli", "mcp:notes/look", /tool of `notes`/],
    ["claude-code", "mcp__Notes__look", /tool of `notes`/],
  ])("%s: %s is refused, `optional` or not", (id, name, why) => {
    for (const written of [`["${name}"]`, `[{ optional: "${name}" }]`])
      expect(fitted(id, "notes", ["look"], written).errors).toEqual([expect.stringMatching(why)]);
  });

  test("a tool of the host's own stays what it is, whatever a server is called", () => {
    expect(fitted("copilot-cli", "read", ["look"], "[read_bash]").errors).toEqual([]);
    expect(fitted("opencode", "todo", ["look"], "[todowrite]").errors).toEqual([]);
  });
});

describe("a name that the host's lists would read as more than one", () => {
  test.each([
    ["vscode", "a, notes/drop"],
    ["vscode", "a\u00a0"],
    ["copilot-cli", "a,b"],
    ["copilot-sdk", " a"],
    ["gemini-cli", "look(x)"],
  ])("%s: %s stays away", (id, tool) => {
    const found = given(id, "notes", [tool, "plain"]);
    expect(found.tools).toEqual(["plain"]);
    expect(found.away).toEqual(["name: its name would be read as more than one there"]);
  });
});
