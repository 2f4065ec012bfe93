import { describe, expect, test } from "vitest";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { BUILT_IN } from "../../../compiler/5-artifacts/hosts/claude-tools.ts";
import { compile } from "../../../compiler/compile.ts";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { readResources } from "../../../compiler/io/read/resources.ts";
import { textOf } from "../../support/artifact-text.ts";
import { HOSTS } from "../../hosts/hosts.ts";

/** What hosts bring of their own: the data, what is said of it, and what becomes of names under `builtins`. */
const hosts = allHosts(readResources().hosts);

const MANIFEST = JSON.stringify({
  format: 1,
  server: "notes",
  capabilities: { tools: {} },
  tools: ["look", "find"].map((name) => ({
    name,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: { readOnlyHint: true },
  })),
});

function compiled(chosen: string, roles: string, servers = "{ stdio: [notes] }") {
  const {
    diagnostics,
    artifacts,
    hosts: fitted,
  } = compile(
    memoryFiles({
      "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${chosen}]\n`,
      "mcp/team.yaml": `servers: { notes: { connect: [${servers}] } }\nroles: ${roles}\n`,
      "mcp/manifests/notes.json": MANIFEST,
    }),
    hosts,
    lazyLibraries(),
  );
  return { diagnostics, fitted, artifacts: new Map(Array.from(artifacts, (one) => [one.path, textOf(one)])) };
}

const remarksOf = (code: string, found: ReturnType<typeof compiled>) =>
  found.diagnostics
    .filter((one) => one.code === code)
    .flatMap(({ host }) => host!.remarks.map((one) => [host!.id, ...one.roles, one.names.join(" "), one.says]));
const errorsOf = ({ diagnostics }: ReturnType<typeof compiled>) =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code, help }) => `${code}: ${help}`);

describe("the data", () => {
  test.each(HOSTS.map((host) => [host.id, host] as const))(
    "%s: what the real host was seen to bring is in it",
    (id, real) => {
      const own = hosts.find((host) => host.id === (real.installedAs ?? id))!.ownTools!;
      expect([...(real.ownTools ?? [])].filter((name) => !own.tools.has(name))).toEqual([]);
      expect(own.seenIn).toContain(Object.values(real.packages)[0]!.replace(/^0\.3\./, "2.1."));
    },
  );

  test("every host that has some has one that runs commands, and none stands there twice", () => {
    for (const { id, isData, gateway, ownTools } of hosts) {
      const isUnknown = isData === true || gateway === "must";
      if (ownTools === undefined) expect(isUnknown || ["adk", "ai-sdk", "openai-agents"].includes(id)).toBe(true);
      else expect([...ownTools.tools.values()]).toContain("runs");
    }
  });

  test("what hands work on or reads resources isn't given to a role that governs nothing", () => {
    const own = hosts.find(({ id }) => id === "claude-code")!.ownTools!;
    expect(BUILT_IN.filter((name) => /hands|resources/.test(own.tools.get(name)!))).toEqual([]);
    expect(BUILT_IN).toContain("Bash");
    expect(BUILT_IN).not.toContain("Agent");
  });
});

describe("roles that say nothing of a host's own tools", () => {
  test("are named once a host, with what can do harm; what an ancestor says counts", () => {
    const found = compiled(
      "claude-code, ai-sdk, codex",
      "{ a: { tools: { notes: all }, builtins: { claude-code: [Read] } }, b: { extends: a }, c: { tools: { notes: all } }, d: { tools: { notes: all }, builtins: { claude-code: all, codex: all } }, e: { tools: { notes: all }, builtins: { claude-code: none } } }",
    );
    expect(remarksOf("role/builtins-open", found)).toEqual([
      ["claude-code", "c", "Bash PowerShell Monitor Skill", "run commands"],
      ["claude-code", "c", "Write Edit NotebookEdit EnterWorktree ExitWorktree", "write files"],
      ["claude-code", "c", "WebFetch WebSearch", "reach out"],
      ["codex", "a", "b", "c", "e", "exec_command write_stdin", "run commands"],
      ["codex", "a", "b", "c", "e", "apply_patch", "write files"],
      ["codex", "a", "b", "c", "e", "web_search", "reach out"],
    ]);
  });
});

