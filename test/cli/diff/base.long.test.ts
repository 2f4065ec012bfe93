import { rmSync, symlinkSync } from "node:fs";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { newGitProject, temporaryFolder, type Edit, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** A denial that the base held and that is gone is told, wherever a build found it. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));
afterEach(() => vi.unstubAllEnvs());
const run = runInProcess((argv, terminal) => main(argv, terminal, engine));

const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
  "mcp/manifests/files.json": JSON.stringify({
    server: "files",
    tools: ["read", "drop"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "mcp/roles.yaml": "roles:\n  docs:\n    tools:\n      files: all\n",
};
const DENY = "policies:\n  - { name: nobody drops, roles: ['*'], tools: [files.drop], effect: deny }\n";
const ASK = "policies:\n  - { name: reading is asked, roles: ['*'], tools: [files.read], effect: ask }\n";
const guarded = (...globs: string[]) => ({
  "rolecall.yaml": `version: 1\nproject: harbor\nguards: ${JSON.stringify(globs)}\n`,
});

function start(files: Edit): GitProject {
  folders.push(temporaryFolder());
  return newGitProject(folders.at(-1)!, "p", { ...PROJECT, ...files });
}

async function opens(project: GitProject, after: Edit): Promise<number> {
  const errors = async () => (await project.build()).diagnostics.filter(({ severity }) => severity === "error");
  expect(await errors()).toEqual([]);
  expect(project.text("src/mcp/access.json")).not.toContain('"drop"');
  project.commit("base");
  project.git("checkout", "-q", "-b", "change");
  project.write(after);
  expect(await errors()).toEqual([]);
  expect(project.text("src/mcp/access.json")).toContain('"drop"');
  return (await run(["diff", "--fail-on", "widens"], project.dir)).exit;
}

test.each<[string, Edit, Edit]>([
  ["in capitals", { "mcp/Policies.YAML": DENY }, { "mcp/Policies.YAML": undefined }],
  [
    "that is a guard in capitals",
    { ...guarded("guards/*"), "guards/A.yaml": ASK, "guards/B.YAML": DENY },
    { "guards/B.YAML": undefined },
  ],
  [
    "that is a guard without an ending",
    { ...guarded("guards/*"), "guards/a.yaml": ASK, "guards/deny": DENY },
    { "guards/deny": undefined },
  ],
  [
    "that is a guard with another ending",
    { ...guarded("guards/*"), "guards/a.yaml": ASK, "guards/deny.guard": DENY },
    { "guards/deny.guard": undefined },
  ],
  [
    "of a glob with a doubled slash",
    { ...guarded("guards//*.yaml", "guards/a/*.yaml"), "guards/a/a.yaml": ASK, "guards/deny.yaml": DENY },
    { "guards/deny.yaml": undefined, ...guarded("guards/a/*.yaml") },
  ],
  [
    "of a glob that is written with ./",
    { ...guarded("./guards/./*.yaml"), "guards/a.yaml": ASK, "guards/deny.yaml": DENY },
    { "guards/deny.yaml": undefined },
  ],
  [
    "with a letter in two pieces",
    { "mcp/polici\u0065\u0301s.yaml": DENY },
    { "mcp/polici\u0065\u0301s.yaml": undefined },
  ],
])("a file %s", async (_, before, after) => expect(await opens(start(before), after)).toBe(2));

test.each<[string, Edit, string, string, Edit]>([
  ["a source that is a link", { "shared/p.yaml": DENY }, "../shared/p.yaml", "mcp/p.yaml", { "mcp/p.yaml": undefined }],
  ["the target of a link", { "shared/p.yaml": DENY }, "../shared/p.yaml", "mcp/p.yaml", { "shared/p.yaml": "{}\n" }],
  [
    "a guard below a folder that is a link",
    { ...guarded("guards/*.yaml"), "real/p.yaml": DENY },
    "real",
    "guards",
    { "rolecall.yaml": PROJECT["rolecall.yaml"] },
  ],
])("%s", async (_, before, target, link, after) => {
  const project = start(before);
  symlinkSync(target, project.at(link));
  expect(await opens(project, after)).toBe(2);
});

test("sources in a submodule can't be compared", async () => {
  const other = start({ "deny.yaml": DENY });
  other.commit("one");
  const project = start({});
  project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.dir, "mcp/shared");
  project.write({ "mcp/shared/rolecall.yaml": undefined, "mcp/shared/mcp/servers.yaml": undefined });
  project.commit("base");
  rmSync(project.at("mcp/shared"), { recursive: true });
  await project.build();
  const { exit, shown } = await run(["diff", "main", "--fail-on", "widens"], project.dir).then(({ exit, ...said }) => ({
    exit,
    shown: JSON.stringify(said),
  }));
  expect(exit).toBe(3);
  expect(shown).toContain("`mcp/shared` is a submodule there");
});

test("nor can a clone that left out what the base held", async () => {
  const project = start({ "mcp/p.yaml": DENY });
  await project.build();
  project.commit("base");
  project.git("config", "uploadpack.allowFilter", "true");
  project.git("config", "extensions.partialClone", "origin");
  project.write({ "mcp/p.yaml": undefined });
  const digest = project.git("rev-parse", "HEAD:mcp/p.yaml").trim();
  rmSync(project.at(`.git/objects/${digest.slice(0, 2)}/${digest.slice(2)}`), { force: true });
  const { exit, ...said } = await run(["diff", "main", "--fail-on", "widens"], project.dir);
  expect(exit).toBe(3);
  expect(JSON.stringify(said)).toContain("this clone lacks what `mcp/p.yaml` held there");
});

test("guards of a package that is no part of the base: by its access.json, also after a build", async () => {
  const rule = (roles: string) =>
    `policies:\n  - { name: nobody drops, roles: [${roles}], tools: [files.drop], effect: deny }\n`;
  const project = start({
    ...guarded("node_modules/@acme/guards/*.yaml"),
    ".gitignore": "node_modules\n.rolecall\n",
    "node_modules/@acme/guards/g.yaml": rule("'*'"),
  });
  await project.build();
  project.commit("base");
  const diff = () => run(["diff", "main", "--fail-on", "widens"], project.dir);
  expect((await diff()).exit).toBe(0);
  project.git("checkout", "-q", "-b", "change");
  project.write({ "node_modules/@acme/guards/g.yaml": rule("docs") });
  for (const isBuilt of [false, true]) {
    if (isBuilt) await project.build();
    const { exit, printed } = await diff();
    expect(printed).toContain("nobody drops");
    expect(exit).toBe(2);
  }
});

test("the repository that a variable names isn't the one that a change is compared in", async () => {
  const [project, other] = [start({ "mcp/policies.yaml": DENY }), start({})];
  other.commit("without the denial");
  vi.stubEnv("GIT_DIR", other.at(".git"));
  expect(await opens(project, { "mcp/policies.yaml": undefined })).toBe(2);
});

test("a git that gives no answer is told in its words", async () => {
  const project = start({});
  project.commit("one");
  vi.stubEnv("PATH", project.dir);
  const without = await run(["diff"], project.dir);
  expect([without.exit, without.printed]).toEqual([3, expect.stringContaining("there is no git here")]);
  vi.unstubAllEnvs();
  rmSync(project.at(".git"), { recursive: true });
  project.write({ ".git": "gitdir: /nowhere\n" });
  const { exit, printed } = await run(["diff"], project.dir);
  expect([exit, printed]).toEqual([3, expect.stringContaining("git says: not a git repository: /nowhere")]);
});
