import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";

/** What Claude Code's rules take away of very many servers: no file takes hours, and a rule that isn't held is told. */

const many = (name: (i: number) => string, count: number): string[] => Array.from({ length: count }, (_, i) => name(i));

const taken = (servers: readonly string[], deny: readonly string[]) =>
  translate(
    { file: ".mcp.json" },
    {
      files: memoryFiles({
        ".mcp.json": JSON.stringify({
          mcpServers: Object.fromEntries(servers.map((name) => [name, { command: "serve" }])),
        }),
        ".claude/settings.json": JSON.stringify({ permissions: { deny } }),
      }),
      project: DEFAULTS,
      hosts: allHosts([]),
    },
    lazyLibraries(),
  );

/** Of this process alone: others run beside it. */
function seconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1e6;
}

const SERVERS = many((i) => `server${i}x`, 5000);

describe("some thousand rules and servers take a moment", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["tools of servers", SERVERS, many((i) => `mcp__server${i}x__drop`, 5000)],
    ["stars that find nothing", SERVERS, many((i) => `mcp__*zzz${i}`, 5000)],
    ["stars that find each server", SERVERS, many((i) => `mcp__*__drop${i}`, 5000)],
    ["very many stars", SERVERS, many((i) => `mcp__${"*x*_*s".repeat(300)}${i}`, 10)],
    ["names that begin alike", many((i) => `a__${i}`, 5000), many(() => "mcp__a", 5000)],
    [
      "names that are shown alike",
      many((i) => `a${String.fromCharCode(0x4e00 + i)}`, 5000),
      many((i) => `mcp__a___x${i}`, 5000),
    ],
    ["a name of signs alone", ["_".repeat(200_000)], many((i) => `mcp__${"_".repeat(200_000)}${i}`, 3)],
  ])("%s", (_, servers, deny) => {
    expect(seconds(() => taken(servers, deny))).toBeLessThan(20);
  });
});

test("beyond it a rule is told, where it may be about a server", () => {
  const deny = [...many((i) => `mcp__*__drop${i}`, 50), "mcp__*__last", "mcp__other*"];
  const { translated, diagnostics } = taken(SERVERS, deny);
  const said = diagnostics.map(({ says }) => says).join("\n");
  expect(said).toContain("`mcp__*__last`");
  expect(said).not.toContain("mcp__other");
  expect(said).not.toContain("`mcp__*__drop0`");
  expect(JSON.stringify(translated?.blocks)).not.toContain("last");
});
