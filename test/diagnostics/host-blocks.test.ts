import { describe, expect, test } from "vitest";
import { hostPage } from "../../compiler/diagnostics/host-blocks.ts";
import { renderJson } from "../../compiler/diagnostics/render-json.ts";
import { renderText } from "../../compiler/diagnostics/render-text.ts";
import type { Span } from "../../compiler/base/place.ts";
import type { Diagnostic, HostRemark, Severity } from "../../compiler/diagnostics/types.ts";

/** Diagnostics of hosts: few lines for people, everything in JSON. */
function remarked(
  id: string,
  code: string,
  remarks: readonly HostRemark[],
  more: Partial<Diagnostic> = {},
): Diagnostic {
  const host = { id, title: id.toUpperCase(), label: code, remarks };
  return { code, severity: "warning", says: "says", help: `help of ${code}`, at: undefined, also: [], host, ...more };
}
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const away = (roles: readonly string[], tools: readonly string[], says = "why"): HostRemark => ({
  roles,
  names: tools,
  says,
  causes: [],
});
const PLAIN = { colour: false, width: undefined };

describe("a block a host", () => {
  test("has each kind once, the gravest first, and hosts of which just the same is said share one", () => {
    const one = [away(["a"], ["x.y"])];
    const found = [
      remarked("h", "k/note", one, { severity: "note" }),
      remarked("h", "k/warn", one),
      remarked("i", "k/note", one, { severity: "note" }),
      remarked("i", "k/warn", one),
      remarked("j", "k/warn", [away(["a"], ["x.z"])]),
    ];
    expect(renderText(found, PLAIN)).toBe(
      [
        "warning[k/warn, k/note]: H, I",
        "  k/warn  a: x.y (why)",
        "  k/note  a: x.y (why)",
        "warning[k/warn]: J",
        "  k/warn  a: x.z (why)",
        "  help: help of k/note",
        "  help: help of k/warn",
        "",
        "2 warnings",
        "",
      ].join("\n"),
    );
  });

  test("is short whatever there is to say, and names the command that shows it all", () => {
    const remarks = names(50, "r").map((role) => away([role], names(40, `${role}.t`)));
    const text = renderText(
      [remarked("h", "k/c", remarks), remarked("i", "k/c", [away(names(30, "r"), ["x"])])],
      PLAIN,
    );
    expect(text.split("\n").length).toBeLessThan(14);
    expect(text).toContain("r0: r0.t0, r0.t1, r0.t2 and 37 more (why)");
    expect(text).toContain("and 47 more");
    expect(text).toContain("r0, r1, r2 and 27 more: x (why)");
    expect(text).toContain("all of it: rolecall hosts h i");
    const [first, second] = (
      JSON.parse(renderJson([remarked("h", "k/c", remarks), remarked("i", "k/c", [])])) as {
        diagnostics: { host: string; remarks: HostRemark[] }[];
      }
    ).diagnostics;
    expect(first).toMatchObject({ host: "h", remarks });
    expect(second).toMatchObject({ host: "i", remarks: [] });
  });

  test("the line of the rule stands behind the first reason that has one, unless its path is long", () => {
    const cause = (file: string, line: number): Span => ({
      file,
      line,
      column: 3,
      length: 2,
      text: "  a",
      textColumn: 3,
    });
    const caused = (says: string, ...causes: Span[]): HostRemark => ({ ...away(["a"], ["x.y"], says), causes });
    const lines = (...remarks: HostRemark[]) => hostPage([remarked("h", "k/c", remarks)]).blocks[0]!.facts[0]![1];
    const [rule, other] = [cause("mcp/team.yaml", 12), cause("mcp/team.yaml", 40)];
    expect(lines(caused("no rule"), caused("a rule", rule, other), caused("another", other))).toEqual([
      "a: x.y (no rule); x.y (a rule, mcp/team.yaml:12); x.y (another)",
    ]);
    expect(lines(caused("far away", cause(`${"folder/".repeat(6)}team.yaml`, 1)))).toEqual(["a: x.y (far away)"]);
    const json = JSON.parse(renderJson([remarked("h", "k/c", [caused("a rule", rule, other)])])) as {
      diagnostics: { remarks: HostRemark[] }[];
    };
    expect(json.diagnostics[0]!.remarks[0]!.causes).toEqual([rule, other]);
  });

  test("what is said of the same roles is one line, and nothing is cut silently", () => {
    const same = names(5, "why").map((why, i) => away(["a"], [`t${i}`], why));
    const { blocks, more } = hostPage([remarked("h", "k/c", same)]);
    expect(blocks[0]!.facts).toEqual([["k/c", ["a: t0 (why0); t1 (why1); t2 (why2); and 2 more"]]]);
    expect(more).toBe("rolecall hosts h");
    expect(hostPage([remarked("h", "k/c", same.slice(0, 3))]).more).toBeUndefined();
    const others = names(4, "r").map((role) => away([role], [role]));
    expect(hostPage([remarked("h", "k/c", others)]).more).toBe("rolecall hosts h");
    expect(hostPage([remarked("h", "k/c", others.slice(0, 3))]).more).toBeUndefined();
  });

  test("a line to write is never broken, and stands with its host", () => {
    const entry = `{ id: h, without: [${names(20, "server").join(", ")}] }`;
    const one = remarked("h", "k/c", [away([], ["s"])]);
    const text = renderText([{ ...one, host: { ...one.host!, next: entry } }], { colour: false, width: 60 });
    expect(text).toContain(`  write  ${entry}\n`);
  });

  test.each([
    ["error", "1 error"],
    ["note", "1 note"],
  ] satisfies [Severity, string][])("counts as the gravest of what it says: %s", (severity, words) => {
    const found = [
      remarked("h", "k/a", [away([], ["x"])], { severity: "note" }),
      remarked("h", "k/b", [away([], ["x"])], { severity }),
    ];
    expect(renderText(found, PLAIN).trimEnd().split("\n").at(-1)).toBe(words);
  });

  test("a stranger's text can't steer the terminal", () => {
    expect(renderText([remarked("h", "k/c", [away(["a"], ["\u001b[31mx\u202e"])])], PLAIN)).not.toMatch(
      /[\u001b\u202e]/,
    );
  });
});
