import { stringify as toml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { stringify as yaml } from "yaml";
import { compiled, decision, manifest } from "../../support/compiled.ts";

/**
 * Every key by which a file of an agent host takes tools away, in each of the ten forms: what it says is held, or it is told
 * that it isn't. The only outcome that a row can't have is silence.
 */

const TOOLS = ["list", "drop"];

interface Form {
  readonly file: string;
  /** What holds the servers. */
  readonly key: string;
  readonly entry: object;
  readonly text: (document: object) => string;
}

const json = (document: object) => JSON.stringify(document);
const local = { command: "serve" };
const FORMS: Readonly<Record<string, Form>> = {
  "mcp-json": { file: ".mcp.json", key: "mcpServers", entry: local, text: json },
  cursor: { file: ".cursor/mcp.json", key: "mcpServers", entry: local, text: json },
  "claude-desktop": { file: "claude_desktop_config.json", key: "mcpServers", entry: local, text: json },
  vscode: { file: ".vscode/mcp.json", key: "servers", entry: local, text: json },
  opencode: { file: "opencode.json", key: "mcp", entry: { type: "local", command: ["serve"] }, text: json },
  codex: { file: ".codex/config.toml", key: "mcp_servers", entry: local, text: (one) => toml(one) },
  gemini: { file: ".gemini/settings.json", key: "mcpServers", entry: local, text: json },
  copilot: { file: ".copilot/mcp-config.json", key: "mcpServers", entry: local, text: json },
  "copilot-agent": {
    file: ".github/agents/dev.agent.md",
    key: "mcp-servers",
    entry: local,
    text: (one) => `---\n${yaml(one)}---\nWork.\n`,
  },
  junie: { file: ".junie/mcp/mcp.json", key: "mcpServers", entry: local, text: json },
};

type Outcome = "held" | "asked" | "error" | "warning" | "silence";

/** What becomes of a file that takes `drop` away, or all tools of the server. */
function outcome({ file, key, entry, text }: Form, more: object, beside: object): Outcome {
  const found = compiled({
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "test",
      imports: [file],
      roles: { dev: { tools: { tracker: "all" } } },
    }),
    [file]: text({ ...beside, [key]: { tracker: { ...entry, ...more } } }),
    "mcp/manifests/tracker.json": manifest(...TOOLS),
  });
  const said = found.diagnostics.filter(({ at }) => at?.file === file).map(({ severity }) => severity);
  if (said.includes("error")) return "error";
  const effect = decision(found, "dev", "tracker", "drop")?.effect;
  if (effect !== "allow") return effect === "ask" ? "asked" : "held";
  return said.includes("warning") ? "warning" : "silence";
}

const all = (one: Outcome, but: Readonly<Record<string, Outcome>> = {}) => ({
  ...Object.fromEntries(Object.keys(FORMS).map((id) => [id, one])),
  ...but,
});

/** Beside the command or the address of the server. */
const OF_SERVERS: readonly (readonly [entry: object, outcomes: Readonly<Record<string, Outcome>>])[] = [
  [{ disabled: true }, all("held", { opencode: "error", codex: "error" })],
  [{ enabled: false }, all("held")],
  [{ disabledTools: ["drop"] }, all("held", { opencode: "error", codex: "error" })],
  [{ disabled_tools: ["drop"] }, all("error", { codex: "held" })],
  [{ enabled_tools: ["list"] }, all("error", { codex: "held" })],
  [{ excludeTools: ["drop"] }, all("error", { gemini: "held", copilot: "held", "copilot-agent": "held" })],
  [{ includeTools: ["list"] }, all("error", { gemini: "held" })],
  [{ tools: ["list"] }, all("error", { copilot: "held", "copilot-agent": "held" })],
  [{ tools: { drop: { approval_mode: "prompt" } } }, all("error", { codex: "asked" })],
  [{ default_tools_approval_mode: "prompt" }, all("error", { codex: "asked" })],
  [{ tools: [{ name: "drop", permission_policy: "always_deny" }] }, all("error")],
  ...[
    { allowedTools: ["list"] },
    { toolFilter: { allowedToolNames: ["list"] } },
    { permissions: { deny: ["drop"] } },
    { readOnly: true },
    { sandbox: { filesystem: "none" } },
    { requireApproval: "always" },
  ].map((entry) => [entry, all("error")] as const),
];

