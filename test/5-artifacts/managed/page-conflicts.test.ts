import { describe, expect, test } from "vitest";
import { body, inHeader, key, nothing, put } from "./keyed-file.ts";

/** Conflicts in a page of whose header alone, or of whose text too, some is ours: what is below our keys is left alone. */

const TOOLS = key("tools", ["Read"]);
const LINES = "tools:\n  - Read\n";
const LISTED = new Set(["tools"]);
const HUNK = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";
const SAME = "<<<<<<< HEAD\na\n=======\na\n>>>>>>> other\n";
const THREE = "<<<<<<< HEAD\na\n||||||| 1234567\nc\n=======\nb\n>>>>>>> other\n";

describe("markers below the header stay", () => {
  test.each([
    ["an example in a fence", `Solve\n\n\`\`\`\n${HUNK}\`\`\`\n`],
    ["both sides alike", `Solve\n\n${SAME}tail\n`],
    ["three sides", THREE],
    ["one alone", "Solve\n<<<<<<< HEAD\n"],
    ["out of order", ">>>>>>> a\n<<<<<<< b\n"],
    ["with a line between them", `---\n${HUNK}---\n`],
    ["with CRLF", HUNK.replaceAll("\n", "\r\n")],
  ])("%s", (_, below) => {
    const page = `---\nmodel: opus\n---\n${below}`;
    const wanted = `---\nmodel: opus\n${LINES}---\n${below}`;
    expect(put(page, inHeader(TOOLS)).text).toBe(wanted);
    expect(put(wanted, inHeader(TOOLS), LISTED)).toEqual({ text: wanted, replaced: [] });
    expect(put(wanted, inHeader(), LISTED).text).toBe(page);
  });

  test("in a page without a header too", () => {
    expect(put(`Solve\n${HUNK}`, inHeader(TOOLS)).text).toBe(`---\n${LINES}---\nSolve\n${HUNK}`);
  });

  test("a conflict about our keys above them is solved", () => {
    const header = `---\nmodel: opus\n<<<<<<< HEAD\n${LINES}=======\ntools:\n  - Bash\n>>>>>>> other\n---\n`;
    expect(put(`${header}${HUNK}`, inHeader(TOOLS), LISTED).text).toBe(`---\nmodel: opus\n${LINES}---\n${HUNK}`);
  });

  test("in a text of ours that is as it should be nothing changes", () => {
    const text = `Solve\n${HUNK}`.trim();
    const page = put(undefined, inHeader(TOOLS, body(text))).text!;
    const ours = new Set(["tools", ""]);
    expect(put(page, inHeader(TOOLS, body(text)), ours)).toEqual({ text: page, replaced: [] });
    const changed = put(page, inHeader(key("tools", ["Bash"]), body(text)), ours);
    expect(changed.text).toBe(page.replace("Read", "Bash"));
    expect(changed.replaced.map(({ at }) => at)).toEqual([["tools"]]);
  });
});

describe("a conflict that a header is in is judged as a whole", () => {
  const side = (tools: string) => `---\nmodel: opus\ntools:\n  - ${tools}\n---\n`;
  test.each([
    ["a key of the user's", `---\n<<<<<<< HEAD\nmodel: opus\n=======\nmodel: haiku\n>>>>>>> b\n---\nx\n`],
    [
      "a key of the user's in one side",
      `---\n<<<<<<< HEAD\n${LINES}=======\n${LINES}hooks: mine\n>>>>>>> b\n---\n${HUNK}`,
    ],
    ["a marker alone", `---\nmodel: opus\n<<<<<<< HEAD\n---\nx\n`],
    ["the end of it", `---\n<<<<<<< HEAD\nmodel: opus\n---\nx\n=======\nmodel: haiku\n---\ny\n>>>>>>> b\n`],
    ["all of it", `<<<<<<< HEAD\n${side("Read")}x\n=======\n${side("Bash")}y\n>>>>>>> b\n`],
    ["one that begins below the first marker", `<<<<<<< HEAD\n=======\n---\nhooks: mine\n---\n>>>>>>> b\n`],
  ])("%s", (_, page) => {
    expect(() => put(page, inHeader(TOOLS), LISTED)).toThrow(/conflict/);
  });

  test("and solved where both sides say the same but for our keys", () => {
    const page = `<<<<<<< HEAD\n${side("Read")}=======\n${side("Bash")}>>>>>>> b\nx\n`;
    expect(put(page, inHeader(TOOLS), LISTED).text).toBe(`${side("Read")}x\n`);
  });
});

test("a conflict in a text of ours is solved with it", () => {
  const page = `---\n${LINES}---\n\nBe kind.\n${HUNK}`;
  const ours = new Set(["tools", ""]);
  expect(put(page, inHeader(TOOLS, body("Be kind.")), ours).text).toBe(`---\n${LINES}---\n\nBe kind.\n`);
  expect(() => put(page, inHeader(TOOLS, body("Be kind.")), nothing)).toThrow("[[]]");
});