describe("a name that the host lacks", () => {
  const said = (builtins: string, chosen = "claude-code") =>
    errorsOf(compiled(chosen, `{ a: { tools: { notes: all }, builtins: { ${builtins} } } }`));

  test.each([
    ["claude-code: [Raed]", /did you mean `Read`/],
    ["claude-code: [read]", /did you mean `Read`/],
    ["opencode: [write]", /holds it under `edit`/],
    ["vscode: [serach]", /did you mean `search`/],
  ])("%s is an error, whether the host is chosen or not", (builtins, help) => {
    expect(said(builtins)).toEqual([expect.stringMatching(help)]);
    expect(said(builtins, "codex")).toEqual([expect.stringMatching(help)]);
  });

  test("is taken where it is said that only another version has it, and nothing closed is", () => {
    expect(said("claude-code: [{ optional: Telepathy }]")).toEqual([]);
    expect(said("claude-code: [{ optional: Agent }]")).toEqual([expect.stringMatching(/^host\/no-builtin/)]);
    expect(said("claude-code: [{ optional: mcp__notes__look }]")).toEqual([expect.stringMatching(/^host\/no-builtin/)]);
    expect(said('claude-code: [{ optional: "Bash(*)" }]')).toEqual([expect.stringMatching(/^role\/bad-builtin/)]);
    const { artifacts } = compiled(
      "claude-code",
      "{ a: { tools: { notes: [look] }, builtins: { claude-code: [{ optional: Telepathy }, Read] } } }",
    );
    expect(artifacts.get(".claude/agents/a.md")).toContain('"Read","Telepathy","mcp__notes__look"');
  });
});

describe("what the project chose", () => {
  const where =
    "{ a: { tools: { notes: { include: [look, find], where: { look: { path: { enum: [x] } } } } }, builtins: { claude-code: none, opencode: none } } }";

  test("`leave-out` written out isn't warned of, and the default is", () => {
    expect(remarksOf("host/left-out", compiled("claude-code", where))).toHaveLength(1);
    const quiet = compiled("{ id: claude-code, whenUnenforceable: leave-out }", where);
    expect(quiet.diagnostics).toEqual([]);
    expect(quiet.fitted[0]!.roles[0]!.leftOut).toHaveLength(1);
  });

  test("`without` keeps a server from that host alone, and isn't warned of", () => {
    const all = "{ a: { tools: { notes: all }, builtins: { claude-code: none, opencode: none } } }";
    const found = compiled(
      "claude-code, { id: opencode, without: [notes] }, { id: mcp-servers, without: [notes] }",
      all,
    );
    expect(found.diagnostics).toEqual([]);
    expect(found.fitted.map(({ host, roles }) => [host.id, roles[0]!.servers.length])).toEqual([
      ["claude-code", 1],
      ["mcp-servers", 0],
      ["opencode", 0],
    ]);
    expect([...found.artifacts.keys()]).not.toContain(".mcp/servers/notes.json");
    expect([...compiled("mcp-servers", all).artifacts.keys()]).toContain(".mcp/servers/notes.json");
    expect(found.artifacts.get("mcp/hosts/opencode/a.json")).not.toContain("notes");
  });

  test("`error` still stops at a connection, with the entry to write", () => {
    const servers = '{ stdio: [notes], env: { LEVEL: "${LEVEL:-warn}" } }';
    const all = "{ a: { tools: { notes: all }, builtins: { opencode: none } }, b: { extends: a } }";
    const found = compiled("{ id: opencode, whenUnenforceable: error }", all, servers);
    expect(errorsOf(found)).toEqual([
      "host/cannot-enforce: as the host's entry under `hosts` write `{ id: opencode, whenUnenforceable: error, assume: { LEVEL: unset } }`",
    ]);
  });
});

describe("a default that the host can't spell", () => {
  const servers = '{ stdio: [notes], env: { LEVEL: "${LEVEL:-warn}", SIZE: "${SIZE:+big}" } }';
  const all = "{ a: { tools: { notes: all }, builtins: { opencode: none } } }";
  const environment = (assume: string) => {
    const found = compiled(`{ id: opencode${assume} }`, all, servers);
    const file = JSON.parse(found.artifacts.get("mcp/hosts/opencode/a.json")!) as {
      mcp: Record<string, { environment?: unknown }>;
    };
    return file.mcp["notes"]?.environment;
  };

  test("keeps the server away, and what the help says brings it back", () => {
    expect(environment("")).toBeUndefined();
    const found = compiled("opencode", all, servers);
    const next = found.diagnostics.find(({ code }) => code === "host/cannot-spell")!.host!.next!;
    expect(next).toBe("{ id: opencode, assume: { LEVEL: unset } }");
    expect(compiled(next, all, servers).fitted[0]!.roles[0]!.leftOut).toEqual([]);
  });

  test("is settled either way", () => {
    expect(environment(", assume: { LEVEL: unset }")).toEqual({ LEVEL: "warn" });
    expect(environment(", assume: { LEVEL: set, SIZE: set }")).toEqual({ LEVEL: "{env:LEVEL}", SIZE: "big" });
  });

  test("a `:+` that counts as unset is said, unless the project wrote so", () => {
    expect(
      remarksOf("host/counts-as-unset", compiled("{ id: opencode, assume: { LEVEL: set } }", all, servers)),
    ).toEqual([["opencode", "notes", "without variable `SIZE`: `SIZE` counts as unset"]]);
    const said = compiled("{ id: opencode, assume: { LEVEL: set, SIZE: unset } }", all, servers);
    expect(said.diagnostics).toEqual([]);
  });
});
