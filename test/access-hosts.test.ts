import { describe, expect, test } from "vitest";
import { build } from "./support/built-project.ts";

/** What a reviewer sees of the hosts: in ACCESS.md, and in the plan. */
const tool = { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

function compiled(hosts: string) {
  return build(
    {
      "rolecall.yaml": `version: 1\nproject: seen\nhosts: [${hosts}]\n`,
      "mcp/team.yaml": `
servers:
  notes: { connect: [{ http: https://notes.example/mcp, headers: { Authorization: "\${TOKEN:+Bearer \${TOKEN}}" } }] }
roles:
  reader: { tools: { notes: all } }
  writer: { tools: { notes: { include: [look], where: { look: { path: { enum: [a] } } } } } }
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

function section(hosts: string): string {
  const { errors, artifacts } = compiled(hosts);
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
    expect(after.filter((line) => /^- (?:Cursor|OpenCode): /.test(line))).toEqual([
      "- Cursor: its files are for `reader` alone",
      "- Cursor: the build fails where it can't hold a restriction",
      "- Cursor: its files are written as if these were set: `TOKEN`",
      "- OpenCode: its keys are in `opencode.json` too",
    ]);
  });

  test("those that compare no pins are named, with what does", () => {
    expect(section("ai-sdk")).not.toContain("changed tool");
    expect(section("ai-sdk, claude-code, codex")).toContain(
      "\n- a changed tool isn't noticed by Claude Code, Codex: run `rolecall capture --check`\n",
    );
  });

  test("a name in a reason is code", () => {
    expect(section("codex")).toContain(
      "- Codex, writer: without `notes.look`, since a `where` can't be judged there\n",
    );
  });
});
