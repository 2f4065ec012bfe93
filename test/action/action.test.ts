import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { openGitProject, type GitProject } from "../support/git-project.ts";
import { ROOT } from "../support/root.ts";
import { fakeGithub, type FakeGithub } from "./fake-github.ts";

/** The action as a runner starts it: the real command and the real git; GitHub's API alone is a fake. */

const MARKER = "<!-- rolecall access . -->";
const manifest = JSON.stringify({
  server: "files",
  tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object", properties: {} } })),
});
const roles = (entry: string): string =>
  `roles:\n  docs:\n    builtins: { claude-code: [Read] }\n    tools:\n      files: ${entry}\n`;
const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: harbor\ndiff: { approvers: [grace] }\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
  "mcp/manifests/files.json": manifest,
  "mcp/roles.yaml": roles("[read]"),
};

let cli: BundledCli;
let scratch: string;
let github: FakeGithub;
let project: GitProject;
let count = 0;

beforeAll(() => {
  cli = bundledCli();
  scratch = mkdtempSync(path.join(tmpdir(), "rolecall-action-"));
}, 60_000);
afterAll(() => {
  cli.remove();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  github = await fakeGithub();
  project = openGitProject(cli.folder(`project-${++count}`));
  project.git("init", "-q", "-b", "main");
  project.write({ ...PROJECT, ".gitignore": ".rolecall/\n" });
  cli.run("rolecall build", project.dir);
  project.commit("one");
});
afterEach(() => github.close());

interface Ran {
  readonly exit: number;
  readonly printed: string;
  readonly summary: string;
  readonly output: string;
}

