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
