import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** A file of variables that git tracks comes with everybody's change: what it moves waits for a yes, as what is written does. */
let cli: BundledCli;
let project: ServedProject;
let client: Connected["client"] | undefined;

const sources = (auth: string): string => `version: 1
project: harbor
serve: { idle: 1s, approvers: [program]${auth} }
servers:
  everything:
    connect:
      - stdio: [${process.execPath}, ${realServer("everything")}, "\${MODE:-stdio}"]
        cwd: .
        env: { PLACE: "\${PLACE:-none}", HARBOR_TOKEN: "\${HARBOR_TOKEN:+\${HARBOR_TOKEN}}" }
  other: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio], cwd: . }] }
roles:
  tester: { tools: { everything: [get-env], other: [echo] }, resources: { everything: ["demo://resource/static/**"] } }
`;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": sources(""),
    ".gitignore": "node_modules\n.rolecall\n",
  });
  git("init", "--quiet");
}, 120_000);
beforeEach(() => {
  rmSync(path.join(project.env["HOME"]!, ".local"), { recursive: true, force: true });
  commit("PLACE=one\n");
});
afterEach(end);
afterAll(() => {
  project.remove();
  cli.remove();
});

function git(...args: readonly string[]): void {
  const settings = ["user.name=kit", "user.email=kit@example.com", "commit.gpgsign=false"];
  execFileSync("git", [...settings.flatMap((one) => ["-c", one]), ...args], { cwd: project.dir, env: project.env });
}

const RESOURCE = "demo://resource/static/document/features.md";

/** What a merge brings. */
function commit(variables: string): void {
  project.write(".env", variables);
  git("add", "--force", ".env");
  git("commit", "--quiet", "--allow-empty", "-m", "variables");
}

/** As a container has it where a worktree alone is mounted. */
function repository(): { away(): void; back(): void } {
  const [there, aside] = [path.join(project.dir, ".git"), path.join(project.dir, ".git-aside")];
  return {
    away() {
      renameSync(there, aside);
      project.write(".git", "gitdir: /nowhere/.git/worktrees/p\n");
    },
    back() {
      rmSync(there);
      renameSync(aside, there);
    },
  };
}

/** What its processes said. */
function log(): string {
  const run = path.join(project.env["HOME"]!, ".rolecall/run");
  return readdirSync(run)
    .map((folder) => readFileSync(path.join(run, folder, "log"), "utf8"))
    .join("");
}

async function end(): Promise<void> {
  await client?.close();
  client = undefined;
  project.typed("serve", "--stop");
}

/** What its server is told of where it is, by a daemon that starts anew; or what is said in its place. */
async function envThere(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  await end();
  ({ client } = await project.connect(["--role", "tester"], { env: environment }));
  return calledEnv();
}

async function calledEnv(): Promise<string> {
  const { content } = await client!.callTool({ name: "everything__get-env", arguments: {} });
  return (content as readonly { readonly text: string }[])[0]!.text;
}

test("another value of a tracked file reaches nothing before the yes, and what else is served goes on", async () => {
  expect(await envThere()).toContain('"PLACE": "one"');
  commit("PLACE=two\n");
  expect(await envThere()).toContain("in another way than its user has agreed to");
  expect((await client!.listTools()).tools.map(({ name }) => name)).toEqual(["everything__get-env", "other__echo"]);
  const echoed = await client!.callTool({ name: "other__echo", arguments: { message: "here" } });
  expect(JSON.stringify(echoed.content)).toContain("here");
  expect(await client!.listResources()).toMatchObject({ resources: [] });
  await expect(client!.readResource({ uri: RESOURCE })).rejects.toThrow("in another way than its user has agreed to");
  expect(project.typed("serve", "--status").out).toContain("everything: waits, it would be reached in another way");
  // A new start is no yes.
  expect(await envThere()).toContain("in another way than its user has agreed to");
  const approver = project.program();
  const { id, hash, ...item } = await approver.line(1);
  expect(item).toMatchObject({
    kind: "build",
    changes: [],
    reconnected: [],
    moved: [
      {
        server: "everything",
        variables: [
          { name: "MODE", from: null },
          { name: "PLACE", from: "file" },
        ],
      },
    ],
  });
  expect(JSON.stringify(item)).not.toContain("two");
  approver.say({ id, hash, yes: true });
  expect(await approver.line(2)).toMatchObject({ done: true });
  expect(await calledEnv()).toContain('"PLACE": "two"');
  expect(JSON.stringify(await client!.readResource({ uri: RESOURCE }))).toContain("text");
  expect(project.typed("serve", "--status").out).toContain("everything: up");
  await approver.end();
  expect(await envThere()).toContain('"PLACE": "two"');
  // Somebody has said yes to this one as well.
  commit("PLACE=one\n");
  expect(await envThere()).toContain('"PLACE": "one"');
});

