import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCandidates } from "../../../compiler/io/read/find-candidates.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";

/** What `rolecall init` finds of other systems, wherever it lies. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

const json = (file: string, value: object) => project.write(file, JSON.stringify(value));
const SERVER = "server_id: notes\ntype: mcp\ncommand: node\nargs: [servers/notes.mjs]\n";
const agent = (name: string) => `slug: ${name}\nname: ${name}\nrequires:\n  mcp: [notes]\n`;

interface Found {
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly byHand: readonly string[];
}

async function init(): Promise<Found> {
  const { exit, out, err } = await project.run(["init", "--yes", "--json"], { env: { PATH: process.env["PATH"]! } });
  expect([exit, err]).toEqual([0, ""]);
  return JSON.parse(out) as Found;
}

const imported = () => [...project.read("rolecall.yaml").matchAll(/^ {2}- (?!.*#)(.*)$/gm)].map(([, file]) => file);

describe("files of other systems", () => {
  test("are known by their keys, in any folder", async () => {
    project.write("servers/notes.yaml", SERVER);
    project.write("agents/writer.yaml", agent("writer"));
    project.write("catalog/team/a/reader.yaml", agent("reader"));
    json("config/prebuild.json", {
      mcp_servers: { browser: { type: "local", command: ["node", "b.mjs"], enabled: true } },
    });
    const { found } = await init();
    expect(imported()).toEqual([
      "agents/writer.yaml",
      "catalog/team/a/reader.yaml",
      "config/prebuild.json",
      "servers/notes.yaml",
    ]);
    expect(found["reads"]!.join("\n")).toContain("agents/writer.yaml");
    expect(found["not looked at"]).toEqual([]);
    const { err } = await project.run(["build"]);
    expect(err.match(/error\[[^\]]+\]/g)).toEqual(expect.arrayContaining(["error[manifest/needed]"]));
    expect(err).not.toContain("error[import/");
  });

  test("aren't settings of a program that say nothing of servers; a slip in them does", async () => {
    json(".gemini/settings.json", { theme: "dark", ui: { hideTips: true } });
    json("opencode.json", { $schema: "https://opencode.ai/config.json", theme: "dark" });
    project.write(".codex/config.toml", 'model = "gpt-5"\napproval_policy = "on-request"\n');
    expect((await init()).byHand).toEqual([]);
  });

  test.each([
    { mcpServer: { notes: { command: "node" } } },
    { mcp: { excluded: ["notes"] } },
    { tools: { exclude: ["drop"] } },
    { policyPaths: ["p"], security: { blockedMcpServers: ["notes"] } },
  ])("are settings that do: %j", async (settings) => {
    json(".gemini/settings.json", settings);
    expect((await init()).byHand.join()).toContain(".gemini/settings.json is left alone");
  });

  test.each([
    [".windsurf/mcp_config.json", { disabledTools: ["drop"], alwaysAllow: ["list"] }, "`alwaysAllow`"],
    [".roo/mcp.json", { disabledTools: ["drop"], watchPaths: ["."] }, "could be read as"],
  ])("are told where a program's servers can't be taken as they are: %s", async (file, entry, why) => {
    json(file, { mcpServers: { notes: { command: "node", ...entry } } });
    const [line] = (await init()).byHand;
    expect(line).toContain(`${file} is left alone: `);
    expect(line).toContain(why);
  });

  test("aren't what only looks like one: pages with a slug, other programs' settings", async () => {
    project.write("content/page.yaml", "slug: about\nname: About the mcp server\n");
    json("content/list.json", [{ name: "mcp", server: 1 }]);
    json("deploy/api.json", { openapi: "3.1.0", servers: [{ url: "https://example.com" }] });
    json("packages/app/tsconfig.json", { compilerOptions: { plugins: [{ transport: "mcp" }] } });
    await init();
    expect(project.read("rolecall.yaml")).not.toContain("imports:");
    expect(project.has("servers/notes.mjs")).toBe(true);
  });

  test("aren't sought in what git ignores, what is built, and another project's folder", async () => {
    execFileSync("git", ["init", "-q", project.dir]);
    project.write(".gitignore", "local/\n");
    for (const folder of ["local", "node_modules/a", "dist", "sub/dist", "vendor", ".cache/a/b", "other"])
      project.write(`${folder}/notes.yaml`, SERVER);
    project.write("other/rolecall.yaml", "version: 1\nproject: other\n");
    project.write("kept/notes.yaml", SERVER);
    await init();
    expect(imported()).toEqual(["kept/notes.yaml"]);
  });

  test.skipIf(process.platform === "win32")(
    "with a name that a shell would run are named as one word of it",
    async () => {
      const held = { mcpServers: { b: { command: "node", env: { API_TOKEN: "abcd1234efgh5678" } } } };
      json("a&touch PWN&.json", held);
      json("b`touch PWN`.json", { mcpServers: { c: { command: "node", args: ["--token=abcd1234efgh5678"] } } });
      const { out } = await project.run(["init", "--yes"], { env: { PATH: process.env["PATH"]! } });
      const commands = [...out.replaceAll(/\n +/g, " ").matchAll(/rolecall import (\S+ \S+\.json\S*)/g)];
      expect(commands.map(([, word]) => word)).toEqual(
        expect.arrayContaining(["'a&touch PWN&.json'", "'b`touch PWN`.json'"]),
      );
      expect(commands.every(([, word]) => /^'[^']+'/.test(word!))).toBe(true);
    },
  );

  test("that lie where sources of rolecall's are to lie are left to a person", async () => {
    project.write("mcp/notes.yaml", SERVER);
    const { byHand } = await init();
    expect(byHand).toContain(
      "mcp/notes.yaml is left alone: mcp/ is for sources of rolecall's: move it away, then rolecall import it",
    );
  });

  test.each([
    "[a].json",
    "{b}.json",
    "a b: c.json",
    "#d.json",
    "!e.json",
    "'f'.json",
    "(g|h).json",
    "- i.json",
    "+(j).json",
  ])("are read by exactly their names: %s", async (name) => {
    json(`config/${name}`, {
      id: "app",
      mcp: { servers: { notes: { transport: "stdio", config: { command: "node", args: ["n.mjs"] } } } },
    });
    const { found } = await init();
    expect(found["reads"]).toHaveLength(1);
    const { err } = await project.run(["build"]);
    expect(err).not.toMatch(/import\/missing|source\//);
    expect(err).toContain(`config/${name}:1:39`);
  });

  test("whose name would be a pattern are left to a person", async () => {
    project.write("servers/a?.yaml", SERVER);
    const { byHand } = await init();
    expect(byHand.join()).toContain(
      "servers/a?.yaml is left alone: where files are listed, its name would be a pattern",
    );
    expect((await project.run(["import", "servers/a?.yaml"])).exit).toBe(0);
  });
});

describe("the walk", () => {
  const small = { depth: 1, entries: 100, files: 2, bytes: 1024 };

  test("takes what is near first, and says what it leaves", () => {
    for (const file of ["z.json", "a/b.json", "a/c.yaml", "a/b/d.json", "test/e.json", "docs/f.json"])
      project.write(file, "{}");
    project.write("a/a.json", JSON.stringify("too large".repeat(200)));
    expect(findCandidates(project.dir, { ...small, files: 3 })).toEqual({
      files: ["z.json", "a/b.json"],
      passedBy: [
        "docs, test: tests, examples and pages",
        "a/b: deeper than 1 folders",
        "a/a.json: larger than 1 KB",
        "1 more files, behind the first 3",
      ],
    });
    expect(findCandidates(project.dir, { ...small, entries: 2 }).passedBy).toContain(
      "what lies behind the first 2 files and folders",
    );
  });

  test("follows no link, and ends", () => {
    const outside = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-outside-")));
    try {
      writeFileSync(path.join(outside, "a.json"), "{}");
      symlinkSync(outside, path.join(project.dir, "out-there"));
      symlinkSync(project.dir, path.join(project.dir, "again"));
      mkdirSync(path.join(project.dir, "in"));
      expect(findCandidates(project.dir).files).toEqual([]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});
