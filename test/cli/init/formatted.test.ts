import { spawnSync } from "node:child_process";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { ROOT } from "../../support/root.ts";

/** What `rolecall init` and builds write passes the formatter that a team checks everything with. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

function unformatted(): string[] {
  const prettier = path.join(ROOT, "node_modules/prettier/bin/prettier.cjs");
  const { stdout, stderr, status } = spawnSync(process.execPath, [prettier, "--list-different", "."], {
    cwd: project.dir,
    encoding: "utf8",
  });
  expect([stderr, status === 0 || status === 1]).toEqual(["", true]);
  return stdout.split("\n").filter((line) => line !== "");
}

const json = (file: string, value: object) => project.write(file, `${JSON.stringify(value, undefined, 2)}\n`);
const long = {
  command: "npx",
  args: ["-y", "@acme/files@1.2.3", "--root", "documents/of/the/team", "--follow-no-links"],
};
const env = { LOG_LEVEL: "warn", NODE_OPTIONS: "--no-deprecation", CACHE_FOLDER: "var/cache/of/the/servers/here" };

test("prettier finds nothing to do in what init and a build wrote", async () => {
  json("package.json", { name: "harbor", type: "module", devDependencies: { prettier: "3.0.0" } });
  json(".mcp.json", { mcpServers: { files: long, "it's": { command: "node", args: ["a.mjs", 'say "hi"'], env } } });
  json(".cursor/mcp.json", { mcpServers: { wiki: { command: "node", args: ["w.mjs"], env } } });
  json(".vscode/mcp.json", { servers: { notes: { type: "stdio", command: "node", args: ["n.mjs"] } } });
  json(".gemini/settings.json", {});
  project.write(".github/agents/README.txt", "");
  expect(unformatted().filter((file) => !file.startsWith("."))).toEqual([]);
  const before = unformatted();
  const started = await project.run(["init", "--yes"], { env: { PATH: process.env["PATH"]! } });
  expect(started.exit, started.err).toBe(0);
  for (const name of ["files", "it-s", "wiki", "notes"])
    json(`mcp/manifests/${name}.json`, {
      format: 1,
      server: name,
      capabilities: { tools: {} },
      tools: [
        { name: "read_one", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
        { name: "list_all", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      ],
    });
  const built = await project.run(["build"]);
  expect(built.exit, built.err).toBe(0);
  expect(
    ["rolecall.yaml", ".cursor/cli.json", ".vscode/mcp.json", "mcp/mcp.yaml"].filter((file) => !project.has(file)),
  ).toEqual([]);
  expect(unformatted().filter((file) => !before.includes(file))).toEqual([]);
});
