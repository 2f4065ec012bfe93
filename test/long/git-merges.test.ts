// Two branches that both changed access: `git merge`, solve the sources, one build, done. With the real git.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  builtFrom,
  cloneOf,
  type Edit,
  type GitProject,
  newGitProject,
  temporaryFolder,
} from "../support/git-project.ts";
import { ROOT } from "../support/root.ts";

const top = temporaryFolder();
let count = 0;
afterAll(() => rmSync(top, { recursive: true, force: true }), 180_000);

const TOOLS = ["read", "list", "search", "write", "delete"];
const manifest = (server: string): string =>
  `${JSON.stringify(
    {
      format: 1,
      server,
      tools: TOOLS.map((name) => ({ name, description: `${name} of ${server}`, inputSchema: { type: "object" } })),
    },
    undefined,
    1,
  )}\n`;

/** Sources, and files of the user's in which keys of ours go, with something of the user's in each. */
const BASE: Edit = {
  "rolecall.yaml": `version: 1
project: harbor
envExample: .env.example
hosts: [claude-code, codex, gemini-cli, ai-sdk, mcp-servers, { id: opencode, into: opencode.json }]
`,
  "mcp/servers.yaml": `servers:
  notes: { connect: [{ http: "https://notes.example.com/mcp", headers: { Authorization: "Bearer \${NOTES_TOKEN}" } }] }
  files: { connect: [{ stdio: [files-server] }] }
`,
  "mcp/roles.yaml": `roles:
  reader:
    tools: { notes: [read], files: [read] }
  tester:
    tools: { notes: [read, list] }
`,
  "mcp/manifests/notes.json": manifest("notes"),
  "mcp/manifests/files.json": manifest("files"),
  "opencode.json":
    '{\n  // ours, the team\'s\n  "theme": "system",\n  "mcp": {\n    "own": { "type": "local", "command": ["own"] }\n  }\n}\n',
  ".claude/agents/reader.md": "---\nmodel: opus # the team's\n---\nBe kind.\n",
  ".env.example": "MINE=1\n",
};
const isUsers = (file: string) => /^(?:opencode\.json|\.claude\/|\.gemini\/|\.env\.example)/.test(file);
const isSource = (file: string) => /^(?:rolecall\.yaml|mcp\/(?:manifests\/|[a-z]+\.yaml))/.test(file);

const roles = (text: string): Edit => ({ "mcp/roles.yaml": `roles:\n${text}` });
const role = (name: string, tools: string) => `  ${name}:\n    tools: ${tools}\n`;
const READER = role("reader", "{ notes: [read], files: [read] }");
const TESTER = role("tester", "{ notes: [read, list] }");

interface Scenario {
  readonly a: Edit;
  readonly b: Edit;
  /** The sources as a person leaves them after the merge. */
  readonly merged: Edit;
}

const server = (name: string): Edit => ({
  "mcp/servers.yaml": `${BASE["mcp/servers.yaml"]}  ${name}: { connect: [{ http: "https://${name}.example.com/mcp", headers: { X: "\${${name.toUpperCase()}_KEY}" } }] }\n`,
  [`mcp/manifests/${name}.json`]: manifest(name),
  ...roles(role("reader", `{ notes: [read], files: [read], ${name}: [read] }`) + TESTER),
});

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "a tool each for one role": {
    a: roles(role("reader", "{ notes: [read, list], files: [read] }") + TESTER),
    b: roles(role("reader", "{ notes: [read, search], files: [read] }") + TESTER),
    merged: roles(role("reader", "{ notes: [read, list, search], files: [read] }") + TESTER),
  },
  "a tool each for two roles": {
    a: roles(role("reader", "{ notes: [read, write], files: [read] }") + TESTER),
    b: roles(READER + role("tester", "{ notes: [read, list, search] }")),
    merged: roles(
      role("reader", "{ notes: [read, write], files: [read] }") + role("tester", "{ notes: [read, list, search] }"),
    ),
  },
  "a role each": {
    a: roles(READER + TESTER + role("writer", "{ notes: [write] }")),
    b: roles(READER + TESTER + role("finder", "{ files: [search] }")),
    merged: roles(READER + TESTER + role("finder", "{ files: [search] }") + role("writer", "{ notes: [write] }")),
  },
  "a server each": {
    a: server("mail"),
    b: server("wiki"),
    merged: {
      ...server("mail"),
      ...server("wiki"),
      "mcp/servers.yaml": `${server("mail")["mcp/servers.yaml"]}${server("wiki")["mcp/servers.yaml"]!.slice(BASE["mcp/servers.yaml"]!.length)}`,
      ...roles(role("reader", "{ notes: [read], files: [read], mail: [read], wiki: [read] }") + TESTER),
    },
  },
  "one renames a role, the other gives it a tool": {
    a: roles(READER + role("quality", "{ notes: [read, list] }")),
    b: roles(READER + role("tester", "{ notes: [read, list, search] }")),
    merged: roles(READER + role("quality", "{ notes: [read, list, search] }")),
  },
  "one takes a role away, the other gives it tools": {
    a: roles(READER),
    b: roles(READER + role("tester", "{ notes: [read, list, search, write], files: all }")),
    merged: roles(READER),
  },
};

/** Both branches built and committed. */
async function branches({ a, b }: Scenario, format?: "a" | "b"): Promise<GitProject> {
  const project = newGitProject(top, String(++count), BASE);
  await built(project);
  project.commit("base");
  for (const [name, edit] of [
    ["b", b],
    ["a", a],
  ] as const) {
    project.git("checkout", "-q", "-b", name, "main");
    project.write(edit);
    await built(project);
    if (format === name) formatAll(project);
    project.commit(name);
  }
  return project;
}

