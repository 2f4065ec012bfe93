import { describe, expect, test } from "vitest";
import { ownersOf } from "../../compiler/diff/codeowners.ts";

const owners = (text: string, path: string): string => {
  const { logins, others } = ownersOf(text, path);
  return [...logins, ...others].join(" ");
};

describe("which paths a pattern means, as GitHub reads it", () => {
  test.each<[pattern: string, path: string, isMeant: boolean]>([
    ["*", "mcp/approved.yaml", true],
    ["*.yaml", "mcp/deep/approved.yaml", true],
    ["*.yaml", "mcp/approved.yml", false],
    ["/mcp/", "mcp/people/all.yaml", true],
    ["/mcp/", "apps/mcp/all.yaml", false],
    ["mcp/", "apps/mcp/all.yaml", true],
    ["/mcp", "mcp/all.yaml", true],
    ["/mcp", "mcp-more/all.yaml", false],
    ["mcp", "a/mcp/all.yaml", true],
    ["mcp/*", "mcp/all.yaml", true],
    ["mcp/*", "mcp/people/all.yaml", false],
    ["mcp/*", "apps/mcp/all.yaml", false],
    ["mcp/**", "mcp/people/all.yaml", true],
    ["**/approved.yaml", "approved.yaml", true],
    ["**/approved.yaml", "apps/bot/mcp/approved.yaml", true],
    ["/apps/**/approved.yaml", "apps/approved.yaml", true],
    ["/apps/**/approved.yaml", "apps/a/b/approved.yaml", true],
    ["/mcp/approved.yaml", "mcp/approved.yaml", true],
    ["/mcp/approved.yaml", "mcp/approvedxyaml", false],
    ["/mcp/Approved.yaml", "mcp/approved.yaml", false],
    ["/mcp/appr?ved.yaml", "mcp/approved.yaml", true],
    ["/with\\ space.yaml", "with space.yaml", true],
  ])("%s and %s: %s", (pattern, path, isMeant) =>
    expect(owners(`${pattern} @Alice`, path)).toBe(isMeant ? "alice" : ""),
  );
});

test.each<[string, string, string]>([
  ["the last line that matches counts", "* @a\n/mcp/ @b @org/team\n", "b @org/team"],
  ["one without owners takes them away", "* @a\n/mcp/approved.yaml\n", ""],
  ["comments", "# /mcp/ @x\n/mcp/ @a # @b\n", "a"],
  ["a line with an owner that is none is passed by", "* @a\n/mcp/ nobody\n", "a"],
  ["so is one that negates, or has a range", "* @a\n!/mcp/ @b\n/mc[p]/ @c\n", "a"],
  ["a mail address is somebody", "/mcp/ a@b.example\n", "a@b.example"],
  ["a robot", "/mcp/ @renovate[bot]\n", "renovate[bot]"],
  ["Windows's line ends", "* @a\r\n/mcp/ @b\r\n", "b"],
  ["a file that is too large says nothing", `${"#".repeat(3 * 2 ** 20)}\n* @a\n`, ""],
])("%s", (_, text, expected) => expect(owners(text, "mcp/approved.yaml")).toBe(expected));
