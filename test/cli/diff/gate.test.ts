import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** `--fail-on` on real branches: what passes, on whose word, and what machines are told. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const manifest = (description = "Reads.", more: object = {}): string =>
  JSON.stringify({
    server: "files",
    tools: [
      { name: "read", description, inputSchema: { type: "object", properties: { path: { type: "string" } } }, ...more },
      { name: "write", inputSchema: { type: "object" } },
      { name: "write_all", inputSchema: { type: "object" } },
    ],
  });
const roles = (tools: string): string => `roles: { docs: { tools: { files: ${tools} } } }\n`;
const PROJECT_YAML = "version: 1\nproject: harbor\n";

let project: GitProject;
let dir: string;
/** The project lies below the repository's root, as in a repository of several. */
beforeEach(() => {
  const root = temporaryFolder();
  folders.push(root);
  project = openGitProject(root);
  dir = path.join(root, "apps/bot");
  project.git("init", "-q", "-b", "main");
  write({
    "rolecall.yaml": PROJECT_YAML,
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": manifest(),
    "mcp/roles.yaml": roles("[read]"),
  });
  project.write({ ".github/CODEOWNERS": "/apps/bot/mcp/ @alice\n" });
  project.commit("start");
});

const write = (edit: Record<string, string | undefined>): void =>
  project.write(Object.fromEntries(Object.entries(edit).map(([file, text]) => [`apps/bot/${file}`, text])));
const diff = (...args: string[]) => run(["diff", ...args], dir);
/** As it is on main, and as it is on the branch that changes it. */
const onMain = (edit: Record<string, string>): void => {
  write(edit);
  project.commit("main");
};
const branch = (edit: Record<string, string | undefined>): void => {
  project.git("checkout", "-q", "-b", "work");
  write(edit);
  project.commit("work");
};

describe("which changes are named", () => {
  test.each<[string, Record<string, string>, string, number]>([
    ["a tool, by its kind", { "mcp/roles.yaml": roles("[read, write]") }, "widens:tool", 2],
    ["another kind", { "mcp/roles.yaml": roles("[read, write]") }, "widens:guard,delegate", 0],
    ["what is graver than changed", { "mcp/roles.yaml": roles("[read, write]") }, "changed:schema", 2],
    ["a text", { "mcp/manifests/files.json": manifest("Reads all.") }, "changed:text", 2],
    [
      "a text, where schema and hints count",
      { "mcp/manifests/files.json": manifest("Reads all.") },
      "changed:schema,hints",
      0,
    ],
    [
      "a hint",
      { "mcp/manifests/files.json": manifest("Reads.", { annotations: { readOnlyHint: true } }) },
      "changed:schema,hints",
      2,
    ],
    ["a text, where widenings count", { "mcp/manifests/files.json": manifest("Reads all.") }, "widens", 0],
    ["both lists", { "mcp/manifests/files.json": manifest("Reads all.") }, "widens:tool,changed:hints,text", 2],
  ])("%s", async (_, edit, names, exit) => {
    branch(edit);
    expect((await diff("--fail-on", names, "--quiet")).exit).toBe(exit);
  });

  test.each(["narrows", "widens:text", "changed:", "tool", "widens,,changed", "widens:tool:x", ""])(
    "%s is no list of them",
    async (names) => expect((await diff("--fail-on", names)).exit).toBe(64),
  );
});

describe("exceptions of rolecall.yaml", () => {
  const exception = (until: string, tools = "files.write"): string =>
    `${PROJECT_YAML}diff:\n  exceptions:\n    - { roles: [doc*], tools: [${tools}], direction: widens, reason: the move, until: ${until} }\n`;

  test("pass by what they name, and nothing beside it", async () => {
    onMain({ "rolecall.yaml": exception("2999-01-01") });
    branch({ "mcp/roles.yaml": roles("[read, write]") });
    const { exit, printed } = await diff("--fail-on", "widens");
    expect([exit, printed]).toEqual([0, expect.stringContaining("1 change passed by until 2999-01-01: the move")]);
    write({ "mcp/roles.yaml": roles("[read, write, write_all]") });
    const more = await diff("--fail-on", "widens");
    expect([more.exit, more.printed]).toEqual([2, expect.stringContaining("--fail-on widens: 1 finding")]);
  });

  test("count until their last day", async () => {
    onMain({ "rolecall.yaml": exception("2020-01-01") });
    branch({ "mcp/roles.yaml": roles("[read, write]") });
    const { exit, printed } = await diff("--fail-on", "widens");
    expect([exit, printed]).toEqual([2, expect.stringContaining("an exception ended on 2020-01-01")]);
  });

  test("that the change brings itself are shown, and don't count", async () => {
    branch({ "mcp/roles.yaml": roles("[read, write]"), "rolecall.yaml": exception("2999-01-01", '"*"') });
    const { exit, printed } = await diff("--fail-on", "widens");
    expect(exit).toBe(2);
    expect(printed).toContain("+ exception until 2999-01-01: doc* widens on * (the move)");
  });

  test("that main took back since don't count", async () => {
    onMain({ "rolecall.yaml": exception("2999-01-01") });
    branch({ "mcp/roles.yaml": roles("[read, write]") });
    project.git("checkout", "-q", "main");
    onMain({ "rolecall.yaml": PROJECT_YAML });
    project.git("checkout", "-q", "work");
    expect((await diff("--fail-on", "widens", "--quiet")).exit).toBe(2);
  });

  test("that match nothing are told, where there is something", async () => {
    onMain({ "rolecall.yaml": exception("2999-01-01", "files.other") });
    expect((await diff()).printed).not.toContain("exception");
    branch({ "mcp/roles.yaml": roles("[read, write]") });
    expect((await diff()).printed).toContain("matches nothing here: the move");
  });

  test("take no server, rule or delegate out of sight", async () => {
    onMain({ "rolecall.yaml": exception("2999-01-01", '"*"') });
    branch({ "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [other] }] }\n" });
    expect((await diff("--fail-on", "widens", "--quiet")).exit).toBe(2);
  });

  test("build the same bytes", async () => {
    await run(["build", "--quiet"], dir);
    const outputs = (): Record<string, string> =>
      Object.fromEntries(Object.entries(project.tree()).filter(([file]) => file.includes("/src/mcp/")));
    const before = outputs();
    write({
      "rolecall.yaml": exception("2020-01-01"),
      "mcp/approved.yaml": approved("alice", `sha256:${"0".repeat(64)}`),
    });
    await run(["build", "--quiet"], dir);
    expect(Object.keys(before).length).toBeGreaterThan(5);
    expect(outputs()).toEqual(before);
  });
});

