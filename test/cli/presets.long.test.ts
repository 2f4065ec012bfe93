import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { displayWidth } from "../../compiler/base/display-width.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";
import { rolecall } from "../support/fake-terminal.ts";
import { readModule } from "../support/module-facts.ts";
import { ROOT } from "../support/root.ts";
import { KNOWN } from "../presets/known-tools.ts";
import { manifestOf, ROLES, SERVERS, toolsOf } from "../presets/shipped.ts";

/** `rolecall presets`: what rolecall brings, shown and copied. */

interface ShownPreset {
  readonly name: string;
  readonly transports: readonly { readonly kind: string }[];
  readonly variables: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly also: readonly string[];
  }[];
  readonly scopes: readonly { readonly name: string; readonly tools: readonly { readonly name: string }[] }[];
  readonly text?: string;
}
interface Answer {
  readonly presets: readonly ShownPreset[];
  readonly roles: readonly { readonly name: string; readonly servers: readonly string[] }[];
}

async function gallery(...words: string[]): Promise<Answer> {
  return JSON.parse((await rolecall(["presets", ...words, "--json"])).out) as Answer;
}

async function namesFor(...words: string[]): Promise<string[]> {
  const { presets, roles } = await gallery(...words);
  return [...presets, ...roles].map(({ name }) => name);
}

describe("the list", () => {
  test("has all of them, each with what it was verified against, and asks no project", async () => {
    const { out, exit, asked } = await rolecall(["presets"], { width: 200 });
    expect(exit).toBe(0);
    expect(asked).toEqual([]);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^server +for +verified against$/);
    for (const [name, { preset }] of SERVERS) {
      const line = lines.find((one) => one.startsWith(`${name} `));
      expect(line).toContain(preset.verified ? `${preset.verified.version} of ${preset.verified.name}` : "unverified");
    }
    for (const name of ROLES.keys()) expect(lines.find((one) => one.startsWith(`${name} `))).toContain("github");
  });

  test("keeps what a server is for, and the version, where there is little room", async () => {
    const { out } = await rolecall(["presets", "sql"], { width: 80 });
    for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^pg-readonly +Reads a PostgreSQL database with S.*… +0\.6\.2 of @.*…$/m);
  });

  test("is searched by all that a preset says, in any order", async () => {
    // `postgres` is a name, whose page says that there is one to read with.
    expect((await namesFor("postgresql"))[0]).toBe("pg-readonly");
    expect(await namesFor("postgres", "read")).toEqual(["pg-readonly", "postgres"]);
    expect(await namesFor("READ-ONLY database")).toEqual(["mysql", "pg-readonly"]);
    expect(await namesFor("deploy_edge_function")).toEqual(["supabase"]);
    expect(await namesFor("NOTION_API_KEY")).toEqual(["notion"]);
    expect(await namesFor("tests")).toContain("tester");
  });

  test("says what to type where nothing fits", async () => {
    const { exit, err, out } = await rolecall(["presets", "gihub"]);
    expect([exit, out]).toEqual([64, ""]);
    expect(err).toContain("no preset fits `gihub`; did you mean `github`?");
  });
});

