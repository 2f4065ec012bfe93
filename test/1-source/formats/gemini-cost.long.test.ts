import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";

/** What Gemini CLI's lists take away of very many servers: time grows with what is written, not with its square. */

const FILE = ".gemini/settings.json";

describe("some thousand rules and servers take a moment", () => {
  const many = (name: (i: number) => string, count = 10_000): string[] =>
    Array.from({ length: count }, (_, i) => name(i));
  const names = many((i) => `server${i}x`);
  const taken = (file: string, more: object, entry: object, beside: Readonly<Record<string, string>> = {}) => {
    const files = memoryFiles({
      [file]: JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, entry])), ...more }),
      ...beside,
    });
    return translate({ file }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  };
  /** Of this process alone: others run beside it. */
  const seconds = (work: () => unknown): number => {
    const started = process.cpuUsage();
    work();
    return process.cpuUsage(started).user / 1e6;
  };

  test.each<[string, object]>([
    ["servers that are kept out", { mcp: { excluded: names } }],
    ["servers that nobody has", { mcp: { excluded: many((i) => `server-of-others-${i}`) } }],
    ["all servers, over and over", { mcp: { excluded: names.map(() => "*") } }],
    ["tools of servers", { tools: { exclude: names.map((name) => `mcp_${name}_drop`) } }],
    ["tools of any server", { tools: { exclude: many((i) => `drop${i}`) } }],
  ])("%s", (_, more) => {
    expect(seconds(() => taken(FILE, more, { command: "serve" }))).toBeLessThan(15);
  });

  test("tools of one server", () => {
    const [include, exclude] = [many((i) => `list${i}`, 90_000), many((i) => `drop${i}`, 90_000)];
    const lists = [{ excludeTools: exclude }, { includeTools: include, excludeTools: exclude }];
    for (const more of lists) {
      const files = memoryFiles({ [FILE]: JSON.stringify({ mcpServers: { one: { command: "serve", ...more } } }) });
      const work = () => translate({ file: FILE }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
      expect(seconds(work)).toBeLessThan(15);
    }
  });

  test("policies beside the file", () => {
    const rules = many((i) => `[[rule]]\ntoolName = "own${i}*"\ndecision = "deny"\n`).join("\n");
    const beside = { ".gemini/policies/a.toml": rules };
    expect(seconds(() => taken("conf/g.json", {}, { command: "serve", includeTools: ["a"] }, beside))).toBeLessThan(15);
  });

  test("names of tools that would be looked for in each of very many servers are an error", () => {
    const { diagnostics } = taken(FILE, { tools: { exclude: many((i) => `drop${i}`, 30) } }, { command: "serve" });
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ["import/not-of-format", "name the server of each tool too, as `mcp_server_tool`"],
    ]);
  });
});
