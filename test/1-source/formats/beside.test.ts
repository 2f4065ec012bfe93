import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, manifest } from "../../support/compiled.ts";
import {
  CLAUDE,
  COPILOT,
  CURSOR,
  GEMINI,
  OPENCODE,
  outcome,
  OWN,
  type Row,
  server,
  SHARED,
  VSCODE,
} from "../../support/settings-beside.ts";

/** What an agent host's settings beside its file of servers take away of these: held, asked or told, and never silence. */

/** Of hooks: each may match a tool of the server. */
const MATCHERS: readonly unknown[] = [
  ..."mcp__.* * .* mcp__tracker__.* mcp__track.* ^mcp__(tracker|x)__drop$ .*__delete_.* .*delete.* Bash|.*tracker.*".split(
    " ",
  ),
  ..."delete (Bash|) Bash| [A-Za-z]+ \\w+ Bash|(a+)+$ mcp (?!Bash).*".split(" "),
  ..."(Bash)* (?:Edit:x|Write)?.* Edit:.*|mcp__.* Bash(a|.*) Bash.+|.* write.* edit(.*) edit:?.* edit(?!:).* E* mcp__trackerx*".split(
    " ",
  ),
  "Write, mcp__tracker__drop",
  "Write, .*",
  "Edit:.*, delete",
  "bash, .*delete",
  ..."Drop.* Bash|Drop.* (Bash|Drop_All)$ Bash(|Drop) r__Drop.* Bash|mcp__tracker__Drop Delete.*".split(" "),
  ["Bash"],
];

