import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { cutToWidth, displayWidth } from "../../compiler/base/display-width.ts";
import type { Span } from "../../compiler/base/place.ts";
import { codeCell, visible, visibleBlanks, visibleJson, visibleMarkdown } from "../../compiler/base/visible.ts";
import { firstSentence, wrap, wrapWithin } from "../../compiler/base/wrap.ts";
import { excerpt } from "../../compiler/diagnostics/excerpt.ts";
import { renderJson } from "../../compiler/diagnostics/render-json.ts";
import { renderText, summary } from "../../compiler/diagnostics/render-text.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";

const plain = { colour: false, width: 80 };

describe("visible", () => {
  test.each([
    ["plain text stays", "create_issue", "create_issue"],
    ["escape sequences are dead", "a\u001b[2Jb", "a\\u001b[2Jb"],
    ["C1 controls too", "a\u009b2Jb", "a\\u009b2Jb"],
    ["one line stays one line", "a\r\nb\tc\u2028d\u2029e", "a\\r\\nb\\tc\\u2028d\\u2029e"],
    ["direction can't be turned", "a\u202egnp.exe\u2066", "a\\u202egnp.exe\\u2066"],
    ["nothing hides", "a\u200bb\ufeffc\u00add\u2060", "a\\u200bb\\ufeffc\\u00add\\u2060"],
    ["tags and fillers don't hide", "a\u{e0041}\u3164\u115f", "a\\u{e0041}\\u3164\\u115f"],
    ["lone surrogates are shown", "a\ud800b\udc00", "a\\ud800b\\udc00"],
    ["other languages stay", "日本語 é ü 😀", "日本語 é ü 😀"],
    [
      "an emoji keeps its selector, nothing else does",
      "⚠\ufe0f a\ufe0f \u2764\ufe0f\ufe0f",
      "⚠\ufe0f a\\ufe0f \u2764\ufe0f\\ufe0f",
    ],
  ])("%s", (_, given, want) => expect(visible(given)).toBe(want));

  test("blanks other than U+0020 stay, but where each is shown as what it is", () => {
    const text = "l\u2019outil\u00a0: 東京\u3000タワー \u2003\u2800\u{1d159}";
    expect(visible(text)).toBe(text);
    expect(visibleBlanks(text)).toBe("l\u2019outil\\u00a0: 東京\\u3000タワー \\u2003\\u2800\\u{1d159}");
    expect(visibleBlanks("a\u202eb  c")).toBe("a\\u202eb  c");
  });

  test("JSON stays the same JSON", () => {
    const value = { "a\u202e": "b\u009b\u2028\u{e0041}\ud800\n" };
    const text = visibleJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(text)).toEqual(value);
    expect(visible(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
  });
});

describe("Markdown", () => {
  test.each([
    ["a|b", "a\\|b"],
    ["`x`", "\\`x\\`"],
    ["<img src=x>", "\\<img src\\=x\\>"],
    ["[a](b) ![c](d)", "\\[a\\](b) \\!\\[c\\](d)"],
    ["*a* _b_ ~c~ \\d", "\\*a\\* \\_b\\_ \\~c\\~ \\\\d"],
    ["&lt; #12 @all", "\\&lt; \\#12 \\@all"],
    ["https://x.example www.x.example", "https\\://x.example www\\.x.example"],
    ["- item", "\\- item"],
    ["12. item", "12\\. item"],
    ["two\nlines\u202e", "two\\\\nlines\\\\u202e"],
  ])("%j is only words", (given, want) => expect(visibleMarkdown(given)).toBe(want));

  test.each([
    ["create_issue", "`create_issue`"],
    ["a|b", "`a\\|b`"],
    ["a`b", "``a`b``"],
    ["`a``", "``` `a`` ```"],
    ["", "`  `"],
    [" a ", "`  a  `"],
  ])("%j as code in a cell", (given, want) => expect(codeCell(given)).toBe(want));
});

describe("width", () => {
  test.each([
    ["abc", 3],
    ["日本", 4],
    ["e\u0301", 1],
    ["😀", 2],
    ["●·…é", 4],
    ["한글", 4],
    ["ｆｕ", 4],
  ])("%s takes %i columns", (text, width) => expect(displayWidth(text)).toBe(width));

  test("cutting never exceeds the room and never halves a wide character", () => {
    expect(cutToWidth("日本語", 4, "…")).toBe("日…");
    expect(cutToWidth("abcdef", 4, "...")).toBe("a...");
    expect(cutToWidth("abcd", 4, "…")).toBe("abcd");
    expect(cutToWidth("abcdef", 2, "...")).toBe("");
  });

  test("text wraps at spaces, with an indent, and long words stay whole", () => {
    expect(wrap("  one two three four", 12, "    ")).toEqual(["  one two", "    three", "    four"]);
    expect(wrap("see averyveryverylongword now", 10)).toEqual(["see", "averyveryverylongword", "now"]);
    expect(wrap("one two", undefined)).toEqual(["one two"]);
  });

  test("what strangers say is broken within the width, wherever that is, and marks stay with their letter", () => {
    expect(wrapWithin("  one two three four", 12, "    ")).toEqual(["  one two", "    three", "    four"]);
    expect(wrapWithin("see averyverylongword now", 10, "  ")).toEqual([
      "see",
      "  averyver",
      "  ylongwor",
      "  d",
      "  now",
    ]);
    expect(wrapWithin("日本語日本語", 5, " ")).toEqual(["日本", " 語日", " 本語"]);
    expect(wrapWithin("●●●", 4)).toEqual(["●●", "●"]);
    expect(wrapWithin("ae\u0301e\u0301", 3)).toEqual(["ae\u0301", "e\u0301"]);
    expect(wrapWithin(`e${"\u0301".repeat(5)}`, 4)).toEqual(["e\u0301\u0301", "\u0301\u0301\u0301"]);
    expect(wrapWithin("averylongword", undefined)).toEqual(["averylongword"]);
  });

  test.each([
    ["Reads a file. Then more.", "Reads a file."],
    ["\n  Reads v1.2 files\nand more", "Reads v1.2 files"],
    ["", ""],
  ])("the first sentence of %j", (given, want) => expect(firstSentence(given)).toBe(want));
});

describe("the line under a diagnostic", () => {
  test("the marker stands under the characters that are meant", () => {
    expect(marked(span("  githb: [x]", 3, 5), 60)).toBe("githb");
    expect(marked(span("\t\tgithb: x", 3, 5), 60)).toBe("githb");
    expect(marked(span("日本: githb", 5, 5), 60)).toBe("githb");
    expect(marked(span("a\u202e\u001b[2J githb", 8, 5), 60)).toBe("githb");
  });

  test("a marker has a column even where nothing is written", () => {
    expect(excerpt(span("name:", 6, 1), 60)).toEqual({ text: "name:", indent: 5, marked: 1 });
    expect(excerpt(span("cut off", 900, 4), 60)).toEqual({ text: "cut off", indent: 7, marked: 1 });
  });

  const long = `${"before ".repeat(70)}githb${" after".repeat(70)}`;
  test.each([
    [span(long, 491, 5), 40],
    [span(long, 491, 5), 75],
    [span(`githb ${long}`, 1, 5), 40],
    [span(`${long} githb`, long.length + 2, 5), 40],
    [span("x".repeat(1_000_000) + "githb", 1_000_001, 5), 40],
  ])("a long line is cut around the marker", (at, width) => {
    const shown = excerpt(at, width);
    expect(displayWidth(shown.text)).toBeLessThanOrEqual(width);
    expect(shown.text).toContain("…");
    expect(marked(at, width)).toBe("githb");
  });

  test("a marker longer than the line is cut too", () => {
    const shown = excerpt(span("y".repeat(500), 1, 500), 40);
    expect(shown.indent + shown.marked).toBeLessThanOrEqual(40);
  });
});

describe("diagnostics as text", () => {
  test("severity, place, line, help, second place, count", () => {
    expect(
      renderText(
        [unknownServer, { ...unknownServer, severity: "warning", at: undefined, also: [], help: undefined }],
        plain,
      ),
    ).toBe(
      [
        "error[role/unknown-server]: `githb` is not a server of this project",
        "  mcp/roles.yaml:12:7",
        "  12 |       githb: [list_issues]",
        "     |       ^^^^^",
        "  help: did you mean `github`?",
        "  and the nearest one is declared here",
        "  rolecall.yaml:4:3",
        "   4 |   github:",
        "     |   ^^^^^^",
        "",
        "warning[role/unknown-server]: `githb` is not a server of this project",
        "",
        "1 error, 1 warning",
        "",
      ].join("\n"),
    );
  });

  test("nothing to say is nothing", () => expect(renderText([], plain)).toBe(""));

  test("counts", () => {
    const of = (...severities: Diagnostic["severity"][]) =>
      summary(severities.map((severity) => ({ ...unknownServer, severity })));
    expect(of("error", "error", "warning", "note", "note")).toBe("2 errors, 1 warning, 2 notes");
  });

  test.each([40, 60, 80, 120])("fits %i columns", (width) => {
    const wordy = {
      ...unknownServer,
      says: "one word after the other ".repeat(20).trim(),
      help: "and a next step ".repeat(20).trim(),
    };
    for (const line of renderText([wordy, unknownServer], { colour: false, width }).split("\n"))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test("in a pipe a sentence stays on its line", () => {
    const says = "one word after the other ".repeat(20).trim();
    expect(renderText([{ ...unknownServer, says }], { colour: false, width: undefined })).toContain(`: ${says}\n`);
  });

  test("colour adds nothing but colour, and only when it is wanted", () => {
    const coloured = renderText([unknownServer], { colour: true, width: 80 });
    expect(coloured).toContain("\u001b[1;31merror[role/unknown-server]:");
    expect(stripVTControlCharacters(coloured)).toBe(renderText([unknownServer], plain));
  });

  test("hostile text is harmless everywhere", () => {
    const bad = "x\u001b]0;owned\u0007\u202e\u200b\r\ny";
    const at = { file: bad, line: 1, column: 1, length: 1, text: bad, textColumn: 1 };
    const text = renderText(
      [{ code: "a/b", severity: "error", says: bad, help: bad, at, also: [{ says: bad, at }] }],
      plain,
    );
    expect(text.replaceAll("\n", "")).toBe(visible(text.replaceAll("\n", "")));
    expect(text.match(/owned/g)!.length).toBe(7);
  });
});

describe("diagnostics as JSON", () => {
  test("every key is always there", () => {
    const bare = { ...unknownServer, at: undefined, help: undefined, also: [] };
    expect(JSON.parse(renderJson([bare]))).toEqual({
      format: 1,
      diagnostics: [
        {
          code: bare.code,
          severity: "error",
          says: bare.says,
          help: null,
          at: null,
          also: [],
          host: null,
          next: null,
          remarks: [],
        },
      ],
    });
    expect(JSON.parse(renderJson([unknownServer])).diagnostics[0].also[0].at).toEqual(unknownServer.also[0]!.at);
  });

  test("hostile text comes back as it was and can't reach the terminal", () => {
    const text = renderJson([{ ...unknownServer, says: "\u009b\u202e\u2028" }]);
    expect(JSON.parse(text).diagnostics[0].says).toBe("\u009b\u202e\u2028");
    expect(text).not.toMatch(/[\u009b\u202e\u2028]/);
  });
});

const unknownServer: Diagnostic = {
  code: "role/unknown-server",
  severity: "error",
  says: "`githb` is not a server of this project",
  help: "did you mean `github`?",
  at: { file: "mcp/roles.yaml", line: 12, column: 7, length: 5, text: "      githb: [list_issues]", textColumn: 7 },
  also: [
    {
      says: "the nearest one is declared here",
      at: { file: "rolecall.yaml", line: 4, column: 3, length: 6, text: "  github:", textColumn: 3 },
    },
  ],
};

function span(text: string, column: number, length: number): Span {
  return { file: "a.yaml", line: 1, column, length, text, textColumn: column };
}

/** The characters above the marker, found by counting columns. */
function marked(at: Span, width: number): string {
  const shown = excerpt(at, width);
  let column = 0;
  let found = "";
  for (const character of shown.text) {
    if (column >= shown.indent && column < shown.indent + shown.marked) found += character;
    column += displayWidth(character);
  }
  return found;
}
