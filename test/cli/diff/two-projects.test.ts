import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** Two projects of one repository to which the same happens: a yes to the one is none to the other. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const filesOf = (folder: string, tools: string): Record<string, string> => ({
  [`${folder}/rolecall.yaml`]: "version: 1\nproject: harbor\ndiff: { approvers: [alice] }\n",
  [`${folder}/mcp/servers.yaml`]: "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
  [`${folder}/mcp/manifests/files.json`]: JSON.stringify({
    server: "files",
    tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  [`${folder}/mcp/roles.yaml`]: `roles: { docs: { tools: { files: ${tools} } } }\n`,
});

let project: GitProject;
const diff = (folder: string, ...args: string[]) => run(["diff", ...args], project.at(folder));
const digestOf = async (folder: string, ...args: string[]): Promise<string> =>
  (await diff(folder, ...args, "--digest")).printed.trim();

beforeEach(() => {
  const root = temporaryFolder();
  folders.push(root);
  project = openGitProject(root);
  project.git("init", "-q", "-b", "main");
  project.write({
    ...filesOf("a", "[read]"),
    ...filesOf("b", "[read]"),
    ".github/CODEOWNERS": "/a/mcp/approved.yaml @alice\n/b/mcp/approved.yaml @alice\n",
  });
  project.commit("start");
  project.git("checkout", "-q", "-b", "work");
  project.write({ ...filesOf("a", "[read, write]"), ...filesOf("b", "[read, write]") });
  project.commit("both");
});

test("a comment for the one", async () => {
  const events = path.join(project.dir, "events.json");
  const comments = [{ by: "alice", body: `rolecall: approve ${await digestOf("a")}`, edited: false }];
  writeFileSync(events, JSON.stringify({ format: 1, authors: ["mallory"], comments, labels: [] }));
  const gate = async (folder: string) => (await diff(folder, "--fail-on", "widens", "--approvals", events)).exit;
  expect([await gate("a"), await gate("b")]).toEqual([0, 2]);
});

test("a line of the one's block, copied to the other", async () => {
  const line = `approved:\n  - { digest: "${await digestOf("a")}", by: alice, reason: Agreed., date: "${new Date().toISOString().slice(0, 10)}" }\n`;
  project.git("checkout", "-q", "main");
  project.write({ "a/mcp/approved.yaml": line, "b/mcp/approved.yaml": line });
  project.commit("yes");
  project.git("checkout", "-q", "work");
  const gate = async (folder: string) => (await diff(folder, "--fail-on", "widens")).exit;
  expect([await gate("a"), await gate("b")]).toEqual([0, 2]);
});

test("whatever it's compared with, the digest is of the project's folder", async () => {
  const before = temporaryFolder();
  folders.push(before);
  project.git("worktree", "add", "-q", path.join(before, "main"), "main");
  expect(await digestOf("a", path.join(before, "main/a"))).toBe(await digestOf("a"));
});

test("where nothing changed there is nothing to say yes to, and one digest", async () => {
  const same = await Promise.all([digestOf("a", "HEAD"), digestOf("b", "HEAD")]);
  expect(new Set(same).size).toBe(1);
});
