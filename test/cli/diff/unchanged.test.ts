import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** After a build with nothing changed git alone says that nothing did: never where something did. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

let compiled = 0;
const counting = { ...engine, compile: (dir: string) => (compiled++, engine.compile(dir)) };
const run = runInProcess((argv, terminal) => main(argv, terminal, counting));

const roles = (tools: string): string => `roles: { docs: { tools: { files: ${tools} } } }\n`;
let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    ".gitignore": "src\n.rolecall\nlocal.yaml\n",
    "rolecall.yaml": "version: 1\nproject: harbor\nguards: [guards/*.yaml]\n",
    "guards/a.yaml": "policies: [{ name: a, roles: ['*'], tools: [files.write], effect: ask }]\n",
    "guards/b.yaml": "policies: [{ name: b, roles: ['*'], tools: [files.read], effect: ask }]\n",
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": JSON.stringify({
      server: "files",
      tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    "mcp/roles.yaml": roles("[read]"),
    "notes.md": "Anything.\n",
  });
  project.commit("start");
});

const diff = async () => {
  await run(["build", "--quiet"], project.dir);
  compiled = 0;
  const { printed } = await run(["diff", "HEAD", "--json"], project.dir);
  return { verdict: (JSON.parse(printed) as { verdict: string }).verdict, compiled };
};

test("nothing is compiled, also where the app changed", async () => {
  project.write({ "notes.md": "Something.\n", "app/main.ts": "export {};\n", "package.json": "{}\n" });
  expect(await diff()).toEqual({ verdict: "same", compiled: 0 });
});

test("and the answer is the one of compiling", async () => {
  const answers = [];
  for (const args of [[], ["--json"], ["--markdown"], ["--digest"], ["--sarif"], ["--format", "github"]]) {
    await run(["build", "--quiet"], project.dir);
    const quick = await run(["diff", "HEAD", ...args], project.dir);
    rmSync(project.at(".rolecall"), { recursive: true });
    answers.push([quick, await run(["diff", "HEAD", ...args], project.dir)]);
  }
  for (const [quick, whole] of answers) expect(quick).toEqual(whole);
});

test.each<[string, string, () => void]>([
  ["a source changed", "widens", () => project.write({ "mcp/roles.yaml": roles("[read, write]") })],
  [
    "a source that git ignores",
    "widens",
    () => project.write({ "mcp/local.yaml": "roles: { more: { tools: { files: [read] } } }\n" }),
  ],
  [
    "a source that git was told to take as unchanged",
    "widens",
    () => {
      project.git("update-index", "--skip-worktree", "mcp/roles.yaml");
      project.write({ "mcp/roles.yaml": roles("[read, write]") });
    },
  ],
  [
    "the same, told otherwise",
    "widens",
    () => {
      project.git("update-index", "--assume-unchanged", "mcp/roles.yaml");
      project.write({ "mcp/roles.yaml": roles("[read, write]") });
    },
  ],
  ["a file of a glob is gone", "widens", () => project.write({ "guards/b.yaml": undefined })],
  [
    "a change that is in the index alone",
    "same",
    () => {
      project.write({ "mcp/roles.yaml": roles("[read, write]") });
      project.git("add", "mcp/roles.yaml");
      project.write({ "mcp/roles.yaml": roles("[read]") });
    },
  ],
])("%s", async (_, verdict, change) => {
  change();
  expect((await diff()).verdict).toBe(verdict);
});
