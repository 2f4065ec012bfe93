import { expect, test } from "vitest";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { newFolderForEachTest, put, run, text } from "../../support/output-folder.ts";

newFolderForEachTest();

const list = () => text("src/mcp/files.txt").split("\n").slice(1, -1);

test("a key that gives way leaves what is the user's, lists nothing of it, and comes in once theirs goes", () => {
  const file = ".mcp.json";
  const made = (value: number): Artifact => ({
    path: file,
    format: "json",
    keys: [
      { at: ["mcpServers", "browser"], value, givesWay: true },
      { at: ["mcpServers", "github"], value: 1 },
    ],
  });
  put(file, '{ "mcpServers": { "browser": "mine" } }\n');
  const told = ["output/gives-way `mcpServers.browser` of `.mcp.json` is yours, and stays as it is"];
  expect(run([made(1)])).toMatchObject({ says: [], notes: told });
  const theirs = { mcpServers: { browser: "mine", github: 1 } };
  expect(JSON.parse(text(file))).toEqual(theirs);
  expect(list()).toEqual([`${file}\tmcpServers/github`]);
  expect(run([made(2)])).toMatchObject({ differs: [], missing: [], stale: [], says: [], notes: told });
  expect(JSON.parse(text(file))).toEqual(theirs);
  // A conflict over it is the user's to solve.
  put(
    file,
    '{ "mcpServers": {\n<<<<<<< a\n"browser": "mine",\n=======\n"browser": "yours",\n>>>>>>> b\n"github": 1 } }\n',
  );
  expect(run([made(2)]).says).toEqual([expect.stringContaining("output/broken-keys")]);
  // No longer made, it is the user's as before.
  put(file, JSON.stringify(theirs));
  expect(run([{ path: file, format: "json", keys: [{ at: ["mcpServers", "github"], value: 1 }] }]).says).toEqual([]);
  expect(JSON.parse(text(file))).toEqual(theirs);
  put(file, '{ "mcpServers": { "github": 1 } }\n');
  expect(run([made(2)]).says).toEqual([]);
  expect(list()).toEqual([`${file}\tmcpServers/browser`, `${file}\tmcpServers/github`]);
  expect(run([made(3)]).says).toEqual([]);
  expect(JSON.parse(text(file))).toEqual({ mcpServers: { browser: 3, github: 1 } });
});
