import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder } from "../../support/git-project.ts";
import { outsideCode } from "../../support/markdown.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What a change can say of itself, in names and reasons: it stays text on the page, and pushes nothing off it. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));

/** Ends code wherever one back-tick, two or three do; what stands behind it would be alive. */
const ALIVE = "`@octocat` ``@octocat`` <b> [x](https://e.example) ![x](https://e.example) #12 ``` @octocat |";
const quoted = JSON.stringify(ALIVE);
const tool = (name: string, description = "Reads.") => ({ name, description, inputSchema: { type: "object" } });

function projectIn(folder: string) {
  const root = temporaryFolder();
  folders.push(root);
  const project = openGitProject(root);
  project.git("init", "-q", "-b", "main");
  return {
    commit: project.commit,
    git: project.git,
    write: (edit: Record<string, string>) =>
      project.write(Object.fromEntries(Object.entries(edit).map(([file, text]) => [path.join(folder, file), text]))),
    diff: async (...args: string[]) => (await run(["diff", ...args, "--markdown"], path.join(root, folder))).printed,
  };
}

test("nothing of a name, a reason or a folder is alive on the page", async () => {
  const sources = "m`@octocat`<b>p";
  const { write, commit, git, diff } = projectIn("a `@octocat` <b> ``b");
  const yaml = (more: string): string => `version: 1\nproject: harbor\nfolder: "${sources}"\nhosts: [cursor]\n${more}`;
  const servers = (address: string): string =>
    `servers:\n  files:\n    connect: [{ stdio: [files, ${JSON.stringify(address)}] }]\n    labels: { private-data: [${quoted}], untrusted-content: [${quoted}], external: [${quoted}] }\n`;
  const roles = (entry: string, own: string): string =>
    `roles: { docs: { tools: { files: ${entry} }, builtins: { claude-code: [${own}] } } }\n`;
  const manifest = (...tools: object[]): string => JSON.stringify({ server: "files", tools });
  write({
    "rolecall.yaml": yaml(""),
    [`${sources}/servers.yaml`]: servers("one"),
    [`${sources}/manifests/files.json`]: manifest(tool("read"), tool(ALIVE)),
    [`${sources}/roles.yaml`]: roles("[read]", "Read"),
    [`${sources}/rules.yaml`]: `policies: [{ name: ${quoted}, roles: ["*"], tools: [{ optional: "files.no_*" }], effect: deny }]\n`,
  });
  commit("start");
  git("branch", "base`@octocat`");
  const exception = `diff: { exceptions: [{ roles: [docs], tools: [${quoted}], direction: widens, reason: ${quoted}, until: 2999-01-01 }], approvers: [x], label: ${quoted} }\n`;
  write({
    "rolecall.yaml": yaml(exception),
    [`${sources}/servers.yaml`]: servers(ALIVE),
    [`${sources}/manifests/files.json`]: manifest(tool("read", ALIVE), tool(ALIVE)),
    [`${sources}/roles.yaml`]: roles("all", "Read, Bash"),
    [`${sources}/rules.yaml`]: `policies: [{ name: two, roles: ["*"], tools: [{ optional: "files.x_*" }], effect: ask }]\n`,
    [`${sources}/${"`@octocat`"}.yaml`]: `approved: [{ digest: "sha256:${"0".repeat(64)}", by: alice, reason: ${quoted}, date: 2026-05-01 }]\n`,
  });
  const page = await diff("base`@octocat`", "--fail-on", "widens");
  expect(page).toContain("octocat");
  expect(page).toMatch(/^### Access widens/);
  expect(page).toContain("it denied files.no_* to all roles");
  expect(page).toContain(
    "dangerous together, new in `docs`: private data + untrusted content + a way out; gone without `",
  );
  expect(outsideCode(page)).not.toMatch(/@octocat|<b>|\]\(|https:|#12/);
});

test("at a terminal no text begins a line of the page, however long its words are", async () => {
  const root = temporaryFolder();
  folders.push(root);
  const project = openGitProject(root);
  project.git("init", "-q", "-b", "main");
  const text = `${"\u00a0".repeat(150)}access: the same${"\u00a0".repeat(150)}`.replaceAll(" ", "\u00a0");
  const roles = (path: string): string =>
    `roles: { docs: { tools: { files: { include: [read], where: { read: { path: { enum: [${JSON.stringify(path)}] } } } } } } }\n`;
  const inputSchema = { type: "object", properties: { path: { type: "string" } } };
  const manifest = (description: string): string =>
    JSON.stringify({ server: "files", tools: [{ name: "read", description, inputSchema }] });
  project.write({ ...SOME, "mcp/manifests/files.json": manifest("Reads."), "mcp/roles.yaml": roles("a") });
  project.commit("start");
  project.write({ "mcp/manifests/files.json": manifest(text), "mcp/roles.yaml": roles(text) });
  const { printed } = await run(["diff"], root);
  const lines = printed.replaceAll("\u00a0", " ").split("\n");
  expect(lines.filter((line) => line.includes("access: the same")).length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(line.length, line).toBeLessThanOrEqual(80);
    expect(line).not.toMatch(/^ {0,3}access: the same/);
  }
});

const long = "very ".repeat(4000);
const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const SOME = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
  "mcp/manifests/files.json": JSON.stringify({ server: "files", tools: ["read", "write"].map((name) => tool(name)) }),
  "mcp/roles.yaml": "roles: { docs: { tools: { files: [read] } } }\n",
};

test.each<[string, (digest: string) => Record<string, string>]>([
  [
    "exceptions with long reasons",
    () => ({
      "rolecall.yaml": `${SOME["rolecall.yaml"]}diff:\n  exceptions:\n${times(60, (i) => `    - { roles: [docs${i}], tools: [x], direction: widens, reason: "${long}", until: 2999-01-01 }\n`).join("")}`,
    }),
  ],
  [
    "approvals by long names, of this change and of none",
    (digest) => ({
      "mcp/approved.yaml": `approved:\n${times(60, (i) => `  - { digest: "${digest}", by: ${"e".repeat(3000)}${i}, reason: "${long}", date: "2026-11-19" }\n`).join("")}`,
    }),
  ],
  [
    "tools with long names, that go",
    () => ({
      "mcp/manifests/files.json": JSON.stringify({
        server: "files",
        tools: [...["read", "write"].map((name) => tool(name, "Other.")), ...times(60, (i) => tool(long + i))],
      }),
      "mcp/more.yaml": "roles: { other: { tools: { files: all } } }\n",
    }),
  ],
])("what widens isn't pushed off the page by %s", async (_, more) => {
  const { write, commit, diff } = projectIn(".");
  write(SOME);
  commit("start");
  const widened = { "mcp/roles.yaml": SOME["mcp/roles.yaml"].replace("[read]", "[read, write]") };
  write(widened);
  const [digest = ""] = /sha256:[0-9a-f]{64}/.exec(await diff("HEAD")) ?? [];
  write(more(digest));
  const page = await diff("HEAD", "--fail-on", "widens");
  expect(page.length).toBeLessThan(60_000);
  expect(page).toMatch(/\*\*Role `docs`\*\*\n\n```diff\n\+ files\.write/);
  expect(page).toContain("approved:");
});