const HOSTS: readonly (readonly [host: string, servers: readonly [string, object], rows: readonly Row[]])[] = [
  [
    "Claude Code",
    CLAUDE,
    [
      [SHARED, { disabledMcpjsonServers: ["tracker"] }, "held"],
      [SHARED, { enabledMcpjsonServers: [] }, "held"],
      [SHARED, { deniedMcpServers: [{ serverName: "tracker" }] }, "held"],
      [SHARED, { deniedMcpServers: [{ serverUrl: "https://*" }] }, "told"],
      [SHARED, { allowedMcpServers: [{ serverName: "tracker" }] }, "told"],
      [SHARED, { blockedMcpServers: ["tracker"] }, "told"],
      [SHARED, { disabledMcpjsonServers: "tracker" }, "told"],
      ...[
        "mcp__tracker",
        "mcp__tracker__*",
        "mcp__tracker__drop",
        "mcp__tracker__dr*",
        "mcp__*",
        "mcp__t*__drop",
        "*",
      ].flatMap((rule): Row[] => [
        [SHARED, { permissions: { deny: ["Bash", rule] } }, "held"],
        [SHARED, { permissions: { ask: [rule] } }, "asked"],
      ]),
      [SHARED, { permissions: { deny: ["mcp__*_drop"] } }, "held"],
      [SHARED, { permissions: { deny: ["mcp__tracker__drop(hard)"] } }, "told"],
      [SHARED, { permissions: { deny: "mcp__tracker" } }, "told"],
      [SHARED, { permissions: { defaultMode: "dontAsk" } }, "told"],
      ...MATCHERS.flatMap((matcher): Row[] => [
        [SHARED, { hooks: { PreToolUse: [{ matcher, hooks: [] }] } }, "told"],
        [SHARED, { hooks: { PermissionRequest: [{ matcher, hooks: [] }] } }, "told"],
      ]),
      [SHARED, { permission: { deny: ["mcp__tracker"] } }, "told"],
      [SHARED, { tools: { deny: ["mcp__tracker"] } }, "told"],
      [SHARED, { hooks: { PreToolUse: [{ hooks: [] }] } }, "told"],
      [SHARED, "{ broken", "told"],
      [SHARED, "[]", "told"],
    ],
  ],
  [
    "Cursor",
    CURSOR,
    [
      ...["Mcp(tracker, drop)", "Mcp(tracker:drop)", "Mcp(tracker, *)", "Mcp(tracker)", "Mcp(*, dr*)", "Mcp(*:*)"].map(
        (rule): Row => [".cursor/cli.json", { permissions: { deny: [rule] } }, "held"],
      ),
      [".cursor/cli.json", { permissions: { deny: [" Mcp( tracker, drop )"] } }, "held"],
      ...["Mcp(track*, drop)", "Mcp()", "Mcp(, drop)"].map((rule): Row => [
        ".cursor/cli.json",
        { permissions: { deny: [rule] } },
        "told",
      ]),
      [".cursor/cli.json", { permissions: { deny: ["Mcp(Tracker, drop)"] } }, "told"],
      [".cursor/cli.json", "{", "told"],
      [".cursor/hooks.json", { version: 1, hooks: { beforeMCPExecution: [{ command: "./deny.sh" }] } }, "told"],
      [".cursor/hooks.json", { version: 1, hooks: { preToolUse: [{ command: "./deny.sh" }] } }, "told"],
      [".cursor/hooks.json", { hooks: { preToolUse: [{ command: "x", matcher: "Shell|MCP:drop" }] } }, "told"],
      [".cursor/hooks.json", { hooks: { preToolUse: [{ command: "x", matcher: "Shell|MCP: drop" }] } }, "told"],
      [".cursor/hooks.json", { hooks: { preToolUse: [{ command: "x", matcher: "write" }] } }, "told"],
    ],
  ],
  [
    "OpenCode",
    OPENCODE,
    [
      [".opencode/opencode.json", { mcp: { tracker: { enabled: false } } }, "held"],
      [".opencode/opencode.jsonc", { permission: { "tracker_*": "deny" } }, "told"],
      ["opencode.jsonc", { agent: { dev: { tools: { tracker_drop: false } } } }, "told"],
    ],
  ],
  [
    "VS Code",
    VSCODE,
    [
      [".vscode/settings.json", { "chat.mcp.access": "none" }, "held"],
      [".vscode/settings.json", { "chat.mcp.enabled": false }, "held"],
      [".vscode/settings.json", { "chat.mcp.access": "registry" }, "told"],
      [".vscode/settings.json", { "chat.mcp.disabledServers": ["tracker"] }, "told"],
    ],
  ],
  [
    "Gemini CLI",
    GEMINI,
    [
      [".gemini/settings.json", { mcp: { excluded: ["tracker"] } }, "held"],
      [".gemini/settings.json", { mcp: { allowed: [] } }, "held"],
      [".gemini/settings.json", { excludeMCPServers: ["tracker"] }, "held"],
      [".gemini/settings.json", { tools: { exclude: ["drop"] } }, "told"],
      [".gemini/settings.json", { admin: { mcp: { enabled: false } } }, "told"],
      [".gemini/policies/a.toml", '[[rule]]\nmcpName = "tracker"\ndecision = "deny"\npriority = 5\n', "told"],
      [".gemini/policies/a.toml", '[[rule]]\ntoolName = "mcp_tracker_drop"\ndecision = "ask_user"\n', "told"],
      ...[
        'toolName = "mcp_*"',
        'toolName = "*"',
        "",
        'toolName = ["run_shell_command", "mcp_tr*_drop"]',
        'mcpName = "*"',
        'toolName = ["glob", "*"]',
      ].map((rule): Row => [".gemini/policies/a.toml", `[[rule]]\n${rule}\ndecision = "deny"\n`, "told"]),
    ],
  ],
  [
    "Copilot",
    COPILOT,
    [
      [".github/copilot/settings.json", { disabledMcpServers: ["tracker"] }, "told"],
      [".github/copilot/settings.json", { permissions: { deny: ["shell(rm)", "tracker(drop)"] } }, "told"],
      [".github/copilot/settings.json", { deniedTools: ["tracker(drop)"] }, "told"],
      [".github/copilot/settings.json", { excludedTools: ["tracker-drop"] }, "told"],
      [".github/copilot/settings.json", { agent: { tools: { disallow: "tracker" } } }, "told"],
    ],
  ],
];

describe.each(HOSTS)("%s", (_, servers, rows) => {
  test.each(rows)("%s: %j", (file, settings, expected) => {
    expect(outcome(servers, { [file]: settings }, "taken")).toBe(expected);
    // What a build doesn't hold it tells, where it is sure: a person's own list may name what the team's doesn't.
    const isUnsure = expected === "told" || (typeof settings === "object" && "enabledMcpjsonServers" in settings);
    expect(outcome(servers, { [file]: settings }, "built")).toBe(isUnsure ? "silence" : "told");
  });
});

