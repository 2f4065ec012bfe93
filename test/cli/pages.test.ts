import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../compiler/base/display-width.ts";
import { visible } from "../../compiler/base/visible.ts";
import { planJson } from "../../compiler/3-plan/plan-json.ts";
import { planText } from "../../compiler/cli/plan/command.ts";
import { tableLines, text } from "../../compiler/cli/table.ts";
import { rolecall } from "../support/fake-terminal.ts";
import { sampleProject, wideProject } from "../support/sample-project.ts";

const WIDTHS = [40, 80, 120];
const PAGES = [
  ["explain", "tester", "github.create_issue"],
  ["explain", "reader", "files.read_file"],
  ["explain", "github.create_issue"],
  ["explain", "source/no-project"],
  ["inspect", "github"],
  ["ls"],
  ["image"],
  ["report"],
  ["report", "--server", "files"],
  ["report", "--tokens"],
];

describe.each(PAGES.map((argv) => [argv]))("%j", (argv) => {
  test.each(WIDTHS)("fits %i columns", async (width) => {
    const { out } = await rolecall(argv, { width });
    for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test("colour changes nothing but colour", async () => {
    const coloured = await rolecall(argv, { width: 80, isTerminal: true });
    expect(stripVTControlCharacters(coloured.out)).toBe((await rolecall(argv, { width: 80 })).out);
  });

  test("a terminal without UTF-8 gets ASCII", async () => {
    const { out } = await rolecall(argv, { width: 40, env: { LANG: "C" } });
    expect(out).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe("explain", () => {
  test("asked: the grant first, then what restricts, each with its line", async () => {
    expect((await rolecall(["explain", "tester", "github.create_issue"], { width: 80 })).out).toBe(
      [
        "tester may call github.create_issue: asked, each call needs a yes",
        "",
        "why",
        "  granted by tester: `*`",
        '    mcp/team.yaml:27  github: { include: ["*"], exclude: [merge_*] }',
        "  asked for by the policy `creating is asked`",
        "    mcp/team.yaml:29  - name: creating is asked",
        "",
        "who else",
        "  no other role holds it",
        "",
      ].join("\n"),
    );
  });

  test("allowed where: the conditions in words", async () => {
    const { out } = await rolecall(["explain", "tester", "files.write_file"]);
    expect(out).toContain(
      "tester may call files.write_file: allowed\n  only where  path must match the glob `tests/**`\n",
    );
    expect(out).toContain("conditioned by tester: `write_file`\n    mcp/team.yaml:26");
  });

  test("denied: what took it away, and who holds it", async () => {
    expect((await rolecall(["explain", "tester", "github.merge_pull_request"])).out).toContain(
      'can\'t call github.merge_pull_request: denied\n\nwhy\n  granted by tester: `*`\n    mcp/team.yaml:27  github: { include: ["*"], exclude: [merge_*] }\n  excluded by tester: `merge_*`\n    mcp/team.yaml:27',
    );
    const unmentioned = (await rolecall(["explain", "reader", "files.write_file"])).out;
    expect(unmentioned).toContain("neither reader nor a role that it extends mentions files\n    mcp/team.yaml:18");
    expect(unmentioned).toContain("who else\n  allowed (where)  tester\n");
  });

  test("a tool: every role, how and why", async () => {
    const rows = (await rolecall(["explain", "github.create_issue"])).out
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(["github.create_issue: held by 1 of 2 roles"]);
    expect(rows).toContainEqual(["role", "how", "why", "line"]);
    expect(rows).toContainEqual(["reader", "denied", "nothing grants it", "mcp/team.yaml:19"]);
    expect(rows).toContainEqual(["tester", "asked", "asked for by the policy `creating is asked`", "mcp/team.yaml:29"]);
  });

  test("JSON has the verdict, the reasons in order and their lines", async () => {
    const answer = JSON.parse((await rolecall(["explain", "tester", "github.create_issue", "--json"])).out);
    expect(answer).toMatchObject({
      format: 1,
      role: "tester",
      server: "github",
      tool: "create_issue",
      effect: "ask",
      where: [],
      alsoHeldBy: [],
    });
    expect(
      answer.because.map((reason: { rule: string; from: { line: number } }) => [reason.rule, reason.from.line]),
    ).toEqual([
      ["include", 27],
      ["policy", 29],
    ]);
  });
});

describe("ls", () => {
  test("variables are set or not, by any accepted name, and values are never shown", async () => {
    const env = { GH_TOKEN: "s3cret-value", LOG_LEVEL: "" };
    const { out } = await rolecall(["ls"], { env, width: 120 });
    expect(out).toContain("GITHUB_TOKEN set");
    expect(out).toContain("LOG_LEVEL not set, optional");
    const json = await rolecall(["ls", "--json"], { env });
    expect(out + json.out).not.toContain("s3cret");
    expect(JSON.parse(json.out).servers[1].variables).toEqual([
      { name: "GITHUB_TOKEN", required: true, set: true },
      { name: "LOG_LEVEL", required: false, set: false },
    ]);
    expect((await rolecall(["ls"], { width: 120 })).out).toContain("GITHUB_TOKEN not set");
  });

  test("a server without a manifest says so", async () => {
    expect((await rolecall(["ls"], { width: 120 })).out).toMatch(/notes +stdio +30 s +1 unpinned +reader/);
  });
});

describe("inspect", () => {
  test("facts, hints, labels, holders; headers and env by name only", async () => {
    const { out } = await rolecall(["inspect", "github"], { width: 120 });
    expect(out).toContain("http https://api.example.com/mcp/ (headers Authorization)");
    expect(out).toContain("stdio npx -y github-mcp@1.0.0 (env LEVEL, TOKEN)");
    expect(out).not.toContain("Bearer");
    expect(out).toContain("60/min, 4 at once, 30 s");
    expect(out).toMatch(/create_issue +writes +external +tester \(asked\) +Does create_issue\.\n/);
    expect(out).toMatch(/merge_pull_request +destructive +no role/);
  });

  test("--tool shows the schema as it was sent", async () => {
    const { out } = await rolecall(["inspect", "files", "--tool", "read_file"]);
    expect(out).toContain("And more that nobody reads.");
    expect(JSON.parse(out.slice(out.indexOf("arguments\n") + 10))).toEqual(
      sampleProject().plan.servers[0]!.tools[0]!.definition().inputSchema,
    );
  });

  test("names are shown whole before descriptions are", async () => {
    const { out } = await rolecall(["inspect", "github"], { width: 80 });
    expect(out).toContain("\nmerge_pull_request  ");
  });
});

describe("report", () => {
  test("counts of tools held, asked and conditioned", async () => {
    expect((await rolecall(["report"], { width: 80 })).out).toBe(
      [
        "role    files            github         notes       tokens, about",
        "reader  ·                1 of 3         1 unpinned  37 of 114, 1 unpinned",
        "tester  2 of 2, 1 where  2 of 3, 1 ask  ·           148 of 188",
        "",
        "neither a label nor a hint says what these are, so they count for no",
        "  combination: notes.search",
        "",
      ].join("\n"),
    );
  });

  test("where it gets narrow, counts stand below each other", async () => {
    expect((await rolecall(["report"], { width: 40 })).out).toContain(
      "tester  2 of 2   2 of 3  ·\n        1 where  1 ask\n",
    );
  });

  test("one server, tool by tool", async () => {
    const { out } = await rolecall(["report", "--server", "github"], { width: 80 });
    expect(out).toContain("create_issue        ·       ?\n");
    expect(out).toContain("list_issues         ●       ●\n");
    expect((await rolecall(["report", "--server", "files"], { width: 80 })).out).toContain("nothing here for: reader");
  });

  test.each(WIDTHS)("many roles and servers are split into tables that fit %i columns, none lost", async (width) => {
    const project = wideProject(9, 14, 3);
    for (const argv of [["report"], ["report", "--server", "server-number-3"]]) {
      const { out } = await rolecall(argv, { project, width });
      for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const names = argv.length === 1 ? project.plan.servers.map((s) => s.name) : project.plan.roles.map((r) => r.name);
      for (const name of names) expect(out).toContain(name);
    }
  });

  test("in a pipe nothing is split or cut", async () => {
    const { out } = await rolecall(["report"], { project: wideProject(2, 30) });
    expect(out.trimEnd().split("\n")).toHaveLength(3);
  });

  test("Markdown", async () => {
    expect((await rolecall(["report", "--markdown"])).out).toBe(
      [
        "| role | `files` | `github` | `notes` | tokens, about |",
        "| --- | --- | --- | --- | --- |",
        "| `reader` |  | 1 of 3 | 1 unpinned | 37 of 114, 1 unpinned |",
        "| `tester` | 2 of 2, 1 where | 2 of 3, 1 ask |  | 148 of 188 |",
        "",
        "- neither a label nor a hint says what these are, so they count for no combination: `notes.search`",
        "",
      ].join("\n"),
    );
    expect((await rolecall(["report", "--markdown", "--server", "files"])).out).toContain(
      "| `write_file` | allow, where |\n",
    );
  });
});

describe("plan", () => {
  test("the streamed text is the plan's JSON", () => {
    const { plan, locate } = sampleProject();
    const whole = [...planText(plan, locate)].join("");
    expect(JSON.parse(whole)).toEqual(planJson(plan, locate));
    const empty = { ...plan, servers: [], roles: [] };
    expect(JSON.parse([...planText(empty, locate)].join(""))).toEqual(planJson(empty, locate));
  });

  test("decisions that are one object are said once for each tool", () => {
    const { plan, locate } = wideProject(1, 1, 6);
    const { roles } = JSON.parse(JSON.stringify(planJson(plan, locate)));
    expect(roles[0].servers[0].tools.map((tool: { effect: string }) => tool.effect)).toEqual([
      "ask",
      "allow",
      "allow",
      "ask",
      "allow",
      "allow",
    ]);
  });

  test("every decision has its effect, conditions, reasons and lines", () => {
    const { plan, locate } = sampleProject();
    const { roles } = JSON.parse(JSON.stringify(planJson(plan, locate)));
    expect(roles[1].servers[0].tools[1]).toEqual({
      name: "write_file",
      effect: "allow",
      where: [{ argument: "path", conditions: [{ glob: "tests/**" }] }],
      because: [
        { rule: "include", written: "*", by: "tester", from: { file: "mcp/team.yaml", line: 24, column: 19 } },
        { rule: "where", written: "write_file", by: "tester", from: { file: "mcp/team.yaml", line: 26, column: 11 } },
      ],
    });
  });
});

describe("hostile names", () => {
  const names = [
    "a\u001b[2J\u202eb",
    "`|<img src=x>|`",
    "__proto__",
    "",
    "x".repeat(10_000),
    "日本語ツール",
    "two\nlines",
    "1",
  ];
  test.each(names.map((name) => [name.slice(0, 30), name]))("a tool called %j breaks no page", async (_, name) => {
    const project = sampleProject({ name, description: "\u001b]0;x\u0007 | `" });
    for (const argv of [
      ["explain", `files.${name}`],
      ["explain", "tester", `files.${name}`],
      ["inspect", "files"],
      ["inspect", "files", "--json"],
      ["report", "--server", "files"],
      ["plan"],
    ]) {
      const { exit, out } = await rolecall(argv, { project, width: 80 });
      expect(exit).toBe(0);
      const line = out.replaceAll("\n", "");
      expect(line).toBe(visible(line));
    }
    const markdown = (await rolecall(["report", "--markdown", "--server", "files"], { project })).out
      .trimEnd()
      .split("\n");
    for (const row of markdown) expect(row.match(/(?<!\\)\|/g)).toHaveLength(3);
  });

  test("JSON of a hostile plan is still the plan", () => {
    const { plan, locate } = sampleProject({ name: "__proto__\u202e" });
    const read = JSON.parse([...planText(plan, locate)].join(""));
    expect(read.servers[0].tools[0].name).toBe("__proto__\u202e");
  });
});

describe("tables", () => {
  const style = { colour: false, width: 30 };
  const columns = [
    { title: "name" },
    { title: "n", align: "right" as const },
    { title: "about", mayShrink: true as const },
  ];

  test("a column that may shrink is cut to what the others leave", () => {
    expect(
      tableLines({ columns, rows: [[text("日本"), text("12"), text("a long description of it all")]] }, style),
    ).toEqual(["name   n  about", "日本  12  a long description …"]);
  });

  test("pieces go below each other before anything is cut into blocks", () => {
    const rows = [[text("one"), text("1"), [{ text: "first piece" }, { text: "second piece" }]]];
    expect(tableLines({ columns, rows }, style)).toEqual([
      "name  n  about",
      "one   1  first piece",
      "         second piece",
    ]);
  });

  test("what can't be a table becomes a block for each row", () => {
    const rows = [[text("a name of quite some length"), text("1"), text("and words about it that are long")]];
    expect(tableLines({ columns, rows }, style)).toEqual([
      "a name of quite some length",
      "  n      1",
      "  about  and words about it",
      "         that are long",
    ]);
  });
});
