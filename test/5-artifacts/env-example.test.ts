import { describe, expect, test } from "vitest";
import { envExample, envLines } from "../../compiler/5-artifacts/env-example/index.ts";
import { withBlock } from "../../compiler/5-artifacts/managed/block.ts";
import type { Plan, Variable } from "../../compiler/3-plan/types.ts";
import { planned } from "../support/compiled.ts";
import { HOSTILE } from "../support/hostile-texts.ts";

/** Servers in YAML; a block of variables is the preset that the server is made from. */
function planOf(
  servers: string,
  presets: Readonly<Record<string, string>> = {},
  project = "envExample: .env.example",
): Plan {
  const written = Object.entries(presets).map(([id, variables]) => [
    `mcp/presets/${id}.yaml`,
    `id: ${id}\ntitle: ${id}\nserver: {}\nvariables:\n${variables}`,
  ]);
  return planned({
    "rolecall.yaml": `version: 1\nproject: test\n${project}\n`,
    "mcp/servers.yaml": servers,
    ...Object.fromEntries(written),
  }).plan;
}

/** What no preset may say, put into what was read of one: a variable with a default, and one without. */
function saying(x: Partial<Variable>, y: Partial<Variable> = {}): Plan {
  const plan = planOf('servers: { a: { connect: [{ stdio: [x], env: { X: "${X:-x}", Y: "${Y}" } }] } }');
  const said = (one: Variable): Variable => ({ ...one, ...(one.name === "X" ? x : y) });
  return { ...plan, servers: plan.servers.map((one) => ({ ...one, variables: one.variables.map(said) })) };
}

describe("the block of .env.example", () => {
  test("names every variable once, by server, with what for, where from and the default", () => {
    const plan = planOf(
      `
servers:
  github: { preset: github, connect: [{ stdio: [gh], env: { T: "\${GITHUB_TOKEN}" } }] }
  supabase: { preset: supabase, connect: [{ stdio: [sb, "\${LOG_LEVEL:-warn}"], env: { T: "\${GITHUB_TOKEN}" } }] }
`,
      {
        // Only what both servers accept is a name for both.
        github:
          "  - { name: GITHUB_TOKEN, for: Reads issues, url: https://example.com/tokens, also: [GITHUB_PAT, GH_TOKEN] }",
        supabase: "  - { name: GITHUB_TOKEN, also: [TOKEN, GITHUB_PAT] }",
      },
    );
    expect(envLines(plan)).toEqual([
      "# github",
      "# Reads issues",
      "# get it at https://example.com/tokens",
      "# also accepted: GITHUB_PAT",
      "# also for supabase",
      "GITHUB_TOKEN=",
      "",
      "# supabase",
      "# LOG_LEVEL=warn",
    ]);
  });

  test("comes only when the project asks for it", () => {
    expect([...envExample.emit(planOf("", {}, ""), [])]).toEqual([]);
    expect([...envExample.emit(planOf(""), [])]).toEqual([
      { path: ".env.example", block: ["# No server needs a variable."], comment: "#" },
    ]);
  });

  test("a default that may be a secret isn't repeated", () => {
    const lines = envLines(saying({ name: "API_KEY", default: "sk-1234" }));
    expect(lines.join("\n")).not.toContain("sk-1234");
  });

  test("whatever a preset says, each line is a comment or an empty assignment", () => {
    for (const text of [...HOSTILE, "\ud800"]) {
      const lines = envLines(
        saying({ purpose: text, url: text, default: text, acceptedNames: [text] }, { purpose: text }),
      );
      for (const line of lines) expect(line).toMatch(/^(?:#[\x20-\x7e]*|Y=|)$/);
      const once = withBlock("", lines, "#").text!;
      expect(withBlock(once, lines, "#")).toEqual({ text: once });
    }
  });
});

describe("a block in a file of the user's", () => {
  const ours = "# >>> rolecall >>>\nA=\n# <<< rolecall <<<\n";

  test.each([
    ["no file", undefined, ours],
    ["an empty file", "", ours],
    ["no line break at the end", "X=1", `X=1\n\n${ours}`],
    ["other lines", "X=1\n", `X=1\n\n${ours}`],
    [
      "an older block, kept where it is",
      "X=1\n# >>> rolecall >>>\nOLD=\nB=\n# <<< rolecall <<<\nY=2",
      `X=1\n${ours}Y=2`,
    ],
    ["a block at the very end", "# >>> rolecall >>>\n# <<< rolecall <<<", ours.slice(0, -1)],
    ["CRLF", "X=1\r\n# >>> rolecall >>>\r\n# <<< rolecall <<<\r\nY=\n", `X=1\r\n${ours.replaceAll("\n", "\r\n")}Y=\n`],
    ["CRLF without a block", "X=1\r\n", `X=1\r\n\r\n${ours.replaceAll("\n", "\r\n")}`],
  ])("%s", (_, text, wanted) => {
    expect(withBlock(text, ["A="], "#")).toEqual({ text: wanted });
    expect(withBlock(wanted, ["A="], "#")).toEqual({ text: wanted });
  });

  test.each([
    ["a begin alone", "# >>> rolecall >>>\nA=\n"],
    ["an end alone", "# <<< rolecall <<<\n"],
    ["two blocks", ours + ours],
    ["the wrong way round", "# <<< rolecall <<<\n# >>> rolecall >>>\n"],
  ])("refuses %s", (_, text) => expect(withBlock(text, ["A="], "#").problem).toBeTypeOf("string"));
});