describe("what a build that reads the file as it lies there tells", () => {
  const built = (roles: string, settings: object, more: Readonly<Record<string, string>> = {}) =>
    compiled({
      ".mcp.json": JSON.stringify({ mcpServers: { tracker: server, Notes: server } }),
      [SHARED]: JSON.stringify(settings),
      "rolecall.yaml": `{ version: 1, project: test, imports: [.mcp.json], roles: ${roles} }`,
      "mcp/manifests/tracker.json": manifest("list", "drop", "wipe"),
      "mcp/manifests/notes.json": manifest("add"),
      ...more,
    });
  const said = (...given: Parameters<typeof built>): readonly string[] =>
    built(...given)
      .diagnostics.filter(({ code }) => code === "import/taken-beside")
      .map(({ says, at }) => `${at?.file}:${at?.line}:${at?.column} ${says}`);
  const rules = { permissions: { deny: ["mcp__tracker__drop", "mcp__Notes", "mcp__tracker__w*"] } };

  test("one warning for a file and what it does, with the tools and the roles that have them all the same", () => {
    const roles = "{ dev: { tools: { tracker: all, notes: all } }, lead: { tools: { tracker: [drop] } } }";
    const asks = { permissions: { ...rules.permissions, ask: ["mcp__tracker__list"] } };
    expect(said(roles, asks)).toEqual([
      `${SHARED}:1:25 Claude Code's settings take away \`tracker.drop\`, \`notes.add\`, \`tracker.wipe\`, which \`dev\`, \`lead\` may call here`,
      `${SHARED}:1:86 Claude Code's settings ask about \`tracker.list\`, which \`dev\` may call unasked here`,
    ]);
  });

  test("nothing of what no role has, or is asked for here too", () => {
    expect(said("{ dev: { tools: { tracker: [list] } } }", rules)).toEqual([]);
    const asked = { permissions: { ask: ["mcp__tracker__drop"] } };
    expect(said("{ dev: { tools: { tracker: { include: [drop], ask: [drop] } } } }", asked)).toEqual([]);
    expect(said("{ dev: { tools: { tracker: { include: [drop], ask: [drop] } } } }", rules)).toHaveLength(1);
  });

  test("nothing of what a build wrote there itself", () => {
    const gemini = { mcpServers: { tracker: { ...server, includeTools: ["list", "drop"] } } };
    const files = {
      "conf/gemini.json": JSON.stringify(gemini),
      ".gemini/settings.json": JSON.stringify({ mcp: { excluded: ["tracker"] } }),
      "rolecall.yaml":
        "{ version: 1, project: test, imports: [conf/gemini.json], roles: { dev: { tools: { tracker: [drop] } } } }",
    };
    const list = `# Generated by rolecall. Don't edit: change the sources.\n.gemini/settings.json\tmcp/excluded\n`;
    expect(said("{}", {}, files)).toHaveLength(1);
    expect(said("{}", {}, { ...files, "src/mcp/files.txt": list })).toEqual([]);
  });

  test("its files are followed, and are no part of what is written", () => {
    const roles = "{ dev: { tools: { tracker: [drop] } } }";
    const [one, other] = [built(roles, rules), built(roles, {})];
    expect(one.others).toContain(SHARED);
    expect([...one.artifacts].map(({ path }) => path)).toEqual([...other.artifacts].map(({ path }) => path));
    expect(one.plan.fingerprint).toBe(other.plan.fingerprint);
  });
});

