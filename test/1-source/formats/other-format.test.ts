import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled } from "../../support/compiled.ts";

/** A file that lies under the name of another program's. */

const FILE = ".mcp.json";
const helps = (server: object): readonly (readonly (string | undefined)[])[] => {
  const files = { [FILE]: JSON.stringify({ mcpServers: { github: { command: "serve", ...server } } }) };
  const project = { "rolecall.yaml": `{ version: 1, project: test, imports: [${FILE}] }` };
  const taken = translate(
    { file: FILE },
    { files: memoryFiles(files), project: DEFAULTS, hosts: allHosts([]) },
    lazyLibraries(),
  );
  return [taken, compiled({ ...files, ...project })].map(({ diagnostics }) => diagnostics.map(({ help }) => help));
};

test.each([{ type: "local" }, { tools: ["list"] }])("what one other program alone would read: %j", (server) => {
  const words = "where it is meant as Copilot's mcp-config.json, say";
  expect(helps(server)).toEqual([[`${words} \`--as copilot\``], [`${words} \`as: copilot\``]]);
});

test.each([{ cwd: "src" }, { disabledTool: ["drop"] }, { type: "stdoi" }])(
  "a slip, or what several have: %j",
  (server) => {
    expect(helps(server).flat().join()).not.toMatch(/\bas\b.*`(?:--as|as:)/);
  },
);

test.each([
  [
    ".claude/settings.json",
    "{}",
    "it is read beside .mcp.json: import that one, and what this takes away is taken along",
  ],
  [
    "app/.cursor/cli.json",
    "{}",
    "it is read beside Cursor's mcp.json: import that one, and what this takes away is taken along",
  ],
  ["conf/any.json", "{}", expect.stringMatching(/^say which one is meant: `--as` takes/)],
  ["conf/any.json", '{"mcpServers":{"a":{"command":"x","args":["${A}"]}}}', "say which one is meant, with `--as`"],
])("a file that was typed is spoken of where it was typed: %s %s", (file, text, help) => {
  const options = { files: memoryFiles({ [file]: text }), project: DEFAULTS, hosts: allHosts([]) };
  const { diagnostics } = translate({ file }, options, lazyLibraries());
  expect(diagnostics.map((one) => [one.help, one.says.includes("imports")])).toEqual([[help, false]]);
});
