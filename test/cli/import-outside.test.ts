import { afterEach, beforeEach, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** A file that lies above the project: settings of its own folder take away what they do there. */
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("app/rolecall.yaml", "version: 1\nproject: app\nhosts: [claude-code, opencode]\n");
  project.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { tracker: { command: "tracker" }, old: { command: "old" } } }),
  );
  project.write(
    ".claude/settings.json",
    JSON.stringify({ disabledMcpjsonServers: ["old"], permissions: { deny: ["mcp__tracker__drop"] } }),
  );
});
afterEach(() => project.remove());

const HELD = "exclude: [drop]";
const isHeld = () => {
  const source = project.read("app/mcp/mcp.yaml");
  return [source.includes(HELD), source.includes("enabled: false")];
};

test.each([
  ["from the project", ["import", "../.mcp.json"], "app"],
  ["from above", ["import", ".mcp.json", "--project", "app"], "."],
  ["from elsewhere", ["import", "../.mcp.json", "--project", "../app"], ".claude"],
])("%s", async (_, command, cwd) => {
  const { exit, out } = await project.run(command, { cwd });
  expect(exit).toBe(0);
  expect(isHeld()).toEqual([true, true]);
  expect(out).toContain("permissions.deny of ../.claude/settings.json");
  expect(project.read("app/mcp/mcp.yaml")).toContain("# From ../.mcp.json");
});

test("by its whole path", async () => {
  const { exit } = await project.run(["import", `${project.dir}/.mcp.json`], { cwd: "app" });
  expect([exit, ...isHeld()]).toEqual([0, true, true]);
});

test("what the project has of the same name is another file", async () => {
  project.write("app/.mcp.json", JSON.stringify({ mcpServers: { mine: { command: "mine" } } }));
  project.write("app/rolecall.yaml", "version: 1\nproject: app\nhosts: [claude-code]\nimports: [.mcp.json]\n");
  const { exit } = await project.run(["import", ".mcp.json", "--project", "app"]);
  expect([exit, ...isHeld()]).toEqual([0, true, true]);
  expect(project.read("app/rolecall.yaml")).toContain("imports: [.mcp.json]");
  expect(project.has("app/src/mcp/files.txt")).toBe(false);
});

test("no build writes there, so nothing of it is noted as a build's", async () => {
  project.write("opencode.json", JSON.stringify({ mcp: { tracker: { type: "local", command: ["tracker"] } } }));
  const { exit, out } = await project.run(["import", "../opencode.json"], { cwd: "app" });
  expect(exit).toBe(0);
  expect(out).not.toContain("the next build");
  expect(project.has("app/src/mcp/files.txt")).toBe(false);
});

test("Gemini CLI's, with its policies", async () => {
  project.write(".gemini/settings.json", JSON.stringify({ mcpServers: { tides: { command: "tides" } } }));
  project.write(".gemini/policies/a.toml", '[[rule]]\nmcpName = "tides"\ndecision = "deny"\n');
  const { exit, err } = await project.run(["import", "../.gemini/settings.json"], { cwd: "app" });
  expect(exit).toBe(0);
  expect(err).toContain("../.gemini/policies/a.toml");
});

test("a build that reads it warns of what the team's settings there take away", async () => {
  project.write(
    "app/rolecall.yaml",
    "version: 1\nproject: app\nimports: [../.mcp.json]\nroles: { dev: { tools: { tracker: all } } }\n",
  );
  project.write(
    "app/mcp/manifests/tracker.json",
    JSON.stringify({ tools: ["list", "drop"].map((name) => ({ name, inputSchema: { type: "object" } })) }),
  );
  const { err } = await project.run(["build"], { cwd: "app" });
  expect(err).toContain("import/taken-beside");
});