describe("one of them", () => {
  test("github: the three ways in, the other names of its token, what to do when it is down", async () => {
    const { out } = await rolecall(["presets", "github"], { width: 160 });
    expect(out).toContain("http https://api.githubcopilot.com/mcp/ (headers Authorization)");
    expect(out).toContain("stdio npx -y @modelcontextprotocol/server-github@2025.4.8");
    expect(out).toContain("GITHUB_TOKEN (optional)");
    expect(out).toContain("also accepted: GITHUB_PERSONAL_ACCESS_TOKEN, MAGSAG_MCP_GITHUB_PAT");
    expect(out).toContain("https://github.com/settings/personal-access-tokens");
    expect(out).toContain("`gh issue list`");
    expect(out).toContain("rolecall login github");
    expect(out).toContain("verified against  @modelcontextprotocol/server-github 2025.4.8");
    const file = out.slice(out.indexOf("mcp/presets/github.yaml, as --copy writes it"));
    expect(file.split("\n").slice(1).join("\n").replaceAll(/^ {2}/gm, "").trim()).toBe(
      SERVERS.get("github")!.text.trim(),
    );
  });

  test.each([
    ["postgres", ["30 s a call", "DATABASE_URL", "see also", "pg-readonly"]],
    ["pg-readonly", ["120/min, 30 s a call", "enforced by the database account", "only one statement that reads"]],
    ["trello", ["10 s a call", "TRELLO_MCP_URL", "TRELLO_API_KEY", "one for each session"]],
    ["slack", ["SLACK_MCP_URL", "SLACK_BOT_TOKEN"]],
    ["notion", ["NOTION_MCP_URL (optional)", "NOTION_API_KEY", "sse https://mcp.notion.com/sse"]],
    ["supabase", ["MAGSAG_MCP_SUPABASE_PROJECT_REF", "rolecall login supabase"]],
    ["obsidian", ["unverified", "notes aren't deleted", "Local REST API"]],
    ["fetch", ["unverified", "30/min, 30 s a call"]],
    ["tester", ["github, filesystem, pg-readonly, notion", "mcp/roles/tester.yaml, as --copy writes it"]],
  ])("%s", async (name, said) => {
    const { out, exit } = await rolecall(["presets", name], { width: 200 });
    expect(exit).toBe(0);
    for (const words of said) expect(out).toContain(words);
  });

  test.each([40, 80, 120])("its facts fit %i columns", async (width) => {
    const { out } = await rolecall(["presets", "azure-devops"], { width });
    const facts = out.slice(0, out.indexOf("\n\n")).split("\n");
    expect(facts.length).toBeGreaterThan(20);
    for (const line of facts.filter((one) => one.trim().includes(" ")))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });
});

test("as JSON it is enough for a form: name, how it is reached, what must be set, tools by scope, roles", async () => {
  const { presets, roles } = await gallery();
  expect(presets.map(({ name }) => name)).toEqual([...SERVERS.keys()]);
  expect(roles.map(({ name }) => name)).toEqual([...ROLES.keys()]);
  for (const { transports, scopes, text } of presets) {
    expect(transports.length).toBeGreaterThan(0);
    expect(scopes.every(({ tools }) => tools.length > 0)).toBe(true);
    expect(text).toBeUndefined();
  }
  const {
    presets: [one],
  } = await gallery("slack");
  expect(one!.text).toBe(SERVERS.get("slack")!.text);
  expect(one!.variables).toMatchObject([
    { name: "SLACK_BOT_TOKEN", required: true },
    { name: "SLACK_MCP_URL", required: true },
    { name: "SLACK_TEAM_ID", required: true },
  ]);
});

