import { afterEach, beforeEach, expect, test } from "vitest";
import { captureProject, tool, type CaptureProject } from "../../support/capture-project.ts";

/** What `rolecall init` makes of MAGSAG's catalog, and of files that it leaves alone. */

let project: CaptureProject;
beforeEach(() => (project = captureProject()));
afterEach(() => project.remove());

const run = async (...argv: string[]) => {
  const { exit, out, err } = await project.run(argv);
  return { exit, out: out.replace(/\s+/g, " "), err: err.replace(/\s+/g, " ") };
};

const AGENT = 'slug: lead\nrequires: { mcp: [docs] }\ndepends_on: { skills: ["magsag://skill.files@>=1.0.0"] }\n';
const SKILL = '---\nid: skill.files\npermissions: ["mcp:docs"]\n---\nReads.\n';
const SERVER = "server_id: docs\ntype: mcp\ncommand: npx\nargs: [-y, acme-docs@1.0.0]\nscopes: [read:docs]\n";

test("skills are found by what stands in front of them, and listed by their folder", async () => {
  project.write("agents/lead/agent.yaml", AGENT);
  project.write("skills/files/SKILL.md", SKILL);
  project.write("skills/quiet/SKILL.md", "---\nid: skill.quiet\n---\nSays nothing of servers.\n");
  project.write(".mcp/servers/docs.yaml", SERVER);
  expect((await run("init", "--yes")).exit).toBe(0);
  expect(project.read("rolecall.yaml")).toContain('\n  - agents/lead/agent.yaml\n  - "skills/**/SKILL.md"\n');
  project.write("mcp/manifests/docs.json", JSON.stringify({ tools: [tool("read")] }));
  const { err } = await run("build");
  expect(err).not.toContain("which no file declares");
  // The server says of no tool that it reads, and a preset can't be corrected in their file.
  project.write(".mcp/servers/docs.yaml", SERVER.replace("scopes: [read:docs]\n", ""));
  expect((await run("build")).err).toContain(
    "help: say with `hints` of `docs` which of its tools only read: `rolecall import FILE` makes a source of the file that declares it",
  );
});

test("a skill of another program beside them is no reason to read it", async () => {
  project.write("agents/lead/agent.yaml", AGENT);
  project.write("skills/files/SKILL.md", SKILL);
  project.write("skills/other/SKILL.md", "---\nname: other\ndescription: Draws.\n---\nDraw.\n");
  expect((await run("init", "--yes")).exit).toBe(0);
  expect(project.read("rolecall.yaml")).toContain("\n  - skills/files/SKILL.md\n");
  expect(project.read("rolecall.yaml")).not.toContain("**");
});

test("an agent whose skill isn't listed is told how", async () => {
  project.write("agent.yaml", AGENT);
  project.write("docs.yaml", SERVER);
  project.write("rolecall.yaml", "version: 1\nproject: harbor\nimports: [agent.yaml, docs.yaml]\n");
  expect((await run("build")).err).toContain(
    "help: list the file that has it under `imports:` too, as skills are by `skills/**/SKILL.md`",
  );
});

test("where nothing can be read, importing is what comes next", async () => {
  project.write(".mcp.json", "{");
  project.write(".vscode/mcp.json", "{");
  const { out } = await run("init", "--yes");
  expect(out).toContain(
    "next: rolecall import .mcp.json, then rolecall import .vscode/mcp.json, then rolecall capture, then rolecall build",
  );
});

test("two files with one role: both are named, and how one is listed", async () => {
  const product = (name: string) =>
    `id: ${name}\nmcp:\n  servers:\n    - { name: ${name}, transport: sse, config: { url: "https://${name}.example/sse" } }\n`;
  project.write(
    "automation.json",
    JSON.stringify({
      enabledTools: { mcp_servers: { tides: { type: "local", command: ["node", "t.mjs"], enabled: true } } },
    }),
  );
  project.write("product/manifest.yaml", product("kit"));
  const { out } = await run("init", "--yes");
  expect(out).toContain(
    "product/manifest.yaml has the role `agent`, as automation.json has: list it under `imports:` as { file: product/manifest.yaml, role: NAME }, or list both",
  );
  project.write("rolecall.yaml", "version: 1\nproject: harbor\nimports: [automation.json, product/manifest.yaml]\n");
  expect((await run("build")).err).toContain("list its file as `{ file: product/manifest.yaml, role: NAME }`");
});

test("the list of what builds write is named with what is written", async () => {
  project.write(".mcp.json", JSON.stringify({ mcpServers: { wiki: { command: "node", args: ["wiki.mjs"] } } }));
  const { out } = await run("init", "--yes");
  expect(out).toContain("+ src/mcp/files.txt");
  const count = Number(/wrote (\d+) files/.exec(out)![1]);
  expect(out.match(/[+~] [\w.]/g)!.length).toBe(count);
  expect(project.read("mcp/mcp.yaml")).toContain("# From .mcp.json, by rolecall.");
});
