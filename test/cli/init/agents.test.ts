import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manifest } from "../../support/compiled.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";

/** What stands in hosts' own files under a name of ours stops a build: nobody is led there by `init` or `import`. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

const SERVERS = JSON.stringify({ mcpServers: { files: { command: "node", args: ["files.mjs"] } } });
const READS = manifest({ name: "read", annotations: { readOnlyHint: true } });

async function run(...argv: string[]): Promise<string> {
  const { exit, out, err } = await project.run(argv);
  expect([exit, err.includes("error[")], err).toEqual([0, false]);
  return out.replace(/\s+/g, " ");
}

describe("the first role of init", () => {
  test.each([
    [".claude/agents/reader.md", "reader"],
    [".claude/agents/deep/other.md", "reader"],
  ])("has a name that no agent of a host has: %s", async (file, name) => {
    project.write(file, `---\nname: ${name}\ndescription: reads\n---\nYou read.\n`);
    project.write(".mcp.json", SERVERS);
    expect(await run("init", "--yes")).toContain("first role reader-2: reads, and changes nothing");
    project.write("mcp/manifests/files.json", READS);
    await run("build");
    expect(project.has(".claude/agents/reader-2.md")).toBe(true);
  });
});

describe("import", () => {
  const ROLE = "roles:\n  low: { tools: { files: [read] } }\n";
  const started = (host: string, files: Readonly<Record<string, string>>): void => {
    project.write("rolecall.yaml", `version: 1\nproject: harbor\nhosts: [${host}]\n`);
    project.write("mcp/roles.yaml", ROLE);
    project.write("mcp/manifests/files.json", READS);
    for (const [file, text] of Object.entries(files)) project.write(file, text);
  };

  test.each([".mcp.json", ".github/mcp.json"])(
    "of Copilot's %s: the next build takes its servers out",
    async (file) => {
      started("copilot-cli", { [file]: SERVERS });
      expect(await run("import", file)).toContain(`the next build takes its servers out of ${file}`);
      await run("build");
      expect(project.has(file)).toBe(false);
    },
  );

  test("of a file that builds write nothing into: what a person does first", async () => {
    started("codex", {
      ".codex/config.toml": '[mcp_servers.files]\ncommand = "node"\n[mcp_servers.other]\ncommand = "x"\n',
    });
    expect(await run("import", ".codex/config.toml")).toContain(
      "before you build, take `mcp_servers.files`, `mcp_servers.other` out of .codex/config.toml by hand: Codex would join them with a role's own, and a build stops at that next: rolecall capture",
    );
    expect((await project.run(["build"])).err).toContain("output/joined");
    project.write(".codex/config.toml", "");
    await run("build");
  });

  test("of a host that isn't chosen: nothing to do", async () => {
    started("claude-code", { ".codex/config.toml": '[mcp_servers.files]\ncommand = "node"\n' });
    expect(await run("import", ".codex/config.toml")).not.toContain("by hand");
    await run("build");
  });
});

test("of an agent that has a role's name, what to do with its file", async () => {
  project.write("rolecall.yaml", "version: 1\nproject: harbor\nhosts: [claude-code]\nroles: { low: {} }\n");
  project.write(".claude/agents/other.md", "---\nname: low\n---\nhi\n");
  const { err } = await project.run(["build"]);
  expect(err.replace(/\s+/g, " ")).toContain(
    "help: call that agent otherwise (`name:` in it, or the file where that is its name), or remove the file (what it says can be the role's `prompt`), then build again",
  );
});