/** Beside the map of servers, by form: forms that hold nothing but servers take no other key. */
const OF_FILES: readonly (readonly [form: string, beside: object, outcome: Outcome])[] = [
  ...["mcp-json", "cursor", "vscode", "copilot", "junie"].flatMap((form) =>
    [{ permissions: { deny: ["tracker"] } }, { disabledTools: ["drop"] }, { tools: { exclude: ["drop"] } }].map(
      (beside) => [form, beside, "error"] as const,
    ),
  ),
  ["gemini", { mcp: { allowed: [] } }, "held"],
  ["gemini", { mcp: { excluded: ["tracker"] } }, "held"],
  ["gemini", { allowMCPServers: [] }, "held"],
  ["gemini", { excludeMCPServers: ["tracker"] }, "held"],
  ["gemini", { tools: { exclude: ["drop"] } }, "held"],
  ["gemini", { tools: { exclude: ["mcp_tracker_drop"] } }, "held"],
  ["gemini", { tools: { exclude: ["tracker__drop"] } }, "held"],
  ["gemini", { tools: { exclude: ["drop(hard)"] } }, "warning"],
  ["gemini", { tools: { exclude: ["mcp_*"] } }, "warning"],
  ["gemini", { mcp: { excluded: ["*"] } }, "held"],
  ["gemini", { excludeTools: ["drop"] }, "held"],
  ["gemini", { tools: { core: ["ls"] } }, "warning"],
  ["gemini", { coreTools: ["ls"] }, "warning"],
  ["gemini", { tools: { allowed: ["drop"] } }, "warning"],
  ["gemini", { tools: { confirmationRequired: ["drop"] } }, "warning"],
  ["gemini", { tools: { sandbox: "docker" } }, "warning"],
  ["gemini", { security: { folderTrust: { enabled: true } } }, "warning"],
  ["gemini", { admin: { mcp: { enabled: false } } }, "warning"],
  ["gemini", { policyPaths: ["deny.toml"] }, "warning"],
  ["codex", { approval_policy: "untrusted" }, "warning"],
  ["codex", { sandbox_mode: "read-only" }, "warning"],
  ["codex", { default_permissions: "strict" }, "warning"],
  ["codex", { projects: { "/work": { trust_level: "untrusted" } } }, "warning"],
  ["codex", { profiles: { safe: { mcp_servers: { tracker: { enabled: false } } } } }, "warning"],
  ["codex", { profiles: { safe: { mcp_servers: { tracker: { enabled_tools: [] } } } } }, "warning"],
  ["codex", { profiles: { safe: { mcp_servers: { tracker: { disabled_tools: ["drop"] } } } } }, "warning"],
  ["codex", { profiles: { safe: { approval_policy: "untrusted" } } }, "warning"],
  ["codex", { apps: { tracker: { tools: { drop: { enabled: false } } } } }, "warning"],
  ["opencode", { permission: { "tracker_*": "deny" } }, "warning"],
  ["opencode", { permission: { "*_drop": "ask" } }, "warning"],
  ["opencode", { permission: { "*": "deny" } }, "warning"],
  ["opencode", { permission: "ask" }, "warning"],
  ["opencode", { tools: { "t*": false } }, "warning"],
  ["opencode", { agent: { dev: { permission: "deny" } } }, "warning"],
  ["opencode", { agent: { dev: { tools: { "*": false } } } }, "warning"],
  ["opencode", { disabledTools: ["drop"] }, "warning"],
  ["claude-desktop", { disabledTools: ["drop"] }, "warning"],
  ["claude-desktop", { deniedMcpServers: ["tracker"] }, "warning"],
  ["claude-desktop", { permissions: { deny: ["mcp__tracker__drop"] } }, "warning"],
  ["copilot-agent", { tools: ["tracker/list"] }, "held"],
  ["copilot-agent", { tools: "tracker/list" }, "held"],
  ["copilot-agent", { tools: [] }, "held"],
  ["copilot-agent", { disallowedTools: ["tracker/drop"] }, "warning"],
  ["copilot-agent", { permissionMode: "plan" }, "warning"],
];

describe.each(Object.entries(FORMS))("%s", (id, form) => {
  test("takes every tool where nothing takes one away", () => {
    expect(outcome(form, {}, {})).toBe("silence");
  });
  test.each(OF_SERVERS)("of a server: %j", (entry, outcomes) => {
    expect(outcome(form, entry, {})).toBe(outcomes[id]);
  });
  const own = OF_FILES.filter(([of]) => of === id);
  test.each(own)("%s: %j", (_, beside, expected) => {
    expect(outcome(form, {}, beside)).toBe(expected);
  });
});

/** A word too many is one that nobody reads: what takes nothing away passes. */
test.each<readonly [form: string, beside: object]>([
  [
    "gemini",
    { ui: { theme: "dark" }, general: { disableAutoUpdate: true }, security: { auth: { selectedType: "x" } } },
  ],
  ["gemini", { tools: { useRipgrep: true, exclude: [] }, security: { folderTrust: { enabled: false } } }],
  ["codex", { model: "m", approval_policy: "never", sandbox_mode: "danger-full-access" }],
  ["codex", { projects: { "/work": { trust_level: "trusted" } }, profiles: { fast: { model: "m" } } }],
  ["opencode", { permission: { bash: "ask", "*": "allow" }, tools: { webfetch: false, "tr*": true } }],
  ["opencode", { disabled_providers: ["x"], share: "disabled", server: { port: 1 } }],
  ["claude-desktop", { globalShortcut: "x", preferences: { menuBarEnabled: false } }],
  ["copilot-agent", { description: "d", model: "m", "disable-model-invocation": true }],
])("%s says nothing of what takes no tool away: %j", (id, beside) => {
  expect(outcome(FORMS[id]!, {}, beside)).toBe("silence");
});
