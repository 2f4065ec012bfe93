import { expect, test } from "vitest";
import { offeredTo } from "../../compiler/serve/offered.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { planned } from "../support/compiled.ts";

/** What a client that named something else is told, with a next step that works. */
const tools = JSON.stringify({ tools: [{ name: "read", inputSchema: { type: "object" } }] });
const { plan } = planned({
  "rolecall.yaml": `version: 1
project: harbor
servers:
  files: { connect: [{ http: "http://127.0.0.1:1/mcp" }] }
  file: { connect: [{ http: "http://127.0.0.1:1/mcp" }] }
roles:
  tester: { tools: { files: all } }
  reader: { tools: { file: all } }
`,
  "mcp/manifests/files.json": tools,
  "mcp/manifests/file.json": tools,
});
const served = servePlan(plan, []);

test.each([
  ["a slip", "fils", "; the nearest name is `files`"],
  ["one that the project has, and another role holds", "file", ""],
  ["one like no other", "browser", ""],
])("of a server by a name that the role holds nothing of: %s", (_, server, nearest) => {
  expect(offeredTo(served, { role: "tester", server, host: undefined })).toEqual({
    refused: {
      exit: 64,
      says: `role \`tester\` holds nothing of a server \`${server}\`${nearest}`,
      next: "`rolecall report` shows what each role holds",
    },
  });
});
