import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { MEANINGS } from "../../../compiler/diff/setting-meanings.ts";
import { KEY_WORDS } from "../../../compiler/cli/diff/setting-words.ts";
import { manifest } from "../../support/compiled.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** A reviewer who knows no key of rolecall.yaml sees what another value of it means. */

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
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": manifest("look", "burn", "touch"),
    "mcp/roles.yaml": "roles:\n  docs: { tools: { files: { include: [look, burn], ask: [burn] } } }\n",
  });
});
const page = async (was: string, is: string): Promise<string> => {
  const write = (text: string): void => project.write({ "rolecall.yaml": `version: 1\nproject: harbor\n${text}\n` });
  write(was);
  project.commit("before");
  write(is);
  return (await run(["diff", "HEAD"], project.dir)).printed.replace(/\n {8}/g, " ").replace(/\n {2}(?! |[-+~])/g, " ");
};

test.each<[string, string, string, readonly string[]]>([
  [
    "a host that is told of serve",
    "hosts: [{ id: cursor, role: docs }]",
    "hosts: [{ id: cursor, role: docs, via: serve }]",
    [
      "access WIDENS: host cursor, how it reaches servers (via): now through rolecall serve, before the servers themselves",
      "+ host cursor: via changed",
      "rolecall serve judges each call there: it holds every rule, whatever the host can hold",
      "given there now: docs: files.burn, docs: files.look",
    ],
  ],
  [
    "... and isn't any more",
    "hosts: [{ id: codex, via: serve }]",
    "hosts: [codex]",
    [
      "how it reaches servers (via): now the servers themselves, before through rolecall serve",
      "the host holds the rules itself, as far as it can: rolecall hosts codex shows which",
    ],
  ],
  [
    "what a host can't hold",
    "hosts: [gemini-cli]",
    "hosts: [{ id: gemini-cli, whenUnenforceable: gateway }]",
    [
      "what becomes of what it can't hold (whenUnenforceable): now it goes through rolecall serve, before it is left out",
    ],
  ],
  [
    "a gateway with another door",
    "hosts: [{ id: agentgateway, issuer: https://i.example, audience: a, jwks: https://i.example/jwks }]",
    "hosts: [{ id: agentgateway, issuer: https://j.example, audience: a, jwks: https://i.example/jwks }]",
    ['who makes the tokens that clients bring (issuer): now "https://j.example", before "https://i.example"'],
  ],
  [
    "a gateway that comes",
    "",
    "hosts: [{ id: agentgateway, issuer: https://j.example, audience: a, jwks: https://i.example/jwks }]",
    [
      "host agentgateway: it gets files now",
      'who makes the tokens that clients bring (issuer): "https://j.example"',
      "given there: docs: files.look",
    ],
  ],
  [
    "serve",
    "serve: { approvers: [terminal] }",
    "serve: { approvers: [terminal, program], askTimeout: 3m, hosts: [x.example] }",
    [
      'from where a yes is taken (approvers): now "program", "terminal", before "terminal"',
      "how long a person is asked (askTimeout): now 3m, before 10m",
      'names by which clients reach it over HTTP (hosts): now "x.example", before none',
    ],
  ],
])("%s", async (_, was, is, says) => {
  const text = await page(was, is);
  for (const one of says) expect(text).toContain(one);
});

test("every key that is told has words", () => {
  const told = Object.entries(MEANINGS).flatMap(([block, keys]) =>
    Object.entries(keys).flatMap(([key, meaning]) => (meaning === "nothing" ? [] : [`${block}.${key}`])),
  );
  expect(told.filter((key) => KEY_WORDS[key] === undefined)).toEqual([]);
});