test.each([
  [CLAUDE, OWN, { permissions: { deny: ["mcp__tracker__drop"] } }, "held"],
  [CLAUDE, OWN, { disabledMcpjsonServers: ["tracker"] }, "held"],
  [CLAUDE, ".claude/agents/dev.md", { tools: "Read, mcp__tracker__list" }, "told"],
  [CLAUDE, ".claude/agents/team/dev.md", { disallowedTools: ["mcp__tracker"] }, "told"],
  [CLAUDE, ".claude/agents/dev.md", "---\r\ntools: Read, mcp__tracker__list\r\n---\r\nWork.\r\n", "told"],
  [CLAUDE, ".claude/agents/dev.md", "\n---\ntools: Read, mcp__tracker__list\n---\nWork.\n", "told"],
  [CLAUDE, ".claude/agents/dev.md", "---\ntools: Read, mcp__tracker__list\n", "told"],
  [OPENCODE, ".opencode/agent/dev.md", { tools: { "tracker_*": false } }, "told"],
  [OPENCODE, ".opencode/agents/dev.md", { permission: "ask" }, "told"],
  [VSCODE, ".github/agents/dev.agent.md", { tools: ["tracker/list"] }, "told"],
  [COPILOT, ".github/agents/dev.agent.md", { tools: ["tracker-list"] }, "told"],
  [COPILOT, ".github/agents/team/dev.agent.md", { tools: ["tracker-list"] }, "told"],
  [VSCODE, ".github/agents/team/dev.agent.md", { tools: ["tracker/list"] }, "told"],
  [CLAUDE, ".claude/agents/.x/dev.md", { disallowedTools: ["mcp__tracker__drop"] }, "told"],
  [CLAUDE, ".claude/agents/.x/a/.y/dev.md", { tools: ["mcp__tracker__list"] }, "told"],
] as const)(
  "one person's and agents' are heeded where %j is taken over: %s %j",
  (servers, file, settings, expected) => {
    expect(outcome(servers, { [file]: settings }, "taken")).toBe(expected);
    expect(outcome(servers, { [file]: settings }, "built")).toBe("silence");
  },
);

test("those of the folder that the file is in count too", () => {
  const below = ["packages/a/.mcp.json", CLAUDE[1]] as const;
  const settings = { permissions: { deny: ["mcp__tracker__drop"] } };
  expect(outcome(below, { [`packages/a/${SHARED}`]: settings }, "taken")).toBe("held");
  expect(outcome(below, { [SHARED]: settings }, "taken")).toBe("held");
  expect(outcome(below, { [`packages/b/${SHARED}`]: settings }, "taken")).toBe("silence");
});

test("on top of what the file itself takes away", () => {
  const limited = [".mcp.json", { mcpServers: { tracker: { ...server, disabledTools: ["list"] } } }] as const;
  const rules = { permissions: { deny: ["mcp__tracker__drop", "mcp__tracker__list"], ask: ["mcp__tracker__list"] } };
  const files = memoryFiles({ ".mcp.json": JSON.stringify(limited[1]), [SHARED]: JSON.stringify(rules) });
  const { translated } = translate(
    { file: ".mcp.json" },
    { files, project: DEFAULTS, hosts: allHosts([]) },
    lazyLibraries(),
  );
  expect(translated?.blocks).toEqual({
    servers: { tracker: { connect: [{ stdio: ["serve"] }], tools: { exclude: ["list", "drop"] } } },
    policies: [{ name: "Claude Code asks about tracker", roles: ["*"], tools: ["tracker.list"], effect: "ask" }],
  });
});

test("a rule about any server's tool may find none", () => {
  const rules = { permissions: { deny: ["mcp__*__drop", "mcp__notes__add"] } };
  const files = memoryFiles({
    ".mcp.json": JSON.stringify({ mcpServers: { tracker: server, notes: server } }),
    [SHARED]: JSON.stringify(rules),
  });
  const { translated } = translate(
    { file: ".mcp.json" },
    { files, project: DEFAULTS, hosts: allHosts([]) },
    lazyLibraries(),
  );
  const any = ["*__drop", "*::drop", "_drop", "drop"].map((optional) => ({ optional }));
  expect(translated?.blocks["servers"]).toMatchObject({
    tracker: { tools: { exclude: any } },
    notes: { tools: { exclude: [...any, "add"] } },
  });
});