describe("--copy", () => {
  let project: CaptureProject;
  beforeEach(() => {
    project = captureProject();
    project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  });
  afterEach(() => project.remove());

  test("puts files where they belong, as they are here, and writes nothing else", async () => {
    const { exit, out } = await project.run(["presets", "github", "slack", "--copy"]);
    expect(exit).toBe(0);
    expect(out).toContain("copied mcp/presets/github.yaml\ncopied mcp/presets/slack.yaml\n");
    expect(out).toContain("github: { preset: github }");
    expect(out).toContain("rolecall capture github slack");
    for (const name of ["github", "slack"])
      expect(project.read(`mcp/presets/${name}.yaml`)).toBe(SERVERS.get(name)!.text);
    expect(filesOf(project.dir)).toEqual([
      "mcp/presets/.upstream/github.yaml",
      "mcp/presets/.upstream/slack.yaml",
      "mcp/presets/github.yaml",
      "mcp/presets/slack.yaml",
      "rolecall.yaml",
    ]);
  });

  test("goes to the folder that the project names", async () => {
    project.write("rolecall.yaml", "version: 1\nproject: harbor\nfolder: access\n");
    await project.run(["presets", "memory", "lead", "--copy"]);
    expect(filesOf(project.dir)).toEqual([
      "access/presets/.upstream/memory.yaml",
      "access/presets/memory.yaml",
      "access/roles/lead.yaml",
      "rolecall.yaml",
    ]);
  });

  test("never overwrites: it says what differs", async () => {
    await project.run(["presets", "github", "memory", "--copy"]);
    const mine = SERVERS.get("github")!
      .text.replace("timeout: 10s", "timeout: 20s")
      .replace(/^title: .*\n/m, "");
    project.write("mcp/presets/github.yaml", mine);
    project.write("mcp/presets/memory.yaml", `# ours\n${SERVERS.get("memory")!.text}`);
    const { exit, out } = await project.run(["presets", "github", "memory", "fetch", "--copy"]);
    expect(exit).toBe(1);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "copied mcp/presets/fetch.yaml mcp/presets/github.yaml is there and was left as it is; it differs in server.limits.timeout, title " +
        "mcp/presets/memory.yaml is there and was left as it is; it differs in comments and layout only",
    );
    expect(project.read("mcp/presets/github.yaml")).toBe(mine);
    expect(await project.run(["presets", "github", "slack", "--copy", "--quiet"])).toMatchObject({
      exit: 1,
      out: "",
      err: expect.stringMatching(/^mcp\/presets\/github\.yaml is there and was left[^]*timeout, title\n$/),
    });
    project.write("mcp/presets/fetch.yaml", "{ not: [yaml");
    expect((await project.run(["presets", "fetch", "--copy"])).out).toContain("it can't be read as YAML");
  });

  test("a second time there is nothing to do", async () => {
    await project.run(["presets", "github", "--copy"]);
    expect(await project.run(["presets", "github", "--copy"])).toMatchObject({
      exit: 0,
      out: expect.stringContaining("mcp/presets/github.yaml is there, as rolecall brings it"),
    });
  });

  test("mends the build that misses it, and brings no role that is declared already", async () => {
    project.write(
      "mcp/a.yaml",
      "servers: { github: { preset: github } }\nroles: { lead: { tools: { github: all } } }\n",
    );
    const { err } = await project.run(["build"]);
    expect(err).toContain("`rolecall presets github --copy` brings it");
    const { exit, out } = await project.run(["presets", "github", "lead", "--copy"]);
    expect([exit, out]).toEqual([
      1,
      "copied mcp/presets/github.yaml\nthe role is declared in mcp/a.yaml, so mcp/roles/lead.yaml wasn't written\n",
    ]);
    const { err: after } = await project.run(["build"]);
    expect(after).toContain("the preset `github` needs the manifest of `github`");
  });

  test("of a role what the project has no server for is comments, and it builds", async () => {
    project.write("mcp/a.yaml", "servers: { filesystem: { preset: filesystem } }\n");
    project.write("mcp/manifests/filesystem.json", manifestOf("filesystem", toolsOf(KNOWN["filesystem"]!)));
    const { out } = await project.run(["presets", "filesystem", "tester", "--copy"]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("doesn't declare: github, pg-readonly, notion");
    expect(project.read("mcp/roles/tester.yaml")).toContain("      # pg-readonly: read-only\n");
    expect(await project.run(["build"])).toMatchObject({ exit: 0 });
    expect((await project.run(["explain", "tester", "filesystem.write_file"])).out).toContain("tests/**");
  });

  test.each<[string, string, string, string[], string[]]>([
    [
      "pg-readonly",
      "query",
      "sql",
      ["select 1", " SELECT * FROM a WHERE b = 'c';", "With x as (select 1) select * from x", "EXPLAIN select 1"],
      [
        "INSERT INTO a VALUES (1)",
        "select 1; drop table a",
        "COMMIT; delete from a",
        "explain analyze delete from a",
        "",
      ],
    ],
    [
      "s3",
      "call_aws",
      "cli_command",
      ["aws s3 ls", "aws s3 ls s3://a/b --recursive", "aws s3api head-object --bucket a --key b/c-d.txt"],
      ["aws s3 cp s3://a/b .", "aws s3 ls; id", "aws iam list-users", "aws s3 ls --endpoint-url https://b.example"],
    ],
  ])("the guard of %s lets reading through and nothing else", async (name, tool, argument, passes, refused) => {
    const tools = [{ name: tool, readOnly: false, destructive: true, arguments: [argument] }];
    const others = [{ name: "suggest_aws_commands", readOnly: true, destructive: false, arguments: [] }];
    project.write("mcp/a.yaml", `servers: { it: { preset: ${name} } }\nroles: { r: { tools: { it: [${tool}] } } }\n`);
    project.write("mcp/manifests/it.json", manifestOf("it", [...tools, ...others]));
    await project.run(["presets", name, "--copy"]);
    const exitOf = async (text: string) =>
      (await project.run(["explain", "r", `it.${tool}`, "--args", JSON.stringify({ [argument]: text })])).exit;
    for (const text of passes) expect([text, await exitOf(text)]).toEqual([text, 0]);
    for (const text of refused) expect([text, await exitOf(text)]).toEqual([text, 2]);
  });

  test("names complete in a shell", async () => {
    const { out } = await project.run(["completion", "--words", "--", "presets", "github", "pg"]);
    expect(out).toBe("pg-readonly\n");
  });

  test("answers as JSON", async () => {
    const { out } = await project.run(["presets", "github", "lead", "--copy", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      copied: [
        { name: "github", kind: "server", file: "mcp/presets/github.yaml", state: "copied", differs: [], without: [] },
        {
          name: "lead",
          kind: "role",
          file: "mcp/roles/lead.yaml",
          state: "copied",
          without: expect.arrayContaining(["github"]),
        },
      ],
    });
  });

  test("wants names that are there, and a project", async () => {
    expect(await project.run(["presets", "--copy"])).toMatchObject({ exit: 64 });
    const { exit, err } = await project.run(["presets", "github", "slak", "--copy"]);
    expect([exit, err]).toEqual([64, expect.stringContaining("there is no preset `slak`; did you mean `slack`?")]);
    expect(filesOf(project.dir)).toEqual(["rolecall.yaml"]);
    project.write("rolecall.yaml", "version: 1\nproject: harbor\nserver: {}\n");
    const broken = await project.run(["presets", "github", "--copy"]);
    expect([broken.exit, broken.err]).toEqual([1, expect.stringContaining("nothing was copied: mend these first")]);
  });
});

function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes(".rolecall"))
    .map((file) => path.relative(dir, path.join(file.parentPath, file.name)))
    .sort();
}

/** An upgrade of rolecall changes no server of anyone's: what the package brings is read by those who show or copy it. */
test("no build can read the presets of the package", () => {
  const reader = "compiler/io/read/shipped-presets.ts";
  const modules = readdirSync(path.join(ROOT, "compiler"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.posix.join("compiler", file.split(path.sep).join("/")));
  const importing = modules.filter((file) =>
    readModule(file, readFileSync(path.join(ROOT, file), "utf8")).imports.some(
      ({ specifier, types }) => !types && path.posix.join(path.posix.dirname(file), specifier) === reader,
    ),
  );
  expect(importing.sort()).toEqual([
    "compiler/cli/add/refresh.ts",
    "compiler/cli/add/run.ts",
    "compiler/cli/completion/run.ts",
    "compiler/cli/import/run.ts",
    "compiler/cli/presets/copy.ts",
    "compiler/cli/presets/run.ts",
  ]);
  const naming = modules.filter((file) => readFileSync(path.join(ROOT, file), "utf8").includes("compiler/presets"));
  expect(naming).toEqual([reader]);
});
