import { expect, test } from "vitest";
import { compiled } from "../support/compiled.ts";

/** A preset that was copied a moment ago, before the server was asked: one error, where the project names it. */

const PRESET = `id: notes
server:
  connect: [{ http: "https://notes.example.com" }]
  tools: { exclude: [drop_all] }
  scopes: { "read:notes": [find, list], "write:notes": [{ optional: add }] }
  labels: { private-data: [find, list] }
  hints: { find: { readOnly: true }, list: { readOnly: true } }
  results: { list: { type: array } }
`;

test("says once that the manifest is needed, and in how many places more", () => {
  const { diagnostics } = compiled({
    "mcp/a.yaml": `servers:
  notes: { preset: notes }
  wiki: { preset: notes, labels: { mine: [find] } }
roles: { reader: { tools: { notes: read-only } } }
`,
    "mcp/presets/notes.yaml": PRESET,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ says, at }) => [at?.line, says])).toEqual([
    [2, "the preset `notes` needs the manifest of `notes`, and there is none; the same in 1 more place"],
    [3, "the preset `notes` needs the manifest of `wiki`, and there is none; the same in 1 more place"],
  ]);
});
