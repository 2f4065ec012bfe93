import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { manifest } from "../../support/compiled.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What a change brings besides who may do what: tokens, and tools that are dangerous together. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const roles = (clerk: string, lead = "delegates: [clerk]"): string =>
  `roles:\n  clerk: { tools: { mail: ${clerk} } }\n  lead: { description: x, ${lead} }\n  other: { tools: { mail: [sort] } }\n`;

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/servers.yaml": `servers:
  mail:
    connect: [{ stdio: [node, mail.mjs] }]
    labels: { private-data: [read], untrusted-content: [read], external: [send] }
`,
    "mcp/manifests/mail.json": manifest("read", { name: "send", description: "Sends a mail to anybody." }, "sort"),
    "mcp/roles.yaml": roles("[read]"),
  });
  project.commit("one");
});
/** Lines are broken where a terminal ends. */
const diff = async (...args: string[]): Promise<string> =>
  (await run(["diff", "HEAD", ...args], project.dir)).printed.replace(/\n {2}(?! |[-+~])/g, " ");

test("a tool that completes a combination, for whoever holds or reaches it; and what it weighs", async () => {
  project.write({ "mcp/roles.yaml": roles("[read, send]") });
  expect(await diff()).toContain(`

dangerous together, new in clerk, lead: private data + untrusted content + a way out; gone without mail.send
`);
  expect(await diff()).toContain("in tokens, about: clerk 41 (before: 16)");
  expect(await diff("--markdown")).toContain("clerk 41 ");
  expect(JSON.parse(await diff("--json"))).toMatchObject({
    tokens: { clerk: { before: 16, after: 41 } },
    combinations: [
      { role: "clerk", kind: "leak", host: null, goneWithout: [{ server: "mail", name: "send" }], asked: false },
      { role: "lead", kind: "leak" },
    ],
  });
});

test("one that was there, or goes, is nothing new", async () => {
  project.write({ "mcp/roles.yaml": roles("[read, send]") });
  project.commit("two");
  project.write({ "mcp/roles.yaml": roles("[read, send, sort]") });
  expect(await diff()).not.toContain("new in");
  project.write({ "mcp/roles.yaml": roles("[read]") });
  expect(await diff()).not.toContain("new in");
});

test("one that a role had under another name is nothing new, nor what its tools weigh", async () => {
  project.write({ "mcp/roles.yaml": roles("[read, send]") });
  project.commit("two");
  project.write({ "mcp/roles.yaml": roles("[read, send]").replaceAll("clerk", "scribe").replace("lead:", "boss:") });
  const page = await diff();
  expect(page).toContain("access: 2 roles renamed, access the same");
  expect(page).not.toMatch(/new in|in tokens/);
  expect(JSON.parse(await diff("--json"))).toMatchObject({ tokens: {}, combinations: [] });
});

test("a person in it is said, and one who isn't asked any more makes it new", async () => {
  project.write({ "mcp/roles.yaml": roles("{ include: [read, send], ask: [send] }") });
  expect(await diff()).toContain("gone without mail.send; a person says yes to each call\n");
  project.commit("two");
  project.write({ "mcp/roles.yaml": roles("[read, send]") });
  expect(await diff()).toContain(
    "new in clerk, lead: private data + untrusted content + a way out; gone without mail.send\n",
  );
});

test("a role that goes weighs nothing any more, and a project without a base weighed nothing", async () => {
  project.write({ "mcp/roles.yaml": "roles:\n  clerk: { tools: { mail: [read] } }\n" });
  expect(JSON.parse(await diff("--json")).tokens).toEqual({ other: { before: expect.any(Number), after: 0 } });
  project.write({ "mcp/roles.yaml": roles("[read, send]") });
  project.git("checkout", "-q", "--orphan", "bare");
  project.git("rm", "-rqf", "--cached", ".");
  project.git("commit", "-q", "--allow-empty", "-m", "nothing yet");
  expect(JSON.parse(await diff("--json")).tokens.clerk).toEqual({ before: 0, after: 41 });
});
