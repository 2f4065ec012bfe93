import { describe, expect, test } from "vitest";
import { build } from "../support/built-project.ts";
import { compiled, manifest } from "../support/compiled.ts";

/** Rows about Squad's file on its way to hosts, each by the check that the list gives for it. */

const SQUAD = {
  servers: {
    files: {
      command: "npx",
      args: ["-y", "files@1.0.0"],
      env: { LEVEL: "warn" },
      cwd: "${FILES_ROOT}",
      timeout: 30_000,
      tools: ["*"],
    },
    wiki: {
      type: "http",
      url: "https://w.example.com/mcp",
      headers: { Authorization: "Bearer ${WIKI_TOKEN}" },
      timeout: 20_000,
    },
    tides: { type: "sse", url: "https://t.example.com/sse" },
  },
  agentServers: { lead: ["files", "wiki", "tides"] },
};
const files = (hosts: string, document: object = SQUAD): Record<string, string> => ({
  "rolecall.yaml": `version: 1\nproject: squad\nhosts: [${hosts}]\nimports: [.squad/mcp-config.json]\n`,
  ".squad/mcp-config.json": JSON.stringify(document),
  ...Object.fromEntries(
    Object.keys(SQUAD.servers).map((server) => [`mcp/manifests/${server}.json`, manifest(`look_in_${server}`)]),
  ),
});

describe("each host's file", () => {
  const { errors, artifacts } = build(files("copilot-sdk, copilot-cli, claude-code, opencode"), true);
  const text = (file: string) => artifacts.get(file)!;
  const opencode = () => (JSON.parse(text("mcp/hosts/opencode/lead.json")) as { mcp: Record<string, object> }).mcp;
  const claude = () =>
    (JSON.parse(text("mcp/hosts/claude-code/lead.mcp.json")) as { mcpServers: Record<string, object> }).mcpServers;
  test("S0.13: has environment and folder of a process", () => {
    expect(errors).toEqual([]);
    expect(opencode()["files"]).toMatchObject({ environment: { LEVEL: "warn" }, cwd: "{env:FILES_ROOT}" });
    // The SDK is handed tools, not servers: the runtime starts the process, with what its data says.
    expect(artifacts.has("src/mcp/hosts/copilot-sdk.ts")).toBe(true);
    const data = text("src/mcp/servers/files.data.ts");
    for (const word of ["LEVEL", "warn", "cwd", "FILES_ROOT"]) expect(data).toContain(word);
  });

  test("S0.14: has the transport that is written, and references in headers", () => {
    expect(claude()["wiki"]).toMatchObject({ type: "http", headers: { Authorization: "Bearer ${WIKI_TOKEN}" } });
    expect(claude()["tides"]).toMatchObject({ type: "sse", url: "https://t.example.com/sse" });
    expect(opencode()["wiki"]).toMatchObject({ type: "remote", headers: { Authorization: "Bearer {env:WIKI_TOKEN}" } });
  });

  test("S0.17: has the time-out, in milliseconds", () => {
    const { plan } = compiled(files("opencode"));
    expect(plan.servers.find(({ name }) => name === "wiki")!.limits.timeoutMs).toBe(20_000);
    expect([opencode()["wiki"], claude()["wiki"]]).toMatchObject([{ timeout: 20_000 }, { timeout: 20_000 }]);
    expect(text(".github/agents/lead.agent.md")).toContain('"timeout":20000');
  });
});

test("S0.22: a file that nobody lists changes nothing", () => {
  const access = (more: Readonly<Record<string, string>>) =>
    build({ ...files("opencode"), ...more }, true).artifacts.get("src/mcp/access.json");
  const stray = { mcpServers: { files: { command: "evil" }, more: { command: "evil" } } };
  const before = access({});
  expect(before).toContain("look_in_files");
  for (const file of [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", "mcp-config.json", ".junie/mcp/mcp.json"])
    expect(access({ [file]: JSON.stringify(stray) })).toBe(before);
});