const DAY = 24 * 60 * 60 * 1000;
const approved = (by: string, digest: string, daysAgo = 0): string =>
  `approved:\n  - { digest: "${digest}", by: ${by}, reason: agreed, date: ${new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10)} }\n`;

describe("an approval", () => {
  const widened = { "mcp/roles.yaml": roles("[read, write]") };
  const digest = async (): Promise<string> => (await diff("--digest")).printed.trim();

  test("in the base, of exactly this change", async () => {
    branch(widened);
    const yes = await digest();
    project.git("checkout", "-q", "main");
    onMain({ "mcp/approved.yaml": approved("alice", yes) });
    project.git("checkout", "-q", "work");
    const { exit, printed } = await diff("--fail-on", "widens");
    expect([exit, printed]).toEqual([
      0,
      expect.stringContaining("approved by alice (block in apps/bot/mcp/approved.yaml)"),
    ]);
    project.git("rebase", "-q", "main");
    expect((await diff("--fail-on", "widens", "--quiet")).exit).toBe(0);
    write({ "mcp/roles.yaml": roles("[read, write, write_all]") });
    expect((await diff("--fail-on", "widens", "--quiet")).exit).toBe(2);
  });

  test("ends when the tool that is gained gets another definition", async () => {
    branch(widened);
    const yes = await digest();
    project.git("checkout", "-q", "main");
    onMain({ "mcp/approved.yaml": approved("alice", yes) });
    project.git("checkout", "-q", "work");
    project.git("rebase", "-q", "main");
    write({ "mcp/manifests/files.json": manifest().replace('"write"', '"write","description":"Sends it on."') });
    expect((await diff("--fail-on", "widens", "--quiet")).exit).toBe(2);
  });

  test.each<[string, string[], number]>([
    ["its author owns the file", ["--author", "alice"], 0],
    ["somebody else pushed too", ["--author", "alice,mallory"], 2],
    ["another opened it", ["--author", "mallory"], 2],
    ["nobody said whose it is", [], 2],
  ])("brought by the change itself, and %s", async (_, args, exit) => {
    branch(widened);
    write({ "mcp/approved.yaml": approved("alice", await digest()) });
    expect((await diff("--fail-on", "widens", "--quiet", ...args)).exit).toBe(exit);
  });

  test("counts for 30 days", async () => {
    branch(widened);
    const yes = await digest();
    const after = (days: number) => {
      write({ "mcp/approved.yaml": approved("alice", yes, days) });
      return diff("--fail-on", "widens", "--quiet", "--author", "alice");
    };
    expect([(await after(29)).exit, (await after(32)).exit]).toEqual([0, 2]);
  });

  test("by a CODEOWNERS of the change itself doesn't count", async () => {
    branch(widened);
    project.write({ ".github/CODEOWNERS": "* @mallory\n" });
    write({ "mcp/approved.yaml": approved("mallory", await digest()) });
    const { exit, printed } = await diff("--fail-on", "widens", "--author", "mallory");
    expect([exit, printed]).toEqual([2, expect.stringMatching(/mallory doesn't\s+own its file/)]);
  });

  test("by who owned it where the change began, and not any more", async () => {
    branch(widened);
    project.git("checkout", "-q", "main");
    project.write({ ".github/CODEOWNERS": "* @bob\n" });
    project.commit("alice left");
    project.git("checkout", "-q", "work");
    write({ "mcp/approved.yaml": approved("alice", await digest()) });
    expect((await diff("--fail-on", "widens", "--quiet", "--author", "alice")).exit).toBe(2);
  });

  test("by a comment that CI hands in", async () => {
    onMain({ "rolecall.yaml": `${PROJECT_YAML}diff: { approvers: [carol] }\n` });
    branch(widened);
    const events = {
      format: 1,
      comments: [{ by: "carol", body: `rolecall: approve ${await digest()}`, edited: false }],
    };
    write({ "../../events.json": JSON.stringify(events) });
    const args = ["--fail-on", "widens", "--quiet", "--approvals", "../../events.json"];
    expect((await diff(...args, "--author", "mallory")).exit).toBe(0);
    expect((await diff(...args, "--author", "carol")).exit).toBe(2);
    expect((await diff(...args)).exit).toBe(2);
    write({ "../../events.json": "{}" });
    expect((await diff(...args, "--author", "mallory")).exit).toBe(3);
  });
});

describe("for machines", () => {
  const HOSTILE = "Reads.\u202e%0A::error::x\n::set-output name=a::b ##[error]c";
  beforeEach(() =>
    branch({
      "mcp/roles.yaml": roles("{ include: [read, write], ask: [read] }"),
      "mcp/manifests/files.json": manifest(HOSTILE, {
        inputSchema: { type: "object", properties: { path: { type: "string" }, "a,b:c%\n::error::d": {} } },
      }),
    }),
  );

  test("workflow commands, each at its line in the repository, none of a stranger's making", async () => {
    const { exit, printed } = await diff("--fail-on", "widens", "--format", "github");
    const lines = printed.trimEnd().split("\n");
    expect(exit).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(
        /^::error file=apps\/bot\/mcp\/roles\.yaml,line=1,title=access widens::docs: files\.write; allowed now, for example: write \{\}$/,
      ),
      expect.stringMatching(
        /^::warning file=apps\/bot\/mcp\/manifests\/files\.json,line=1,title=access changed::docs: files\.read changed: its arguments or result, its texts; [^\n]*%25\\n::error::d/,
      ),
      expect.stringMatching(
        /^access WIDENS: docs may now call files\.write without a person's yes; SUSPICIOUS text for your agents: files\.read /,
      ),
      "refused by --fail-on widens: 1 finding",
    ]);
  });

  test("SARIF, with fingerprints that stay when lines move", async () => {
    const sarif = async () => JSON.parse((await diff("--sarif")).printed) as Sarif;
    const first = await sarif();
    expect(sarifFaults(first)).toEqual([]);
    const shown = first.runs[0]!.results.map(({ ruleId, level, locations: [at] }) => [
      ruleId,
      level,
      at!.physicalLocation.artifactLocation.uri,
    ]);
    expect(shown).toEqual([
      ["access/widens-tool", "warning", "apps/bot/mcp/roles.yaml"],
      ["access/changed-definition", "warning", "apps/bot/mcp/manifests/files.json"],
    ]);
    write({ "mcp/roles.yaml": `# moved\n\n\n${roles("{ include: [read, write], ask: [read] }")}` });
    const second = await sarif();
    const line = (from: Sarif) => from.runs[0]!.results[0]!.locations[0]!.physicalLocation.region.startLine;
    expect([line(first), line(second)]).toEqual([1, 4]);
    const prints = (from: Sarif) => from.runs[0]!.results.map((one) => one.partialFingerprints);
    expect(prints(second)).toEqual(prints(first));
    expect(new Set(prints(first).map((one) => JSON.stringify(one))).size).toBe(2);
  });
});

interface Sarif {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly partialFingerprints: Readonly<Record<string, string>>;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

/** What the schema of SARIF 2.1.0 and GitHub's reader ask of what is written here. */
function sarifFaults({ version, runs }: Sarif): string[] {
  const faults: string[] = [];
  const ask = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  ask(version === "2.1.0", "version");
  ask(runs.length >= 1 && runs.length <= 20, "runs");
  for (const { tool, results } of runs) {
    const ids = tool.driver.rules.map(({ id }) => id);
    ask(tool.driver.name !== "" && new Set(ids).size === ids.length, "rules");
    ask(results.length <= 5000, "too many results");
    for (const { ruleId, ruleIndex, level, message, partialFingerprints, locations } of results) {
      ask(ids[ruleIndex] === ruleId, "ruleIndex");
      ask(["none", "note", "warning", "error"].includes(level), "level");
      ask(message.text !== "", "message");
      ask(
        Object.values(partialFingerprints).every((one) => /^[0-9a-f]{64}$/.test(one)),
        "fingerprint",
      );
      ask(locations.length === 1, "one place each");
      for (const { physicalLocation: at } of locations) {
        ask(!/^\/|\\|\s|^[a-z]+:/i.test(at.artifactLocation.uri), "a relative URI");
        ask(at.artifactLocation.uriBaseId === "%SRCROOT%", "base");
        ask(Number.isInteger(at.region.startLine) && at.region.startLine >= 1, "line");
      }
    }
  }
  return faults;
}
