import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { entryFor, HOSTS } from "../support/known-hosts.ts";
import { shellLine, shownRole, startOf } from "../../compiler/4-fit/start.ts";
import { hostPage } from "../../compiler/cli/hosts/page.ts";
import type { FittedPlan } from "../../compiler/4-fit/types.ts";
import { build } from "../support/built-project.ts";

/** How `rolecall hosts` says that a role is started: each line for this project, whatever it is called. */
function started(choice: (host: string) => string, folder = "beds", project = "garden", roles = ["a"]) {
  const { errors, plan, hosts, artifacts } = build(
    {
      "rolecall.yaml": `version: 1\nproject: ${JSON.stringify(project)}\nfolder: ${JSON.stringify(folder)}\nhosts: [${HOSTS.map(choice).join(", ")}]\n`,
      [`${folder}/team.yaml`]:
        'servers: { notes: { connect: [{ stdio: [n] }, { http: "https://n.example/mcp" }] } }\nroles:\n' +
        roles.map((role) => `  ${role}: { tools: { notes: all } }\n`).join(""),
      [`${folder}/manifests/notes.json`]:
        '{"server":"notes","tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
    },
    true,
  );
  expect(errors).toEqual([]);
  return { artifacts, plan, hosts, lines: Object.fromEntries(hosts.map((fitted) => [fitted.host.id, lineOf(fitted)])) };
}

function lineOf(fitted: FittedPlan): string {
  const { run, byHand, code } = startOf(fitted, shownRole(fitted));
  return run === undefined ? (code ?? byHand ?? "") : shellLine(fitted.host.program!, run);
}

const { artifacts, lines } = started((host) => entryFor(host));
const IN_PROCESS = HOSTS.filter((host) => artifacts.has(`src/mcp/hosts/${host}.ts`));

describe.each(IN_PROCESS)("%s", (host) => {
  test("names what this project's modules export, and the role as text", () => {
    const [, made, team] = /(\w+)\((\w+)\([^)]*\)\.as\("a"\)\)/.exec(lines[host]!)!;
    expect(artifacts.get(`src/mcp/hosts/${host}.ts`)).toMatch(new RegExp(`^export const ${made}\\b`, "m"));
    expect(artifacts.get("src/mcp/index.ts")).toMatch(new RegExp(`^export function ${team}\\(`, "m"));
  });
});

test("files lie in this project's folder, and are there", () => {
  const named = Object.values(lines).flatMap((line) => line.match(/\S*\/hosts\/[^\s")]+/g) ?? []);
  expect(named.length).toBeGreaterThan(4);
  const isThere = (path: string) => [...artifacts.keys()].some((file) => file === path || file.startsWith(`${path}/`));
  expect(named.map((file) => file.replace(/^\w+=/, "")).filter((file) => !isThere(file))).toEqual([]);
  expect(Object.values(lines).join("\n")).not.toMatch(/[<>]|harbor/);
});

test("nothing is copied over a file that could be a person's, or another project's", () => {
  const copied = Object.values(lines).flatMap((line) => line.match(/\bcp \S+ \S+/g) ?? []);
  expect(copied).toEqual([expect.stringMatching(/\.codex\}\/garden-a\.config\.toml"$/)]);
  expect(lines["codex"]).toMatch(/ codex --profile garden-a$/);
});

test("what a folder or a project is called stays a word for a shell", () => {
  const folder = 'my $(touch a); it\'s `b` & "c"';
  const { lines: odd } = started((host) => entryFor(host), folder, "x\"; $(touch d) 'é");
  expect(odd["codex"]).toContain(" --profile x-touch-d-a");
  for (const id of ["codex", "gemini-cli", "opencode", "claude-code"] as const) {
    // Each program prints what it was handed; its folder stands before `/hosts/`.
    const line = odd[id]!;
    const programs = "mkdir() { :; }; cp() { printf '%s\\n' \"$@\"; }; cat() { printf '%s' \"$1\"; }; codex() { :; }";
    const shown =
      'show() { printf \'%s\\n\' "$OPENCODE_CONFIG_CONTENT" "$@"; }; gemini() { show "$@"; }; opencode() { show "$@"; }; claude() { show "$@"; }';
    const { stdout, stderr } = spawnSync("sh", ["-c", `${programs}; ${shown}; ${line}`], {
      encoding: "utf8",
      env: { HOME: "/home" },
    });
    expect(stderr).toBe("");
    const handed = stdout.split("\n").filter((text) => text.includes("/hosts/"));
    expect(handed.length).toBeGreaterThan(0);
    expect(handed.filter((text) => !text.startsWith(`${folder}/hosts/${id}/`))).toEqual([]);
  }
});

test("files that are for one role alone are started with it", () => {
  const alone = started((host) => entryFor(host, "zebra", true), "beds", "garden", ["a", "zebra"]).lines;
  expect(alone).toEqual(started((host) => entryFor(host), "beds", "garden", ["zebra"]).lines);
  expect(alone).not.toEqual(lines);
});

test.each([20, 80, undefined])("`rolecall hosts` never wraps a command, %s columns wide, and names a role", (width) => {
  const { plan, hosts } = started((host) => entryFor(host, "a"), "beds", "garden", ["a", "zebra"]);
  const page = hostPage(plan, hosts, { width, colour: false, ascii: false });
  const commands = hosts.flatMap((fitted) => {
    const role = shownRole(fitted);
    const { run, code } = startOf(fitted, role);
    return run === undefined ? (code ?? []) : [`rolecall start ${role} --host ${fitted.host.id}`, lineOf(fitted)];
  });
  expect(commands.length).toBeGreaterThan(15);
  const lines = page.split("\n");
  // An editor's own command isn't shown: it is one way of two.
  const shown = commands.filter((command) => command !== "cursor-agent");
  expect(shown.filter((command) => !lines.some((line) => line.endsWith(` ${command}`)))).toEqual([]);
  expect(page).not.toMatch(/<\w+>/);
});
