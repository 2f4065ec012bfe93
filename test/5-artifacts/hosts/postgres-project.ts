import { expect } from "vitest";
import { textOf } from "../../support/artifact-text.ts";
import { compiled, manifest } from "../../support/compiled.ts";

/** Projects that are written for a database, and what is written. */

export const project = (host: string) => `version: 1\nproject: test\nhosts: [${host}]\n`;

export const NATIVE = {
  "mcp/team.yaml":
    "servers: { notes: { connect: [{ stdio: [notes] }] } }\nroles: { agent: { tools: { notes: all } } }\n",
  "mcp/manifests/notes.json": manifest("read_note", { name: "add_note", arguments: ["text"] }),
};

export function sqlOf(files: Readonly<Record<string, string>>): { readonly migration: string; readonly rows: string } {
  const compilation = compiled(files);
  expect(compilation.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const texts = new Map([...compilation.artifacts].map((artifact) => [artifact.path, artifact]));
  const [migration, rows] = ["migration", "rows"].map((name) => textOf(texts.get(`mcp/hosts/postgres/${name}.sql`)!));
  return { migration: migration!, rows: rows! };
}
