import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digestOfBytes } from "../../../compiler/io/bytes.ts";
import { isAsAt } from "../../../compiler/io/read/git.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";

/** What is known of a file's bytes isn't worked out again, and nothing is known of bytes that weren't those. */

const TEXT = "roles: {}\n";
const content = digestOfBytes(Buffer.from(TEXT));
const asGit = createHash("sha1").update(`blob ${TEXT.length}\0${TEXT}`).digest("hex");

let project: GitProject;
beforeAll(() => {
  project = openGitProject(temporaryFolder());
  project.git("init", "-q", "-b", "main");
  project.write({ "mcp/roles.yaml": TEXT });
  project.commit("one");
});
afterAll(() => rmSync(project.dir, { recursive: true, force: true }));

function ask(inputs: Readonly<Record<string, string>>, known: Readonly<Record<string, string>> = {}) {
  const told: [string, string][] = [];
  const memory = { recall: (key: string) => known[key], remember: (...pair: [string, string]) => void told.push(pair) };
  return { is: isAsAt(project.dir, "HEAD", new Map(Object.entries(inputs)), memory), told };
}

test("what was read is known from then on", () => {
  expect(ask({ "mcp/roles.yaml": content })).toEqual({ is: true, told: [[content, asGit]] });
  expect(ask({ "mcp/roles.yaml": content }, { [content]: asGit })).toEqual({ is: true, told: [] });
});

test("what is known is taken for what it is of, and the file isn't read", () => {
  expect(ask({ "mcp/roles.yaml": "sha256:other" }, { "sha256:other": asGit }).is).toBe(true);
  expect(ask({ "mcp/roles.yaml": content }, { [content]: "another" })).toEqual({ is: true, told: [[content, asGit]] });
});

test("a file that became another since the look at it is not known by what it was", () => {
  expect(ask({ "mcp/roles.yaml": "sha256:before" })).toEqual({ is: true, told: [] });
});

test("another file than the commit has is another, whatever is known", () => {
  project.write({ "mcp/roles.yaml": "roles: { docs: {} }\n" });
  expect(ask({ "mcp/roles.yaml": content }, { [content]: "another" }).is).toBe(false);
  project.write({ "mcp/roles.yaml": TEXT });
  expect(ask({ "mcp/roles.yaml": content, "mcp/more.yaml": content }, { [content]: asGit }).is).toBe(false);
});
