import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { header } from "../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../compiler/5-artifacts/types.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import { writeArtifacts, type WriteOptions } from "../../compiler/io/write/write-artifacts.ts";
import type { WriteResult } from "../../compiler/io/write/comparison.ts";

/** A project's folder, new for each test, with a folder above it that is no part of it. */
let top: string;
let dir: string;

/** Call it once in a test file. */
export function newFolderForEachTest(): void {
  beforeEach(() => {
    top = mkdtempSync(path.join(tmpdir(), "rolecall-write-"));
    dir = path.join(top, "project");
    mkdirSync(dir);
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));
}

export function above(file: string): string {
  return path.join(top, file);
}

export function run(
  artifacts: Iterable<Artifact>,
  mode: "write" | "check" = "write",
  places: Partial<Pick<WriteOptions, "out" | "former" | "earlier" | "hosts">> = {},
): WriteResult & { readonly says: string[]; readonly notes: string[]; readonly help: string[] } {
  const report = createReport(() => undefined);
  const result = writeArtifacts(
    artifacts,
    { dir, mode, out: "src/mcp", folder: "mcp", hosts: allHosts([]), ...places },
    report,
  );
  const told = report.sorted().map((d) => ({ severity: d.severity, words: `${d.code} ${d.says}`, help: d.help ?? "" }));
  const wordsOf = (isNote: boolean) =>
    told.filter(({ severity }) => (severity === "note") === isNote).map(({ words }) => words);
  return { ...result, says: wordsOf(false), notes: wordsOf(true), help: told.map(({ help }) => help) };
}

export const ts = (name: string, text = "x"): Artifact => ({
  path: `src/mcp/roles/${name}.ts`,
  text: `${header}\nexport const ${name} = ${JSON.stringify(text)};\n`,
});
export const json = (name: string, text = "{}"): Artifact => ({ path: `src/mcp/${name}.json`, text: `${text}\n` });

export function at(file: string): string {
  return path.join(dir, file);
}

export function text(file: string): string {
  return readFileSync(at(file), "utf8");
}

export function put(file: string, content: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), content);
}

/** Everything that lies in the project, but for what rolecall keeps for itself. */
export function tree(root = dir): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const entries = files.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [
      path.relative(root, file).split(path.sep).join("/"),
      entry.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "utf8"),
    ] as const;
  });
  return Object.fromEntries(
    entries.filter(([file]) => !file.startsWith(".rolecall/")).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
