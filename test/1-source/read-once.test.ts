import { expect, test } from "vitest";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { compile } from "../../compiler/compile.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { manifest } from "../support/compiled.ts";

const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: test\nguards: [guards/org.yaml]\n",
  "guards/org.yaml": "policies: [{ name: p, roles: ['*'], tools: ['notes.delete_*'], effect: ask }]\n",
  "mcp/servers.yaml": "servers:\n  notes: { preset: notes }\n",
  "mcp/roles.yaml": "roles:\n  dev: { prompt: charter.md, tools: { notes: all } }\n",
  "mcp/presets/notes.yaml": "id: notes\ntitle: Notes\nserver: { connect: [{ http: 'https://notes.test/mcp' }] }\n",
  "mcp/manifests/notes.json": manifest("delete_note", "read_note"),
  "charter.md": "Take notes.\n",
};

/** How often each file was asked for its text. */
function readsOf(project: Readonly<Record<string, string>>): {
  readonly counts: Record<string, number>;
  readonly codes: readonly string[];
} {
  const files = memoryFiles(project);
  const counts: Record<string, number> = Object.fromEntries(Object.keys(project).map((file) => [file, 0]));
  const read = (file: string) => {
    if (file in counts) counts[file]!++;
    return files.read(file);
  };
  const { diagnostics } = compile({ ...files, read }, [], lazyLibraries());
  return { counts, codes: diagnostics.map(({ code }) => code) };
}

test("a build reads each of its files once", () => {
  const { counts, codes } = readsOf(PROJECT);
  expect(codes).toEqual([]);
  expect(counts).toEqual(Object.fromEntries(Object.keys(PROJECT).map((file) => [file, 1])));
});

test("what is told with an excerpt is read once more, and nothing else", () => {
  const roles = "roles:\n  dev: { prompt: charter.md, tools: { notes: [read_not] } }\n";
  const { counts, codes } = readsOf({ ...PROJECT, "mcp/roles.yaml": roles });
  expect(codes).toEqual(["manifest/unknown-tool"]);
  expect(counts).toEqual(Object.fromEntries(Object.keys(PROJECT).map((f) => [f, f === "mcp/roles.yaml" ? 2 : 1])));
});
