import { symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureProject, type CaptureProject, type Ran } from "../support/capture-project.ts";
import { ROOT } from "../support/root.ts";
import { SERVERS } from "../presets/shipped.ts";

/** `rolecall add --force`: presets that changed, with what was changed in the project. */

const FILESYSTEM = SERVERS.get("filesystem")!.text;

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  symlinkSync(path.join(ROOT, "node_modules"), path.join(project.dir, "node_modules"));
});
afterEach(() => project.remove());

function add(words: string): Promise<Ran> {
  return project.run(["add", ...words.split(" ")], { env: { PATH: process.env["PATH"]! } });
}

describe("--force", () => {
  beforeEach(async () => {
    project.write("mcp/a.yaml", "roles: { r: { tools: { filesystem: read-only } } }\n");
    await add("filesystem");
  });
  const mine = () => project.read("mcp/presets/filesystem.yaml");
  /** What rolecall brought some time ago. */
  const before = (text: string) => project.write("mcp/presets/.upstream/filesystem.yaml", text);
  const OLD = FILESYSTEM.replace("timeout: 30s", "timeout: 20s").replace("      - search_files\n", "");

  test("takes over what nobody changed here", async () => {
    before(OLD);
    project.write("mcp/presets/filesystem.yaml", OLD);
    const { exit, out } = await add("filesystem --force");
    expect([exit, mine()]).toEqual([0, FILESYSTEM]);
    expect(out).toContain('server.limits.timeout: "20s" -> "30s"');
    expect(out).toContain('server.scopes["read:files"]: + search_files');
    expect((await add("--force --all")).out).toContain("mcp/presets/filesystem.yaml is up to date");
  });

  test("shows what it means for roles", async () => {
    const older = OLD.replace("server:", "server:\n  tools: { exclude: [read_media_file] }");
    before(older);
    project.write("mcp/presets/filesystem.yaml", older);
    expect((await add("filesystem --force")).out).toContain("roles\n  r: gained read_media_file, search_files");
    expect((await project.run(["build", "--check"])).exit).toBe(0);
    expect(JSON.parse((await add("--force --all --json")).out)).toMatchObject({ refreshed: [{ state: "same" }] });
  });

  test("keeps what was changed here, comments too", async () => {
    before(OLD);
    const edited = OLD.replace("ratePerMinute: 60", "ratePerMinute: 10").replace(
      "      - get_file_info\n",
      "      # not that one\n",
    );
    project.write("mcp/presets/filesystem.yaml", edited);
    const { exit } = await add("--force --all");
    expect(exit).toBe(0);
    expect(mine()).toContain("# not that one");
    expect(mine()).toContain('limits: { ratePerMinute: 10, timeout: "30s" }');
    expect(mine()).toContain("- search_files");
    expect(mine()).not.toContain("- get_file_info");
    expect(project.read("mcp/presets/.upstream/filesystem.yaml")).toBe(FILESYSTEM);
  });

  test("writes nothing of a preset in which both changed the same, and shows it", async () => {
    before(OLD);
    const edited = OLD.replace("timeout: 20s", "timeout: 60s");
    project.write("mcp/presets/filesystem.yaml", edited);
    const { exit, out } = await add("filesystem --force");
    expect([exit, mine()]).toEqual([1, edited]);
    expect(out).toContain('server.limits.timeout: was "20s"; yours "60s"; rolecall\'s "30s"');
    expect(project.read("mcp/presets/.upstream/filesystem.yaml")).toBe(OLD);
  });

  test("doesn't guess where it isn't known what the copy came from", async () => {
    project.write("mcp/presets/.upstream/filesystem.yaml", "");
    project.write("mcp/presets/filesystem.yaml", OLD);
    const { exit, out } = await add("filesystem --force");
    expect([exit, mine()]).toEqual([1, OLD]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("so it isn't known who changed what");
  });
});