test("a command's word does too, and after a no it stays so", async () => {
  await envThere();
  commit("PLACE=one\nMODE=sse\n");
  expect(await envThere()).toContain("in another way");
  const approver = project.program();
  const { id, hash } = await approver.line(1);
  approver.say({ id, hash, yes: false });
  expect(await approver.line(2)).toMatchObject({ done: true });
  expect(await calledEnv()).toContain("in another way");
  await approver.end();
});

test("a secret waits where git tracks it, and not where its user gives it out", async () => {
  await envThere({ HARBOR_TOKEN: "fake-of-monday" });
  expect(await envThere({ HARBOR_TOKEN: "fake-of-tuesday" })).not.toContain("in another way");
  commit("PLACE=one\nHARBOR_TOKEN=fake-of-somebody-else\n");
  expect(await envThere()).toContain("in another way");
});

test("a file that git doesn't track says where it leads too, and no secret waits", async () => {
  git("rm", "--quiet", "--cached", ".env");
  project.write(".env", "PLACE=one\nHARBOR_TOKEN=fake-of-monday\n");
  await envThere();
  project.write(".env", "PLACE=one\nHARBOR_TOKEN=fake-of-tuesday\n");
  expect(await envThere()).not.toContain("in another way");
  project.write(".env", "PLACE=two\nHARBOR_TOKEN=fake-of-tuesday\n");
  expect(await envThere()).toContain("in another way");
});

test("where git gives no answer a secret of the file waits too, and the log has git's words", async () => {
  await envThere({ GIT_DIR: "/nowhere/.git" });
  commit("PLACE=one\nHARBOR_TOKEN=fake-of-somebody-else\n");
  expect(await envThere({ GIT_DIR: "/nowhere/.git" })).toContain("in another way");
  await end();
  const { away, back } = repository();
  away();
  try {
    project.write(".env", "PLACE=one\nHARBOR_TOKEN=fake-of-monday\n");
    expect(await envThere()).toContain("in another way");
    expect(log()).toContain("git doesn't say whether it tracks `.env` (git says: not a git repository: /nowhere");
  } finally {
    back();
  }
});

test("on a machine without a person `serve --accept` is the yes, before and while it is served", async () => {
  await envThere();
  commit("PLACE=two\n");
  await end();
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0 });
  expect(await envThere()).toContain('"PLACE": "two"');
  commit("PLACE=three\n");
  expect(await envThere()).toContain("in another way");
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0 });
  expect(await calledEnv()).toContain('"PLACE": "three"');
});

test.each([
  ["token", "TESTER_TOKEN", ', auth: { tokens: { tester: "${TESTER_TOKEN}" } }'],
  ["key", "HARBOR_KEY", ', limits: "${REDIS_URL}", key: "${HARBOR_KEY}"'],
])(
  "no %s of the door over HTTP counts that git tracks: whoever has the repository knows it",
  async (_, name, settings) => {
    project.write("rolecall.yaml", sources(settings));
    await project.run("build");
    commit(`${name}=${"fake".repeat(10)}\n`);
    const { exit, err } = project.typed("serve", "--http", "127.0.0.1:0");
    expect([exit, err]).toEqual([
      1,
      `rolecall: git tracks \`.env\`, which sets \`${name}\`: whoever has the repository knows it\n  take the file out (git rm --cached .env), and give it another value\n`,
    ]);
    const { away, back } = repository();
    away();
    const untold = project.typed("serve", "--http", "127.0.0.1:0");
    back();
    expect(untold).toMatchObject({
      exit: 1,
      err: `rolecall: git doesn't say whether it tracks \`.env\`, which sets \`${name}\` (git says: not a git repository: /nowhere/.git/worktrees/p): if it does, whoever has the repository knows it\n  see to it that git gives an answer there, or set it in the environment alone\n`,
    });
    git("rm", "--quiet", "--cached", ".env");
    const again = project.typed("serve", "--http", "127.0.0.1:0", "--roles", "nobody");
    // What is said next is of another kind.
    expect(again).toMatchObject({ exit: 1, err: expect.not.stringContaining("git tracks") as string });
  },
);
