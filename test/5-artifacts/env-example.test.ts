import { describe, expect, test } from "vitest";
import { envExample, envLines } from "../../compiler/5-artifacts/env-example/index.ts";
import { withBlock } from "../../compiler/5-artifacts/managed/block.ts";
import { aPlan, aServer, aVariable, HOSTILE } from "../support/small-plan.ts";

describe("the block of .env.example", () => {
  test("names every variable once, by server, with what for, where from and the default", () => {
    const servers = [
      aServer("github", [], {
        variables: [
          aVariable("GITHUB_TOKEN", {
            purpose: "Reads issues",
            url: "https://example.com/tokens",
            // Only what both servers accept is a name for both.
            acceptedNames: ["GITHUB_PAT", "GH_TOKEN"],
          }),
        ],
      }),
      aServer("supabase", [], {
        variables: [
          aVariable("LOG_LEVEL", { default: "warn", required: false }),
          aVariable("GITHUB_TOKEN", { acceptedNames: ["TOKEN", "GITHUB_PAT"] }),
        ],
      }),
    ];
    expect(envLines(aPlan(servers, []))).toEqual([
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
    expect([...envExample.emit(aPlan([], [], { envExample: undefined }), [])]).toEqual([]);
    expect([...envExample.emit(aPlan([], []), [])]).toEqual([
      { path: ".env.example", block: ["# No server needs a variable."], comment: "#" },
    ]);
  });

  test("a default that may be a secret isn't repeated", () => {
    const lines = envLines(
      aPlan([aServer("a", [], { variables: [aVariable("API_KEY", { default: "sk-1234", required: false })] })], []),
    );
    expect(lines.join("\n")).not.toContain("sk-1234");
  });

  test("whatever a preset says, each line is a comment or an empty assignment", () => {
    for (const text of HOSTILE) {
      const server = aServer("a", [], {
        variables: [
          aVariable("X", { purpose: text, url: text, default: text, required: false, acceptedNames: [text] }),
          aVariable("Y", { purpose: text }),
        ],
      });
      const lines = envLines(aPlan([server], []));
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
