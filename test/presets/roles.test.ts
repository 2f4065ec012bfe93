import { describe, expect, test } from "vitest";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { withoutServers } from "../../compiler/cli/presets/words.ts";
import { compiled, decision } from "../support/compiled.ts";
import { KNOWN } from "./known-tools.ts";
import { manifestOf, ROLES, SERVERS, toolsOf } from "./shipped.ts";

/** The role presets: the table of who may do what, held in every cell over the presets of the servers that it is about. */

const USED = ["filesystem", "github", "notion", "pg-readonly", "postgres", "slack", "supabase", "trello"];
const HOSTS = ["claude-agent-sdk", "claude-code", "copilot-cli", "copilot-sdk", "gemini-cli", "opencode", "vscode"];

const compilation = compiled({
  "rolecall.yaml": `version: 1\nproject: p\nhosts: [${HOSTS.join(", ")}]\n`,
  "mcp/servers.yaml": `servers:\n${USED.map((name) => `  ${name}: { preset: ${name} }\n`).join("")}`,
  ...Object.fromEntries(USED.map((name) => [`mcp/presets/${name}.yaml`, SERVERS.get(name)!.text])),
  ...Object.fromEntries(USED.map((name) => [`mcp/manifests/${name}.json`, manifestOf(name, toolsOf(KNOWN[name]!))])),
  ...Object.fromEntries([...ROLES].map(([name, text]) => [`mcp/roles/${name}.yaml`, text])),
});

test("nothing is wrong with them, on any host that they name", () => {
  expect([...ROLES.keys()]).toEqual(["backend-dev", "designer", "frontend-dev", "lead", "scribe", "tester"]);
  expect(compilation.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const remarks = compilation.diagnostics.filter(({ code }) => /^(?:role|manifest|server)\//.test(code));
  // A developer's shell can do what a policy forbids, and that is said.
  expect(new Set(remarks.map(({ code, at }) => `${code} ${at?.file}`))).toEqual(
    new Set(["backend-dev", "frontend-dev"].map((role) => `role/shell-undoes-policy mcp/roles/${role}.yaml`)),
  );
  expect(HOSTS.filter((id) => !allHosts([]).some((host) => host.id === id))).toEqual([]);
});

/** Names of the tools that a role holds: `name`, `name?` asked, `name:glob` under a condition. */
function held(role: string, server: string): string[] {
  const { tools } = compilation.plan.servers.find(({ name }) => name === server)!;
  return tools.flatMap(({ name }) => {
    const found = decision(compilation, role, server, name);
    if (found === undefined || found.effect === "deny") return [];
    const globs = found.where.flatMap(({ conditions }) => conditions.flatMap(({ glob }) => glob ?? []));
    return [name + (found.effect === "ask" ? "?" : "") + (globs.length > 0 ? `:${[...new Set(globs)].join()}` : "")];
  });
}

const all = (server: string): string[] => toolsOf(KNOWN[server]!).map(({ name }) => name);
const NONE: string[] = [];
const READ_ISSUES = ["list_issues", "search_issues", "get_issue"];
const ISSUES_AND_PULL_REQUESTS = all("github").filter((name) => /issue|pull_request/.test(name));
const reading = toolsOf(KNOWN["filesystem"]!).flatMap(({ name, readOnly }) => (readOnly ? name : []));
const writing = (folder: string) =>
  all("filesystem").map((name) => (reading.includes(name) ? name : `${name}:${folder}/**`));
const DEPLOYS_ASKED = ["apply_migration?", "deploy_edge_function?", "merge_branch?"];

/** Lead, backend, frontend, tester, designer, scribe: GitHub, files, database to read, database to write, deploying. */
const MATRIX: readonly [string, string[], string[], string[], string[], string[]][] = [
  ["lead", all("github"), all("filesystem"), ["query"], NONE, DEPLOYS_ASKED],
  ["backend-dev", ISSUES_AND_PULL_REQUESTS, all("filesystem"), NONE, all("postgres"), NONE],
  ["frontend-dev", ISSUES_AND_PULL_REQUESTS, all("filesystem"), NONE, NONE, NONE],
  ["tester", READ_ISSUES, writing("tests"), ["query"], NONE, NONE],
  ["designer", READ_ISSUES, writing("assets"), NONE, NONE, NONE],
  ["scribe", READ_ISSUES, writing("docs"), NONE, NONE, NONE],
];

describe.each(MATRIX)("%s", (role, github, filesystem, toRead, toWrite, deploy) => {
  test.each([
    ["github", github],
    ["filesystem", filesystem],
    ["pg-readonly", toRead],
    ["postgres", toWrite],
    ["supabase", deploy],
  ] as const)("%s", (server, expected) => {
    expect(held(role, server).toSorted()).toEqual([...expected].toSorted());
  });
});

describe("boards, messages and pages", () => {
  const whoHolds = (server: string, tool: string) =>
    compilation.plan.roles.map(({ name }) => name).filter((role) => held(role, server).includes(tool));

  test.each([
    ["trello", "add_card_to_list", ["lead"]],
    ["trello", "list_boards", ["lead", "scribe"]],
    ["slack", "slack_post_message", ["lead", "scribe"]],
    ["slack", "slack_list_channels", ["lead", "scribe"]],
    ["notion", "API-post-page", ["scribe"]],
    ["notion", "API-post-search", ["backend-dev", "designer", "frontend-dev", "lead", "scribe", "tester"]],
  ])("%s.%s", (server, tool, roles) => {
    expect(whoHolds(server, tool)).toEqual(roles);
  });
});

test("moving a file is bound at both ends", () => {
  const { where } = decision(compilation, "tester", "filesystem", "move_file")!;
  expect(where.map(({ argument, conditions }) => [argument, ...conditions.map(({ glob }) => glob)])).toEqual([
    ["destination", "tests/**"],
    ["source", "tests/**"],
  ]);
});

describe("without some of the servers", () => {
  test.each(
    [...ROLES].flatMap(([name, text]) => [NONE, ["github"], USED].map((there) => [name, there, text] as const)),
  )("%s, where there is %j", (name, there, text) => {
    const missing = new Set(USED.filter((server) => !there.includes(server)));
    const { plan, diagnostics } = compiled({
      "mcp/a.yaml":
        there.length === 0 ? "" : `servers:\n${there.map((one) => `  ${one}: { preset: ${one} }\n`).join("")}`,
      ...Object.fromEntries(there.map((one) => [`mcp/presets/${one}.yaml`, SERVERS.get(one)!.text])),
      ...Object.fromEntries(there.map((one) => [`mcp/manifests/${one}.json`, manifestOf(one, toolsOf(KNOWN[one]!))])),
      [`mcp/roles/${name}.yaml`]: withoutServers(text, missing),
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(plan.roles[0]!.grants.map(({ server }) => server.name).every((server) => there.includes(server))).toBe(true);
    expect(plan.roles[0]!.builtins.length).toBe(HOSTS.length);
  });
});
