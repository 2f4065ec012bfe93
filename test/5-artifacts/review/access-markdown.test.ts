import { describe, expect, test } from "vitest";
import { pageChunks } from "../../../compiler/5-artifacts/review/access-markdown/index.ts";
import type { Plan } from "../../../compiler/3-plan/types.ts";
import { visibleJson } from "../../../compiler/base/visible.ts";
import { manifest, planned } from "../../support/compiled.ts";
import { HOSTILE, hostileManifest } from "../../support/hostile-texts.ts";

const accessPage = (plan: Plan): string => [...pageChunks(plan, [])].join("");

describe("ACCESS.md", () => {
  const page = accessPage(
    planned({
      "mcp/team.yaml": `
servers:
  github:
    owner: "@acme/platform"
    connect: [{ http: https://api.example.com/mcp/, headers: { Authorization: "Bearer \${GITHUB_TOKEN}" } }]
  filesystem: { connect: [{ stdio: [files] }] }
  loose: { connect: [{ stdio: [loose] }] }
roles:
  tester:
    owner: "@acme/quality"
    tools:
      filesystem: { include: ["*"], where: { edit_file: { path: { glob: tests/** } } } }
      github: { include: ["*"], ask: [create_issue] }
    delegates: [reader]
  reader: { delegates: [scribe] }
  scribe: { tools: { loose: [x] } }
  watcher: { builtins: { claude-code: none } }
`,
      "mcp/manifests/github.json": manifest("create_issue", "list_issues"),
      "mcp/manifests/filesystem.json": manifest({ name: "edit_file", arguments: ["path"] }, "read_text_file"),
    }).plan,
  );

  test("the matrix of roles and servers comes first", () => {
    const table = page.split("\n").filter((line) => line.startsWith("|"));
    expect(table).toEqual([
      "| role | filesystem | github | loose |",
      "| --- | --- | --- | --- |",
      "| reader |  |  |  |",
      "| scribe |  |  | 1 |",
      "| tester | 2 | 2 (1 ask) |  |",
      "| watcher |  |  |  |",
    ]);
    expect(page.indexOf("| role |")).toBeLessThan(page.indexOf("## Roles"));
  });

  test("tools stand one to a line, by effect, with their conditions in words", () => {
    expect(page).toContain(
      "\nAllowed:\n\n- `edit_file` only when `path` matches `tests/**` (it doesn't follow links)\n- `read_text_file`\n",
    );
    expect(page).toContain("\nAllowed:\n\n- `list_issues`\n\nAsked at each call:\n\n- `create_issue`\n");
  });

  test("says who owns, who may hand on, and which built-ins nobody governs", () => {
    expect(page).toContain(
      "- owner: `@acme/quality`\n- built-in tools of hosts: not governed\n- hands work to: `reader`, and through them `scribe`\n",
    );
    expect(page).toContain(
      "- built-in tools of `claude-code`: none\n- built-in tools of other hosts: not governed\n- hands work to: nobody\n",
    );
  });

  test("says how a server is reached and what is pinned", () => {
    expect(page).toContain(
      "- owner: `@acme/platform`\n- reached by http `https://api.example.com/mcp/`; headers `Authorization`\n- variables: `GITHUB_TOKEN`\n- pin: `mcp/manifests/github.json`, no instructions\n- held: 2 of 2 tools\n",
    );
    expect(page).toContain("- pin: none; no manifest was captured\n- held: 1 of 1 tool\n");
  });

  test("with many servers the matrix stays as narrow as a page", () => {
    const many = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const { plan } = planned({
      "mcp/team.yaml": JSON.stringify({
        servers: Object.fromEntries(many.map((name) => [name, { connect: [{ stdio: [name] }] }])),
        roles: {
          r: {
            tools: {
              s3: { include: ["x"], ask: ["x"] },
              ...Object.fromEntries(many.slice(4, 20).map((name) => [name, ["x"]])),
            },
          },
        },
      }),
    });
    const wide = accessPage(plan);
    expect(wide).toMatch(/^\| r \| s10 1, .*, s3 1 \(ask\), s4 1, /m);
  });

  test("hostile names make no markup, no new line and nothing unseen", () => {
    const held = { include: ["*"], where: { "*": { path: { enum: HOSTILE } } } };
    const roles = HOSTILE.slice(0, 3).map((text, i) => [
      `r${i}`,
      { description: text, owner: text, tools: { s: held } },
    ]);
    const { plan } = planned({
      "rolecall.yaml": "version: 1\nproject: <img src=x>\n",
      "mcp/team.yaml": visibleJson(
        JSON.stringify({ servers: { s: { connect: [{ stdio: ["x"] }] } }, roles: Object.fromEntries(roles) }),
      ),
      "mcp/manifests/s.json": hostileManifest,
    });
    const text = accessPage(plan);
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    expect(text).toContain("\\<img src\\=x\\>");
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !/^(?:[-|#]|<!-- |A number|Allowed:|Asked)/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("- ") && line.includes("only when")).length).toBe(HOSTILE.length * 3);
  });
});