/** One run of the action. `change` is what the pull request does to the base. */
async function run(wishes: Record<string, string> = {}, event: object = PULL_REQUEST): Promise<Ran> {
  const home = mkdtempSync(path.join(scratch, "run-"));
  const file = (name: string): string => path.join(home, name);
  writeFileSync(file("event.json"), JSON.stringify(event));
  for (const name of ["output", "summary"]) writeFileSync(file(name), "");
  const child = spawn(process.execPath, [path.join(ROOT, "action/main.mjs")], {
    cwd: project.dir,
    env: {
      PATH: process.env["PATH"],
      RUNNER_TEMP: home,
      GITHUB_EVENT_PATH: file("event.json"),
      GITHUB_OUTPUT: file("output"),
      GITHUB_STEP_SUMMARY: file("summary"),
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: "ada/harbor",
      ROLECALL_MODE: "check",
      ROLECALL_PROJECT: ".",
      ROLECALL_BASE: "HEAD",
      ROLECALL_FAIL_ON: "widens",
      ROLECALL_COMMENT: "changes",
      ROLECALL_CAPTURE: "false",
      ROLECALL_COMMAND: `${process.execPath} ${cli.entry}`,
      ROLECALL_TOKEN: TOKEN,
      ...wishes,
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const exit = await new Promise<number>((done) => child.on("close", (code) => done(code ?? -1)));
  expect(printed).not.toContain(TOKEN);
  return {
    exit,
    printed,
    summary: readFileSync(file("summary"), "utf8"),
    output: readFileSync(file("output"), "utf8"),
  };
}

const TOKEN = "not-a-real-token";
const PULL_REQUEST = { action: "synchronize", pull_request: { number: 7 } };

const widen = (): void => {
  project.write({ "mcp/roles.yaml": roles("[read, write]") });
  cli.run("rolecall build", project.dir);
};
const narrow = (): void => {
  project.write({ "mcp/roles.yaml": roles("[read]") });
  cli.run("rolecall build", project.dir);
};

test("nothing changed: no comment, and nothing fails", async () => {
  const { exit, output, summary } = await run();
  expect({ exit, comments: github.comments }).toEqual({ exit: 0, comments: [] });
  expect(output).toContain("verdict=same\n");
  expect(summary).toBe("### Access: no change\n\nCompared with `HEAD`.\n\n");
});

describe("a widening", () => {
  beforeEach(widen);

  test("one comment, edited in place, and the job fails with a line at the source", async () => {
    const first = await run();
    expect(first.exit).toBe(2);
    expect(first.printed).toMatch(/::error .*file=mcp\/roles\.yaml,line=5/);
    expect(github.comments.map(({ body }) => body.split("\n")[0])).toEqual([MARKER]);
    expect(github.comments[0]!.body).toContain("files.write");
    expect(first.summary).toContain("files.write");
    expect(first.output).toMatch(/digest=sha256:[0-9a-f]{64}\n/);

    expect((await run()).printed).toContain("comment: unchanged");
    narrow();
    expect((await run()).exit).toBe(0);
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]!.body).toBe(`${MARKER}\n### Access: no change\n\nCompared with \`HEAD\`.\n`);
  });

  test("a comment with our marker that somebody else wrote is left alone", async () => {
    const stranger = comment(1, `${MARKER}\nAll is well.`, { login: "eve", id: 66, type: "User" });
    github.comments.push(stranger);
    await run();
    expect(github.comments.map(({ user }) => user.login)).toEqual(["eve", "github-actions[bot]"]);
    expect(stranger.body).toBe(`${MARKER}\nAll is well.`);
  });

  test("ours is found on a later page", async () => {
    for (let i = 0; i < 5; i++) github.comments.push(comment(i, "talk", { login: "ada", id: 1, type: "User" }));
    await run();
    await run();
    expect(github.comments.filter(({ body }) => body.startsWith(MARKER))).toHaveLength(1);
  });

  test("from a fork: it can't comment, says what to do, and decides all the same", async () => {
    github.mayWrite = false;
    const { exit, printed } = await run();
    expect(exit).toBe(2);
    expect(printed).toMatch(/::warning .*couldn't be posted .*two jobs/);
  });

  test("what GitHub finds too long is its verdict, and where the rest is", async () => {
    github.mostCharacters = 300;
    await run();
    expect(github.comments[0]!.body).toMatch(
      /^<!-- rolecall access \. -->\n### Access widens: .*\n\nToo long for a comment/,
    );
  });

  test("a limit that is passed is waited for", async () => {
    github.limited = 2;
    await run();
    expect(github.comments).toHaveLength(1);
  });

  test("`comment: never` asks for nothing but what may approve", async () => {
    await run({ ROLECALL_COMMENT: "never" });
    expect(github.asked.filter((one) => !one.startsWith("GET"))).toEqual([]);
  });

  test("without `fail-on` it only tells", async () => {
    expect((await run({ ROLECALL_FAIL_ON: "" })).exit).toBe(0);
    expect(github.comments).toHaveLength(1);
  });

  test("an approver's comment that names this change is a yes; an edited one, and the author's own, aren't", async () => {
    const digest = /digest=(\S+)/.exec((await run()).output)![1]!;
    const line = `rolecall: approve ${digest}\nLooks right.`;
    const say = (login: string, edited = false): void => {
      github.comments.push({
        ...comment(50, line, { login, id: 5, type: "User" }),
        ...(edited && { updated_at: "2026-11-20T00:00:00Z" }),
      });
    };
    say("ada");
    expect((await run()).exit).toBe(2);
    say("grace", true);
    expect((await run()).exit).toBe(2);
    say("grace");
    expect((await run()).exit).toBe(0);
  });
});

test("what can't be compared isn't a pass", async () => {
  widen();
  const { exit, output } = await run({ ROLECALL_BASE: "0123456789012345678901234567890123456789" });
  expect(exit).toBe(3);
  expect(output).toContain("verdict=unknown\n");
  expect(github.comments[0]!.body).toContain("couldn't be compared");
});

test("output that isn't what the sources say fails, whatever changed", async () => {
  project.write({ "mcp/roles.yaml": roles("none") });
  const { exit, printed } = await run();
  expect(exit).not.toBe(0);
  expect(printed).toContain("run rolecall build");
});

describe("the page of a fork's run", () => {
  const event = {
    workflow_run: {
      pull_requests: [],
      head_sha: "abc",
      head_branch: "topic",
      head_repository: { owner: { login: "eve" } },
    },
  };
  const comments = async (page: string | undefined, more: object = {}): Promise<Ran> => {
    const report = mkdtempSync(path.join(scratch, "report-"));
    if (page !== undefined) writeFileSync(path.join(report, "page.txt"), page);
    return run({ ROLECALL_MODE: "comment", ROLECALL_REPORT: report, ...more }, event);
  };

  test("goes to the pull request of the event, as text alone", async () => {
    github.pulls = [
      { number: 9, head: { sha: "other" } },
      { number: 7, head: { sha: "abc" } },
    ];
    const { exit } = await comments("access widens\n```\n@octocat see https://evil.example \u202e <img src=x>\n");
    expect(exit).toBe(0);
    const [{ body } = { body: "" }] = github.comments;
    expect(body).toContain("as this fork's own run has it");
    expect(body).toMatch(/````text\n[^]*@octocat[^]*\n````\n$/);
    expect(body).toContain("\\u{202e}");
  });

  test("goes nowhere when no open pull request ran it", async () => {
    github.pulls = [{ number: 7, head: { sha: "other" } }];
    expect((await comments("access widens\n")).printed).toContain("::notice");
    expect(github.comments).toEqual([]);
  });

  test("a link in it isn't followed", async () => {
    github.pulls = [{ number: 7, head: { sha: "abc" } }];
    const report = mkdtempSync(path.join(scratch, "report-"));
    mkdirSync(path.join(report, "elsewhere"));
    writeFileSync(path.join(report, "elsewhere", "secret"), "hidden");
    symlinkSync(path.join(report, "elsewhere", "secret"), path.join(report, "page.txt"));
    expect((await comments(undefined, { ROLECALL_REPORT: report })).exit).toBe(1);
    expect(github.comments).toEqual([]);
  });
});

describe("what is written beside it", () => {
  const text = (file: string): string => readFileSync(path.join(ROOT, "action", file), "utf8");

  test("every input reaches the script, and no expression stands in a command", () => {
    const { inputs, runs } = parse(text("action.yml")) as {
      inputs: Record<string, { description?: string }>;
      runs: { steps: { env: Record<string, string>; run: string }[] };
    };
    const [step] = runs.steps;
    expect(runs.steps).toHaveLength(1);
    expect(step!.run).not.toContain("${{");
    const asked = [...text("main.mjs").matchAll(/env\("ROLECALL_(\w+)"\)/g)].map(([, name]) => name!);
    expect(new Set(asked)).toEqual(new Set(Object.keys(step!.env).map((name) => name.replace("ROLECALL_", ""))));
    expect(Object.values(step!.env)).toEqual(Object.keys(inputs).map((name) => `\${{ inputs.${name} }}`));
    for (const { description } of Object.values(inputs)) expect(description).toBeTruthy();
  });

  test("recipes are YAML, and hand in inputs that there are", () => {
    const known = Object.keys((parse(text("action.yml")) as { inputs: object }).inputs);
    const blocks = [...text("README.md").matchAll(/```yaml\n([^]*?)```/g)].map(([, block]) => parse(block!) as unknown);
    expect(blocks).toHaveLength(5);
    const steps = blocks.flatMap((block) => stepsIn(block)).filter(({ uses }) => uses?.includes("rolecall/action"));
    expect(steps).toHaveLength(2);
    for (const { with: given = {} } of steps) for (const name of Object.keys(given)) expect(known).toContain(name);
  });
});

interface Step {
  readonly uses?: string;
  readonly with?: Record<string, unknown>;
}

function stepsIn(value: unknown): Step[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Step, ...Object.values(value).flatMap(stepsIn)];
}

function comment(id: number, body: string, user: FakeGithub["comments"][number]["user"]) {
  const at = "2026-11-19T07:00:00Z";
  return { id, body, user, created_at: at, updated_at: at };
}
