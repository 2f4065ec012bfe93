import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";

/** Where a build writes is never a source or another program's file, by whatever name, and the cache changes no answer. */
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-places-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), text);
}

function link(file: string, to: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  symlinkSync(to, path.join(dir, file));
}

function project(settings: string): void {
  put("rolecall.yaml", `version: 1\nproject: places\n${settings}\n`);
  put(
    "mcp/team.yaml",
    "servers: { db: { connect: [{ stdio: [node, db.mjs] }] } }\nroles: { r: { tools: { db: all } } }\n",
  );
  put(
    "mcp/manifests/db.json",
    JSON.stringify({
      format: 1,
      server: "db",
      capabilities: { tools: {} },
      tools: [{ name: "read", inputSchema: { type: "object" } }],
    }),
  );
  put("mcp/extra.json", "{}\n");
  put(".git/config", "[core]\n");
}

/** What three builds say: the first, one with the cache of it, one without. */
async function errors(): Promise<readonly string[]> {
  const said: string[][] = [];
  for (const cache of [true, true, false]) {
    const { diagnostics } = await engine.build(dir, { check: false, cache });
    said.push(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code));
  }
  expect(said[1]).toEqual(said[0]);
  expect(said[2]).toEqual(said[0]);
  return [...new Set(said[0])];
}

const into = (file: string) => `hosts: [{ id: opencode, into: ${JSON.stringify(file)} }]`;

describe("as it is written", () => {
  test.each([
    [into("mcp/extra.json")],
    [into("mcp/manifests/db.json")],
    [into("mcp/presets/opencode.json")],
    [into("MCP/opencode.json")],
    [into("mcp./opencode.json")],
    [into("src/mcp/opencode.json")],
    [into("SRC/mcp/opencode.json")],
    [into(".git/opencode.json")],
    [into(".GIT/opencode.json")],
    [into("a/.git./opencode.json")],
    [into("git~1/opencode.json")],
    [into(".g\u200cit/opencode.json")],
    [into("node_modules/opencode.json")],
    [into("package.json")],
    [into("rolecall.json")],
    ["out: .Git/mcp"],
    ["out: 'git~1/x'"],
    ["out: .vscode"],
    ["out: .claude/agents/gen"],
    ["envExample: .GIT/.env.example"],
    ["envExample: MCP/.env.example"],
    ["envExample: Src/mcp/.env.example"],
    ["hosts: [vscode]\nguards: ['.vscode/*.json']"],
    [`${into("opencode.json")}\nguards: ['open*.json', 'mcp/../x']`],
    ["guards: ['src/**/*.json']"],
  ])("%s", async (settings) => {
    project(settings);
    expect(await errors()).toContain("output/no-place");
    expect(existsSync(path.join(dir, "src/mcp/index.ts"))).toBe(false);
  });

  test("capitals don't hide that output would lie among the sources", async () => {
    project("out: MCP/gen");
    expect(await errors()).toEqual(["output/among-sources"]);
  });

  test.each([
    [into("opencode.json")],
    [into("apps/web/opencode.jsonc")],
    ["envExample: .env.example"],
    ["out: generated/gitlab"],
  ])("%s is fine, with and without the cache", async (settings) => {
    project(settings);
    expect(await errors()).toEqual([]);
  });
});

describe("by a link", () => {
  test.each<readonly [file: string, to: string, settings: string, code: string | readonly string[]]>([
    ["opencode.json", "mcp/extra.json", into("opencode.json"), "output/broken-keys"],
    ["opencode.json", "rolecall.yaml", into("opencode.json"), ["output/broken-keys", "output/joined"]],
    ["opencode.json", ".git/config", into("opencode.json"), ["output/broken-keys", "output/joined"]],
    ["apps", "mcp", into("apps/opencode.json"), "output/broken-keys"],
    [".gemini/settings.json", "../mcp/extra.json", "hosts: [gemini-cli]", "output/broken-keys"],
    [".vscode", ".git", "hosts: [{ id: opencode, into: .vscode/opencode.json }]", "output/broken-keys"],
    [".claude/agents", "../mcp", "hosts: [claude-code]", "output/broken-keys"],
    [".env.example", "mcp/team.yaml", "envExample: .env.example", "output/broken-block"],
    [".env.example", ".git/config", "envExample: .env.example", "output/broken-block"],
    ["gen", "mcp", "out: gen", "output/in-the-way"],
    ["gen", ".git", "out: gen/x", "output/in-the-way"],
    ["mcp/hosts", "../.git", "hosts: [codex]", "output/in-the-way"],
  ])("%s to %s", async (file, to, settings, code) => {
    project(settings);
    link(file, to);
    const before = ["mcp/extra.json", "mcp/team.yaml", "rolecall.yaml", ".git/config"].map((one) =>
      readFileSync(path.join(dir, one), "utf8"),
    );
    expect((await errors()).toSorted()).toEqual([code].flat());
    expect(
      ["mcp/extra.json", "mcp/team.yaml", "rolecall.yaml", ".git/config"].map((one) =>
        readFileSync(path.join(dir, one), "utf8"),
      ),
    ).toEqual(before);
  });

  test("to another file of the user's it is followed, and a linked folder of sources is one", async () => {
    project(into("opencode.json"));
    put("config/opencode.json", "{}\n");
    link("opencode.json", "config/opencode.json");
    expect(await errors()).toEqual([]);
    expect(readFileSync(path.join(dir, "config/opencode.json"), "utf8")).toContain('"agent"');
    rmSync(path.join(dir, "rolecall.yaml"));
    put("rolecall.yaml", "version: 1\nproject: places\nfolder: team\nhosts: [codex]\n");
    link("team", "mcp");
    expect(await errors()).toEqual([]);
  });
});

test.each([
  [true, false],
  [false, true],
  [false, false],
])(
  "after a change of `out` what the last build made goes, with the cache or without: %s, %s",
  async (before, after) => {
    project("out: lib/one");
    await engine.build(dir, { check: false, cache: before });
    project("out: lib/two");
    const { outcome } = await engine.build(dir, { check: false, cache: after });
    expect(outcome!.stale).toContain("lib/one/access.json");
    expect(existsSync(path.join(dir, "lib/one"))).toBe(false);
  },
);
