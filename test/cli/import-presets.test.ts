import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";
import { SERVERS } from "../presets/shipped.ts";

/** `rolecall import` copies the preset that a file's scopes, or the file itself, speak of. */

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  project.write(
    "servers/hub.yaml",
    'server_id: hub\ntype: mcp\ncommand: npx\nargs: [-y, "@modelcontextprotocol/server-github@2025.4.8"]\nscopes: [read:issues]\n',
  );
});
afterEach(() => project.remove());
const GITHUB = SERVERS.get("github")!.text;
const COPY = "mcp/presets/github.yaml";
const BASE = "mcp/presets/.upstream/github.yaml";

test("with what it came from, and a build then knows the scopes", async () => {
  const { exit, out } = await project.run(["import", "servers/hub.yaml"]);
  expect(exit).toBe(0);
  expect(out).toContain(
    "copied mcp/presets/github.yaml\nthe preset `github` says which tools the scopes of hub cover\n",
  );
  expect([project.read(COPY), project.read(BASE)]).toEqual([GITHUB, GITHUB]);
  expect(project.read("mcp/hub.yaml")).toContain("  hub:\n    preset: github\n");
  const tools = ["list_issues", "search_issues", "create_issue", "list_commits", "get_file_contents"];
  const others = [...GITHUB.matchAll(/^ {6}- (\w+)$/gm)].map(([, name]) => name!);
  project.write(
    "mcp/manifests/hub.json",
    JSON.stringify({
      tools: [...new Set([...tools, ...others])].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
  );
  project.write("mcp/roles.yaml", "roles:\n  reader: { tools: { hub: all } }\n");
  const held = JSON.parse((await project.run(["explain", "hub.list_commits", "--json"])).out) as object;
  expect(JSON.stringify(held)).not.toContain('"effect":"allow"');
  const { exit: built, err } = await project.run(["build"]);
  expect([built, err.includes("error[")]).toEqual([0, false]);
});

test("and leaves one that is there", async () => {
  const mine = GITHUB.replace(/^version: .*$/m, 'version: "9"');
  project.write(COPY, mine);
  const { exit, out } = await project.run(["import", "servers/hub.yaml", "--json"]);
  expect(exit).toBe(0);
  expect(JSON.parse(out).presets).toEqual({ used: [{ server: "hub", preset: "github" }], copied: [] });
  expect(project.read(COPY)).toBe(mine);
  expect(project.has(BASE)).toBe(false);
});

test("and writes nothing at all where one file can't be written", async () => {
  mkdirSync(path.join(project.dir, "mcp"));
  writeFileSync(path.join(project.dir, "mcp/presets"), "not a folder");
  const { exit } = await project.run(["import", "servers/hub.yaml"]);
  expect(exit).toBe(1);
  expect(existsSync(path.join(project.dir, "mcp/hub.yaml"))).toBe(false);
});
