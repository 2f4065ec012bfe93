import { describe, expect, test } from "vitest";
import { build } from "../../support/built-project.ts";

/** What a reviewer sees of the hosts: in ACCESS.md, and in the plan. */
const tool = { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

function compiled(hosts: string, more = "") {
  return build(
    {
      "rolecall.yaml": `version: 1\nproject: seen\nhosts: [${hosts}]\n`,
      "mcp/team.yaml": `
servers:
  notes: { connect: [{ http: https://notes.example/mcp, headers: { Authorization: "\${TOKEN:+Bearer \${TOKEN}}" } }] }
roles:
  reader: { tools: { notes: all } }
  writer: { ${more}tools: { notes: { include: [look], where: { look: { path: { enum: [a] } } } } } }
`,
      "mcp/manifests/notes.json": JSON.stringify({
        format: 1,
        server: "notes",
        capabilities: { tools: {} },
        tools: [{ ...tool, inputSchema: { type: "object", properties: { path: { type: "string" } } } }],
      }),
    },
    true,
  );
}

function section(hosts: string, more = ""): string {
  const { errors, artifacts } = compiled(hosts, more);
  expect(errors).toEqual([]);
  const page = artifacts.get("src/mcp/ACCESS.md")!;
  return page.slice(page.indexOf("## Hosts"), page.indexOf("## Roles"));
}

describe("the hosts in ACCESS.md", () => {
  test("each choice is a line of its own, and a project without choices has none", () => {
    const before = section("ai-sdk").split("\n");
    const after = section(
      "ai-sdk, { id: cursor, role: reader, whenUnenforceable: error, assume: { TOKEN: set } }, { id: opencode, into: opencode.json }",
    ).split("\n");
    expect(before.filter((line) => line.startsWith("- "))).toEqual([]);
    expect(after.filter((line) => /^- (?:Cursor|OpenCode): (?!`)/.test(line))).toEqual([
      "- Cursor: its files are for `reader` alone",
      "- Cursor: the build fails where it can't hold a restriction",
      "- Cursor: its files are written as if these were set: `TOKEN`",
      "- OpenCode: its keys are in `opencode.json` too",
    ]);
  });

  test("what was chosen to be without is a line, and so is what a `:+` leaves out", () => {
    const lines = section(
      "{ id: claude-code, whenUnenforceable: leave-out, without: [notes] }, { id: opencode, assume: { TOKEN: unset } }, codex",
    );
    for (const line of [
      "- Claude Code: what it can't hold stays away from it, without a warning",
      "- Claude Code: these servers stay away from it: `notes`",
      "- Claude Code, reader: without all of `notes`, since the project keeps it away from there",
      "- OpenCode: its files are written as if these weren't set: `TOKEN`",
      "- OpenCode: `notes` without header `Authorization`, since `TOKEN` counts as unset",
      "- Codex: `notes` without header `Authorization`, since `TOKEN` counts as unset",
    ])
      expect(lines.split("\n")).toContain(line);
    expect(section("ai-sdk")).not.toContain("counts as unset");
  });

  test("those that compare no pins are named, with what does", () => {
    expect(section("ai-sdk")).not.toContain("changed tool");
    expect(section("ai-sdk, claude-code, codex")).toContain(
      "\n- a changed tool isn't noticed by Claude Code, Codex: run `rolecall capture --check`\n",
    );
  });

  test("handing work over that a host keeps closed is named, and none where nobody hands work over", () => {
    const delegating = (hosts: string) => section(hosts, "delegates: [reader], ");
    expect(delegating("codex, ai-sdk, claude-code")).toContain(
      "\n- Codex, writer: hands no work to `reader`, since an agent can't be held to another role there\n",
    );
    expect(delegating("codex")).toMatch(/^\| Codex \|.* closed \| \S+ \|$/m);
    expect(delegating("ai-sdk, claude-code")).not.toMatch(/closed|hands no work/);
    expect(delegating("{ id: claude-code, role: writer }")).toContain(
      "\n- Claude Code, writer: hands no work to `reader`, since its files there are for `writer` alone\n",
    );
    expect(section("codex, gemini-cli")).not.toMatch(/closed|hands no work/);
  });

  test("a name in a reason is code", () => {
    expect(section("codex")).toContain(
      "- Codex, writer: without `notes.look`, since a `where` can't be judged there\n",
    );
  });
});

describe("a host's own tools, in the first lines of ACCESS.md", () => {
  const opening = (hosts: string, builtins = "") => {
    const page = compiled(hosts, builtins).artifacts.get("src/mcp/ACCESS.md")!;
    return page.slice(page.indexOf("# Who"), page.indexOf("A number is"));
  };
  const TOOLS = "`Bash`, `PowerShell`, `Monitor`, `Skill` (runs); `Write`, `Edit`";

  test("roles that say nothing of them are named before anything else", () => {
    const lines = opening("claude-code, ai-sdk").split("\n");
    expect(lines[2]).toMatch(/aren't governed here/);
    expect(lines[4]).toContain(`- Claude Code, every role: ${TOOLS}`);
    expect(opening("claude-code", "builtins: { claude-code: [Read] }, ")).toContain(
      `- Claude Code, \`reader\`: ${TOOLS}`,
    );
    expect(opening("ai-sdk")).toBe("# Who may do what in seen\n\n");
  });

  test("all of them on purpose is told as plainly", () => {
    const page = opening("{ id: claude-code, role: writer }", "builtins: { claude-code: all }, ");
    expect(page).toContain("given on purpose");
    expect(page).toContain(`- Claude Code, \`writer\`: ${TOOLS}`);
    expect(page).not.toContain("aren't governed");
  });

  test("a role that governs them is in neither list", () => {
    expect(opening("{ id: claude-code, role: writer }", "builtins: { claude-code: [Bash] }, ")).not.toContain("Claude");
  });
});
