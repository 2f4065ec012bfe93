import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { generatedProject, type GeneratedProject } from "./support/generated-team.ts";
import { blocksOf } from "./support/markdown.ts";
import { typeCheck } from "./types/tsc.ts";

/** The README's page on a team at work: every program runs, and prints what stands below it. */

const ROOT = path.join(import.meta.dirname, "..");
const blocks = blocksOf(readFileSync(path.join(ROOT, "README.md"), "utf8"));
const fileOf = (name: string): string => blocks.find(({ marks }) => marks["file"] === name)!.text;
const programs = blocks
  .map((block, i) => ({ name: block.marks["runs"] ?? "", text: block.text, prints: blocks[i + 1]?.text }))
  .filter(({ name }) => name !== "");

/** The server of the page, which is nowhere: it offers what the page's manifest says. */
const NOTES = `
import { readFileSync } from "node:fs";
import { serve } from ${JSON.stringify(path.join(ROOT, "examples/degraded/servers/serve.mjs"))};
if (process.env.NOTES_OFF) process.exit(1);
const { tools } = JSON.parse(readFileSync("mcp/manifests/notes.json", "utf8"));
serve("notes", Object.fromEntries(tools.map(({ name, ...tool }) => [name, { ...tool, run: ({ text }) => "1 note about " + text }])));
`;

let project: GeneratedProject;
beforeAll(async () => {
  const added = parse(blocks.find(({ marks }) => marks["adds"] === "mcp/servers.yaml")!.text) as Servers;
  const servers = parse(fileOf("mcp/servers.yaml")) as Servers;
  const connect = [{ stdio: ["node", "notes.mjs"], env: { NOTES_OFF: "${NOTES_OFF:-}" } }];
  const notes = { ...servers.servers.notes, ...added.servers.notes, connect };
  const files = Object.fromEntries(
    ["rolecall.yaml", "mcp/manifests/notes.json", "mcp/roles.yaml", "package.json"].map((name) => [name, fileOf(name)]),
  );
  project = await generatedProject(
    { ...files, "mcp/servers.yaml": stringify({ servers: { notes } }), "notes.mjs": NOTES },
    [["build"]],
  );
  for (const { name, text } of programs) project.write(`src/${name}.ts`, text);
});
afterAll(() => project.remove());

interface Servers {
  readonly servers: { readonly notes: object };
}

test("there are programs, and they compile", async () => {
  expect(programs.map(({ name }) => name)).toEqual(["call", "options", "down", "hooks"]);
  expect(await typeCheck({ folder: project.dir, write: project.write, remove() {} }, "7.0", ["src"])).toEqual([]);
});

test.each(programs)("$name prints what the page says", async ({ name, prints }) => {
  const outfile = path.join(project.dir, `${name}.mjs`);
  const entryPoints = [path.join(project.dir, `src/${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, packages: "external", format: "esm", platform: "node" });
  const env = { ...process.env, NOTES_OFF: name === "down" ? "1" : "" };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { cwd: project.dir, env });
  expect({ stdout, stderr }).toEqual({ stdout: prints, stderr: "" });
  if (name !== "options") return;
  expect(project.read(".runs/today/calls.jsonl")).toContain('"tool":"search_notes"');
  rmSync(path.join(project.dir, ".runs"), { recursive: true });
});