test("long lists and long rules are read in a moment", () => {
  const deny = [`Mcp(${" ".repeat(5_000)}x`, ...Array.from({ length: 20_000 }, (_, i) => `Mcp(tracker, tool${i})`)];
  const files = memoryFiles({
    [CURSOR[0]]: JSON.stringify(CURSOR[1]),
    ".cursor/cli.json": JSON.stringify({ permissions: { deny } }),
  });
  const { user } = process.cpuUsage();
  translate({ file: CURSOR[0] }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(3);
});

test.each<readonly [servers: readonly [string, object], file: string, settings: object | string]>([
  [
    CLAUDE,
    SHARED,
    { permissions: { deny: ["Bash", "Read(./.env)", "mcp__other__drop"], allow: ["mcp__tracker__list"] } },
  ],
  [CLAUDE, SHARED, { permissions: { defaultMode: "plan" }, sandbox: { enabled: true }, model: "m", env: { A: "b" } }],
  [CLAUDE, SHARED, { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [] }] }, enableAllProjectMcpServers: true }],
  ...[
    ..."Bash Edit|Write Notebook.* ^(Write|Edit|MultiEdit)$ (?:Bash) Task|WebFetch mcp__other__.* mcp__other__x".split(
      " ",
    ),
    ..."bash bash|edit Edit:.*|Write Bash.+ ^(Edit:.*|Write)$ edit:.* Write,Edit".split(" "),
    "Edit | Write",
    "Write, Edit",
    "bash, write",
    "Bash(git push:*)",
    "bash(git push:*)",
    "Bash(rm *)|Edit",
    ..."^Drop.* Drop Drop|Edit Web.* Todo.*|Task.* mcp__Tracker__drop".split(" "),
  ].flatMap((matcher) =>
    ["PreToolUse", "PermissionRequest"].map(
      (event) => [CLAUDE, SHARED, { hooks: { [event]: [{ matcher, hooks: [] }] } }] as const,
    ),
  ),
  [CLAUDE, SHARED, { hooks: { PostToolUse: [{ matcher: "mcp__.*", hooks: [] }] } }],
  [CURSOR, ".cursor/hooks.json", { hooks: { preToolUse: [{ command: "x", matcher: "Shell|Write" }], stop: [{}] } }],
  [COPILOT, ".github/copilot/settings.json", { permissions: { deny: ["shell(rm)", "write"], allow: ["tracker"] } }],
  [VSCODE, ".vscode/settings.json", { "chat.tools.terminal.denyList": { rm: true } }],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\ncommandPrefix = "rm"\ndecision = "deny"\n'],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\ntoolName = "*"\ndecision = "allow"\n'],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\nmcpName = "other"\ntoolName = "*"\ndecision = "deny"\n'],
  [CLAUDE, SHARED, { disabledMcpjsonServers: ["other"], enabledMcpjsonServers: ["tracker"] }],
  [CLAUDE, ".claude/agents/dev.md", { tools: "Read, Grep" }],
  [CLAUDE, ".claude/agents/odd.md", '---\ndescription: Use it. Examples: user: "a"\ntools: Read\n---\n'],
  [CLAUDE, ".claude/agents/notes.md", "# No agent\n"],
  [
    CURSOR,
    ".cursor/cli.json",
    { permissions: { deny: ["Shell(rm)", "Mcp(other, drop)"], allow: ["Mcp(tracker, *)"] } },
  ],
  [OPENCODE, ".opencode/opencode.json", { permission: { bash: "ask" }, mcp: { tracker: { enabled: true } } }],
  [OPENCODE, ".opencode/agent/dev.md", { description: "d", tools: { bash: false } }],
  [
    VSCODE,
    ".vscode/settings.json",
    { "rust-analyzer.server.disabled": true, "chat.mcp.access": "all", "editor.tabSize": 2 },
  ],
  [VSCODE, ".vscode/settings.json", { "chat.mcp.discovery.enabled": false, "chat.mcp.assisted.nuget.enabled": false }],
  [GEMINI, ".gemini/settings.json", { ui: { theme: "dark" }, mcp: { allowed: ["tracker"] } }],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\ntoolName = "run_shell_command"\ndecision = "deny"\n'],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\ntoolName = "mcp_other_*"\ndecision = "deny"\n'],
  [GEMINI, ".gemini/policies/a.toml", '[[rule]]\ncommandPrefix = "rm"\ndecision = "deny"\n'],
])("nothing is said of what takes no tool away: %j %s %j", (servers, file, settings) => {
  expect(outcome(servers, { [file]: settings }, "taken")).toBe("silence");
});