const UP_TO_DATE = { missing: [], differs: [], stale: [] };

async function built(project: GitProject): Promise<readonly string[]> {
  const { diagnostics, outcome } = await project.build();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(outcome).toBeDefined();
  return diagnostics.map(({ code, says }) => `${code} ${says}`);
}

/** With everything that it can format, and not as we write it. */
function formatAll(project: GitProject): void {
  project.write({ ".oxfmtrc.json": '{ "useTabs": true, "semi": false, "singleQuote": true, "printWidth": 60 }\n' });
  const oxfmt = path.join(ROOT, "node_modules/.bin/oxfmt");
  const ended = spawnSync(oxfmt, ["."], { cwd: project.dir, encoding: "utf8" });
  expect(ended.stderr + ended.stdout).not.toContain("error");
  expect(ended.status).toBe(0);
  rmSync(project.at(".oxfmtrc.json"));
}

/** After git has done its part: the sources are solved, and one build ends the rest. */
async function solves(project: GitProject, { merged }: Scenario, cache: "warm" | "none"): Promise<readonly string[]> {
  project.write(merged);
  if (cache === "none") rmSync(project.at(".rolecall"), { recursive: true, force: true });
  const says = await built(project);
  await isClean(project, { ...BASE, ...merged });
  return says;
}

async function outputIsClean(project: GitProject, sources: Edit): Promise<void> {
  const fresh = await builtFrom(project, `fresh-${++count}`, sources);
  expect(whole(project.tree())).toEqual(whole(fresh));
}

function whole(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([file]) => !isUsers(file) && !isSource(file)));
}

function sourcesOf(files: Edit): Edit {
  return Object.fromEntries(Object.entries(files).filter(([file]) => isSource(file)));
}

/** Byte for byte what somebody gets who builds the same sources from nothing, and nothing beside it. */
async function isClean(project: GitProject, sources: Edit): Promise<void> {
  const tree = project.tree();
  const fresh = await builtFrom(project, `fresh-${++count}`, sources);
  expect(Object.keys(tree)).toEqual(Object.keys(fresh));
  expect(whole(tree)).toEqual(whole(fresh));
  // New keys are put in at the end, so their order tells what came first.
  for (const file of Object.keys(fresh).filter(isUsers)) expect(meaning(tree[file]!)).toEqual(meaning(fresh[file]!));
  project.commit("merged");
  expect((await cloneOf(project, `clone-${++count}`).check()).outcome).toMatchObject(UP_TO_DATE);
}

function meaning(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return text;
  const sorted = (value: unknown): unknown =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .sort(([x], [y]) => (x < y ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        );
  return [sorted(JSON.parse(text.replace(/^\s*\/\/.*$/gm, ""))), text.match(/^\s*\/\/.*$/gm)];
}

test.each(
  Object.keys(SCENARIOS).flatMap((name) => [
    [name, "warm", "merge"] as const,
    [name, "none", "merge"] as const,
    [name, "none", "zdiff3"] as const,
  ]),
)(
  "%s (cache: %s, %s)",
  async (name, cache, style) => {
    const scenario = SCENARIOS[name]!;
    const project = await branches(scenario);
    project.git("config", "merge.conflictStyle", style);
    project.tries("merge", "-q", "b");
    await solves(project, scenario, cache);
    expect((await project.check()).outcome).toMatchObject(UP_TO_DATE);
  },
  180_000,
);

test.each(
  [
    "a tool each for one role",
    "one renames a role, the other gives it a tool",
    "one takes a role away, the other gives it tools",
    "a role each",
  ].flatMap((name) =>
    [
      ["merge", "-X", "ours", "b"],
      ["merge", "-X", "theirs", "b"],
      ["rebase", "b"],
      ["rebase", "-X", "theirs", "b"],
      ["cherry-pick", "b"],
    ].map((command) => [name, command.join(" "), command] as const),
  ),
)(
  "%s: git %s",
  async (name, _, command) => {
    const scenario = SCENARIOS[name]!;
    const project = await branches(scenario);
    project.tries(...command);
    await solves(project, scenario, "none");
    expect((await project.check()).outcome).toMatchObject(UP_TO_DATE);
  },
  180_000,
);

test.each(["a", "b"] as const)(
  "one formats everything, the other adds a tool: %s formats",
  async (who) => {
    const scenario = SCENARIOS["a tool each for one role"]!;
    const project = await branches(scenario, who);
    project.tries("merge", "-q", "b");
    // The team's own parts were formatted on one side and changed on none: what git couldn't join there is for a person.
    project.git("checkout", "b", "--", "opencode.json", ".claude", ".gemini");
    project.write({ ...sourcesOf(BASE), ...scenario.merged });
    const says = await built(project);
    // Each line of what git joined is one side's.
    expect(says.join()).not.toContain("output/overwritten");
    await outputIsClean(project, { ...BASE, ...scenario.merged });
  },
  180_000,
);

test("everything formatted: one build writes it as it was", async () => {
  const project = newGitProject(top, String(++count), BASE);
  await built(project);
  project.commit("base");
  formatAll(project);
  expect((await project.check()).outcome!.differs).toContain("src/mcp/access.json");
  expect((await built(project)).join()).toContain("output/overwritten");
  await outputIsClean(project, BASE);
  expect(
    project
      .git("diff", "--name-only")
      .split("\n")
      .filter((file) => file !== "" && !isSource(file) && !isUsers(file)),
  ).toEqual([]);
}, 180_000);
