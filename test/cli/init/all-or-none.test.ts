import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";

/** `rolecall init` writes all of its files or none. */

let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

describe("where one file can't be written, none is", () => {
  const PACKAGE = '{ "name": "harbor" }\n';

  test("since a folder on its way is a link that leads out of the project", async () => {
    const outside = mkdtempSync(path.join(tmpdir(), "rolecall-outside-"));
    try {
      symlinkSync(outside, path.join(project.dir, "servers"));
      project.write("package.json", PACKAGE);
      const { exit, err } = await project.run(["init", "--yes"]);
      expect(exit).toBe(1);
      expect(err).toContain("servers");
      expect(["rolecall.yaml", "mcp/roles.yaml", "mcp/servers.yaml"].filter((file) => project.has(file))).toEqual([]);
      expect(project.read("package.json")).toBe(PACKAGE);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("since a file stands where a folder is to be", async () => {
    project.write("package.json", PACKAGE);
    writeFileSync(path.join(project.dir, "servers"), "not a folder");
    const { exit, err } = await project.run(["init", "--yes"]);
    expect(exit).toBe(1);
    expect(err).toContain("servers/notes.mjs");
    expect(existsSync(path.join(project.dir, "rolecall.yaml"))).toBe(false);
    expect(readFileSync(path.join(project.dir, "package.json"), "utf8")).toBe(PACKAGE);
  });
});

test("an empty folder gets a first role that reads, and a server that is captured", async () => {
  mkdirSync(path.join(project.dir, "first"));
  const { exit, err } = await project.run(["init", "--yes"], { cwd: "first", env: { PATH: process.env["PATH"]! } });
  expect([exit, err]).toEqual([0, ""]);
  expect(project.has("first/mcp/manifests/notes.json")).toBe(true);
});
