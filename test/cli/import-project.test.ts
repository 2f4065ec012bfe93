import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { allFormats } from "../../compiler/1-source/formats/all-formats.ts";
import { importFile } from "../../compiler/cli/import/command.ts";
import { manifest } from "../support/compiled.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** `import` beside a project that isn't right, with flags that mean nothing, and what it writes for a person to read. */
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  project.write(".mcp.json", JSON.stringify({ mcpServers: { wiki: { command: "wiki" } } }));
});
afterEach(() => project.remove());

describe("a project with errors", () => {
  test.each([
    ["mcp/a.yaml", "servers: {\n"],
    ["mcp/a.yaml", "servers: { files: { connect: [{ stdio: [files] }] } }\nroles: { dev: { tols: { files: all } } }\n"],
    ["rolecall.yaml", "version: 1\nproject: harbor\nhosts: [no-such-host]\n"],
    ["rolecall.yaml", "version: 1\nproject: harbor\nimports: [missing.json]\n"],
    ["rolecall.yaml", "version: 1\nproject: [\n"],
    ["rolecall.yaml", "version: 7\nproject: harbor\n"],
  ])("stops, and is told: %s %j", async (file, text) => {
    project.write(file, text);
    const { exit, out, err } = await project.run(["import", ".mcp.json"]);
    expect([exit, out, project.has("mcp/mcp.yaml")]).toEqual([1, "", false]);
    expect(err).toContain(`  ${file}:`);
    expect(err).toContain("nothing was written: mend what is wrong in the project first");
    const json = await project.run(["import", ".mcp.json", "--json"]);
    expect([json.exit, JSON.parse(json.out)]).toMatchObject([1, { diagnostics: [{ severity: "error" }] }]);
  });

  test.each([
    ["that the file mends", "roles: { dev: { tools: { wiki: all } } }\n"],
    ["that the next import may mend", "roles: { dev: { tools: { tides: all } } }\n"],
    ["that the import of a skill may mend", "roles: { dev: { extends: [skill-triage] } }\n"],
    [
      "that a capture mends",
      'servers: { files: { connect: [{ stdio: [files] }] } }\nroles: { dev: { tools: { files: ["*"] } } }\n',
    ],
  ])("goes on %s", async (_, text) => {
    project.write("mcp/a.yaml", text);
    expect((await project.run(["build"])).exit).toBe(1);
    const { exit, err } = await project.run(["import", ".mcp.json"]);
    expect([exit, err]).toEqual([0, ""]);
  });

  test("goes on where the file's own entry is what is wrong", async () => {
    project.write("tools.json", '{"mcpServers":{"wiki":{"command":"w","args":["${A}"],"tools":["x"]}}}');
    project.write("rolecall.yaml", "version: 1\nproject: harbor\nimports: [{ file: tools.json, as: vscode }]\n");
    const { exit } = await project.run(["import", "tools.json", "--as", "copilot"]);
    expect(exit).toBe(0);
  });
});

describe("--rename", () => {
  const lists = { mcpServers: { wiki: { command: "wiki", includeTools: ["read"], excludeTools: ["drop_page"] } } };
  beforeEach(() => project.write("g.json", JSON.stringify(lists)));
  test("of a tool that the file doesn't name is told", async () => {
    const { exit, err } = await project.run(["import", "g.json", "--rename", "drop_page=delete-page,raed=get"]);
    expect([exit, project.has("mcp/g.yaml")]).toEqual([64, false]);
    expect(err).toContain("`raed`");
    expect(err).toContain("did you mean `read`?");
  });
  test("of a name as a host shows it", async () => {
    project.write(".claude/settings.json", JSON.stringify({ permissions: { deny: ["mcp__wiki__drop_page"] } }));
    const { exit } = await project.run(["import", ".mcp.json", "--rename", "drop_page=drop-page"]);
    expect(exit).toBe(0);
    expect(project.read("mcp/mcp.yaml")).toContain("exclude: [drop-page]");
  });
});

test("the help has each word that --as takes", () => {
  for (const { id } of allFormats) expect(importFile.help).toMatch(new RegExp(`\\b${id}\\b`));
});

describe("a pattern in a source that is written", () => {
  const NOTE =
    "# `?` in a tool's name is any one letter, since programs show some as `_`; write the name, once it is known.\n";
  const deny = (rule: string) =>
    project.write(".claude/settings.json", JSON.stringify({ permissions: { deny: [rule] } }));
  test("is explained", async () => {
    deny("mcp__wiki__drop_page");
    await project.run(["import", ".mcp.json"]);
    expect(project.read("mcp/mcp.yaml")).toContain(NOTE);
  });
  test("by init too", async () => {
    deny("mcp__wiki__drop_page");
    const other = captureProject();
    other.write(".mcp.json", project.read(".mcp.json"));
    other.write(".claude/settings.json", project.read(".claude/settings.json"));
    await other.run(["init", "--yes"]);
    expect(other.read("mcp/mcp.yaml")).toContain(NOTE);
    other.remove();
  });
  test("where there is one", async () => {
    deny("mcp__wiki__drop");
    await project.run(["import", ".mcp.json"]);
    expect(project.read("mcp/mcp.yaml")).not.toContain("?");
  });
  test("where the tool is known, its name stands there", async () => {
    deny("mcp__wiki__drop_page");
    project.write("mcp/manifests/wiki.json", manifest("drop.page"));
    await project.run(["import", ".mcp.json"]);
    expect(project.read("mcp/mcp.yaml")).toContain("exclude: [drop.page]");
    expect(project.read("mcp/mcp.yaml")).not.toContain("?");
  });
});
