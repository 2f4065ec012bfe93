import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { manifest } from "../../support/compiled.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What a rule says is told with all that it is about. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": manifest("a_look", "b_touch", "c_burn"),
    "mcp/roles.yaml": "roles:\n  docs: { tools: { files: [a_look] } }\n",
  });
});

const said = async (was: string, is: string): Promise<string> => {
  project.write({ "mcp/rules.yaml": was });
  project.commit("rule");
  project.write({ "mcp/rules.yaml": is });
  return (await run(["diff", "HEAD"], project.dir)).printed.replace(/\n +(?![-+~] )/g, " ");
};
const policy = (more: string): string => `policies: [{ name: some, roles: [docs], effect: deny, ${more} }]\n`;

test("addresses that can't be read", async () => {
  const page = await said(policy('resources: ["files:a://**"]'), policy('resources: ["files:a://b/**"]'));
  expect(page).toContain(
    "before: it denied reading files:a://** to docs now: it denies reading files:a://b/** to docs",
  );
  const both = await said(policy("tools: [files.c_burn]"), policy('tools: [files.c_burn], resources: ["files:a://x"]'));
  expect(both).toContain("now: it denies files.c_burn, and reading files:a://x to docs");
});

test("more names than its sentence holds", async () => {
  const tools = (last: string): string =>
    policy(`tools: [${[...Array(13).keys(), last].map((i) => `{ optional: files.x${i} }`).join(", ")}]`);
  const page = await said(tools("y"), tools("z"));
  expect(page).toContain("it names files.xy no more it names files.xz now");
});

test("whether tools that need a yes count", async () => {
  const never = (asked: string): string =>
    `invariants: [{ name: no, never: { roles: [docs], together: [files.c_burn, files.b_touch]${asked} } }]\n`;
  const page = await said(never(""), never(", asked: ignore"));
  expect(page).toContain("docs can't hold files.c_burn, files.b_touch together now: it checks");
  expect(page).toContain("together without a yes");
});
