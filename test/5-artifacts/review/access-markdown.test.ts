import { describe, expect, test } from "vitest";
import { pageChunks } from "../../../compiler/5-artifacts/review/access-markdown/index.ts";
import { aPlan, aRole, aServer, aTool, aVariable, HOSTILE, overHttp, reference } from "../../support/small-plan.ts";

const accessPage = (plan: Parameters<typeof pageChunks>[0]): string => [...pageChunks(plan, [])].join("");

const github = aServer("github", ["create_issue", "list_issues"], {
  owner: "@acme/platform",
  connect: [overHttp("https://api.example.com/mcp/", { Authorization: reference("GITHUB_TOKEN", "Bearer ") })],
  variables: [aVariable("GITHUB_TOKEN")],
});
const files = aServer("filesystem", ["edit_file", "read_text_file"]);

describe("ACCESS.md", () => {
  const tester = aRole(
    "tester",
    [
      [
        files,
        { edit_file: ["allow", { argument: "path", conditions: [{ glob: "tests/**" }] }], read_text_file: "allow" },
      ],
      [github, { create_issue: "ask", list_issues: "allow" }],
    ],
    { owner: "@acme/quality", delegates: ["reader" as never], reaches: ["reader" as never, "scribe" as never] },
  );
  const page = accessPage(
    aPlan([files, github], [tester, aRole("watcher", [], { builtins: [{ host: "claude-code", names: [] }] })]),
  );

  test("the matrix of roles and servers comes first", () => {
    const table = page.split("\n").filter((line) => line.startsWith("|"));
    expect(table).toEqual([
      "| role | filesystem | github |",
      "| --- | --- | --- |",
      "| tester | 2 | 2 (1 ask) |",
      "| watcher |  |  |",
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
    const loose = aServer("loose", [], { tools: [aTool("loose", "x", 0, null)] });
    expect(accessPage(aPlan([loose], [aRole("r", [[loose, { x: "allow" }]])]))).toContain("- held without a pin: `x`");
  });

  test("with many servers the matrix stays as narrow as a page", () => {
    const many = Array.from({ length: 40 }, (_, i) => aServer(`s${i}`, ["x"]));
    const wide = accessPage(
      aPlan(many, [
        aRole("r", [[many[3]!, { x: "ask" }], ...many.slice(4, 20).map((s) => [s, { x: "allow" }] as const)]),
      ]),
    );
    expect(wide).toContain("| r | s3 1 (ask), s4 1,");
  });

  test("hostile names make no markup, no new line and nothing unseen", () => {
    const server = aServer("s", HOSTILE);
    const held = Object.fromEntries(
      HOSTILE.map((name) => [name, ["allow", { argument: name, conditions: [{ enum: [name] }] }] as const]),
    );
    Object.defineProperty(held, "__proto__", { value: "allow", enumerable: true, configurable: true });
    const text = accessPage(
      aPlan(
        [server],
        HOSTILE.slice(0, 3).map((name) => aRole("r", [[server, held as never]], { description: name, owner: name })),
        { name: "<img src=x>" },
      ),
    );
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    expect(text).toContain("\\<img src\\=x\\>");
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !/^(?:[-|#]|<!-- |A number|Allowed:|Asked)/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("- ") && line.includes("only when")).length).toBe(
      (HOSTILE.length - 1) * 3,
    );
  });
});
