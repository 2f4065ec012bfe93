import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";

test.each([
  [".mcp.json", "mcpServers", "${A:-"],
  [".vscode/mcp.json", "servers", "${env:"],
])("%s: a reference that is too long to be looked for is refused", (file, key, begin) => {
  const text = JSON.stringify({ [key]: { one: { command: "serve", env: { MODE: `${begin}${"a".repeat(5000)}}` } } } });
  const files = memoryFiles({ [file]: text });
  const { diagnostics } = translate({ file }, { files, project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  expect(diagnostics.map(({ says }) => says).join()).toContain("a reference of more than 4,000 characters");
});

test("a process with more arguments than a call can take is read, too", () => {
  const args = Array.from({ length: 150_000 }, () => "a");
  const files = { ".mcp.json": JSON.stringify({ mcpServers: { hub: { command: "x", args } } }) };
  const { translated } = translate(
    { file: ".mcp.json" },
    { files: memoryFiles(files), project: DEFAULTS, hosts: allHosts([]) },
    lazyLibraries(),
  );
  expect(translated?.blocks["servers"]).toEqual({ hub: { connect: [{ stdio: ["x", ...args] }] } });
});
