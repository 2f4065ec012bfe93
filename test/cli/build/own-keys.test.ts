// A host's file that is a source and an output at once: the team's entries are read, the build's never are.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { manifest } from "../../support/compiled.ts";

const top = mkdtempSync(path.join(tmpdir(), "rolecall-own-keys-"));
let dir = "";
let count = 0;
beforeEach(() => {
  dir = path.join(top, String(++count));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const HOSTS: readonly (readonly [host: string, file: string, key: string])[] = [
  ["cursor", ".cursor/mcp.json", "mcpServers"],
  ["vscode", ".vscode/mcp.json", "servers"],
  ["gemini-cli", ".gemini/settings.json", "mcpServers"],
];

const ROOT = (host: string, file: string, more = "") =>
  `version: 1\nproject: harbor\nhosts: [{ id: ${host}, without: [docs] }]\nimports: [${file}]\n${more}`;
const NATIVE = "servers: { tracker: { connect: [{ stdio: [tracker-mcp] }] } }\n";
const ROLES = "roles: { dev: { builtins: all, tools: { tracker: all, docs: all } } }\n";

function write(files: Readonly<Record<string, string>>, folder = dir): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

async function build(folder = dir, check = false) {
  const built = await engine.build(folder, { check, cache: true });
  const errors = built.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return { errors, outcome: built.outcome, servers: built.counts?.servers };
}

function started(host: string, file: string, key: string): void {
  write({
    "rolecall.yaml": ROOT(host, file),
    "mcp/team.yaml": NATIVE + ROLES.replace("builtins: all", `builtins: { ${host}: all }`),
    "mcp/manifests/tracker.json": manifest("list", "drop"),
    "mcp/manifests/docs.json": manifest("list"),
    [file]: `{\n  // The team's own.\n  "${key}": {\n    "docs": { "command": "docs-mcp" }\n  }\n}\n`,
  });
}

test.each(HOSTS)("%s: the build's entries are no sources, here and in a fresh clone", async (host, file, key) => {
  started(host, file, key);
  expect(await build()).toMatchObject({ errors: [], servers: 2 });
  const text = readFileSync(path.join(dir, file), "utf8");
  expect(text).toContain("tracker");
  expect(text).toContain("// The team's own.");
  // Twice: from what is remembered, and without.
  for (const again of [dir, dir, clone()]) expect(await build(again)).toMatchObject({ errors: [], servers: 2 });
  expect((await build(dir, true)).outcome).toMatchObject({ differs: [], missing: [], stale: [] });
  expect(readFileSync(path.join(dir, file), "utf8")).toBe(text);
});

test.each(HOSTS)("%s: what is taken out of the sources doesn't come back from there", async (host, file, key) => {
  started(host, file, key);
  await build();
  const fresh = clone();
  write({ "mcp/team.yaml": ROLES.replace("builtins: all", `builtins: { ${host}: all }`) }, fresh);
  expect(await build(fresh)).toMatchObject({ errors: ["server/unknown"] });
  write({ "mcp/team.yaml": `roles: { dev: { builtins: { ${host}: all }, tools: { docs: all } } }\n` }, fresh);
  expect(await build(fresh)).toMatchObject({ errors: [], servers: 1 });
  expect(readFileSync(path.join(fresh, file), "utf8")).not.toContain("tracker");
});

test.each(HOSTS)("%s: an entry that is a source is never written, not even as it is", async (host, file, key) => {
  started(host, file, key);
  write({ "rolecall.yaml": ROOT(host, file).replace(", without: [docs]", "") });
  const before = readFileSync(path.join(dir, file), "utf8");
  expect((await build()).errors).toEqual(["output/key-read"]);
  expect(readFileSync(path.join(dir, file), "utf8")).toBe(before);
});

/** What git has of it: no cache, no notes. */
function clone(): string {
  const to = path.join(top, `clone-${++count}`);
  cpSync(dir, to, { recursive: true, filter: (from) => path.basename(from) !== ".rolecall" });
  return to;
}
