import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { newGitProject, temporaryFolder, type Edit } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** Approvals are told where something of the project goes by them, and nowhere else. */

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const top = temporaryFolder();
afterAll(() => rmSync(top, { recursive: true, force: true }));

const roles = (tools: string): string => `roles: { docs: { tools: { files: ${tools} } } }\n`;
const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
  "mcp/manifests/files.json": JSON.stringify({
    server: "files",
    tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "mcp/roles.yaml": roles("[read]"),
};
const APPROVED = `approved:\n  - { digest: "sha256:${"0".repeat(64)}", by: alice, reason: agreed, date: 2026-05-01 }\n`;

let projects = 0;
async function told(before: Edit, after: Edit, ...args: string[]): Promise<string> {
  const project = newGitProject(top, `p${++projects}`, { ...PROJECT, ...before });
  project.commit("base");
  project.write({ "mcp/roles.yaml": roles("[read, write]"), ...after });
  return (await run(["diff", "HEAD", ...args], project.dir)).printed;
}

test.each<[string, Edit, Edit, ...string[]]>([
  ["approvals", { "mcp/approved.yaml": APPROVED }, {}],
  ["approvals elsewhere", { "mcp/old.yaml": APPROVED }, {}],
  ["approvals that the change takes out", { "mcp/approved.yaml": APPROVED }, { "mcp/approved.yaml": undefined }],
  ["a file for them that is empty", { "mcp/approved.yaml": "# nobody said yes yet\n" }, {}],
  ["who approves", { "rolecall.yaml": `${PROJECT["rolecall.yaml"]}diff: { approvers: [eve] }\n` }, {}],
  ["an owner of the file", { ".github/CODEOWNERS": "/mcp/approved.yaml @alice\n" }, {}],
])("with %s", async (_, before, after) => {
  const page = await told(before, after);
  expect(page).toContain("needs an approval");
  expect(page).toContain("to accept it: who owns mcp/approved.yaml adds this digest there");
});

test("with nothing of them", async () => {
  const page = await told({ CODEOWNERS: "* @org/devs\n" }, {});
  expect(page).toMatch(/^access WIDENS/);
  expect(page).not.toMatch(/an approval|accept it/);
});

test("of a page for a pull request, and of a gate", async () => {
  expect(await told({}, {}, "--markdown")).toMatch(/Needs an approval.*How to accept this/s);
  expect(await told({}, {}, "--fail-on", "widens")).toMatch(/refused by --fail-on widens.*to accept it/s);
});
