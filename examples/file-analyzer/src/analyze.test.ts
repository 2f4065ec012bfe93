import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeServer } from "rolecall/testing";
import { analyze } from "./analyze.js";
import { team } from "./mcp/index.js";
import type { FilesTools } from "./mcp/servers/files.js";

/** No real server and no file: what the pin says, over a real connection. */
test("what it may not read is named, and never asked for", async () => {
  const files = await fakeServer<FilesTools>("files", {
    list_directory: () => ({ content: "[FILE] a.md\n[FILE] key.pem\n[DIR] b" }),
    read_text_file: () => ({ content: "one two\nthree\n" }),
  });
  const harbor = team({ fakes: [files] });
  const analyzed = await analyze(harbor.as("analyzer"));
  assert.deepEqual(analyzed, { found: [{ file: "a.md", lines: 2, words: 3 }], refused: ["key.pem"] });
  assert.deepEqual(
    files.calls.map(({ args }) => args["path"]),
    [".", "a.md"],
  );
  await harbor.close();
});
