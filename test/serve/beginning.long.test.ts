import { rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { ROOT } from "../support/root.ts";
import { servedProject, type ServedProject } from "../support/served-project.ts";

/** What stands between a host's start and its first list: each file that is read makes it later. */
let cli: BundledCli;
let project: ServedProject;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml": `version: 1
project: harbor
servers: { notes: { connect: [{ stdio: [never-started] }] } }
roles: { reader: { tools: { notes: [read] } } }
`,
      "mcp/manifests/notes.json": pinned("read"),
    },
    [["build"]],
  );
}, 120_000);
afterAll(() => {
  project.remove();
  cli.remove();
});

interface Loaded {
  readonly who: "shim" | "daemon";
  readonly file: string;
  readonly bytes: number;
}

/** One client's first list where nothing serves, and what was loaded for it. */
async function firstList(
  run: string,
): Promise<{ readonly names: readonly string[]; readonly loaded: readonly Loaded[] }> {
  project.write(run, "");
  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(ROOT, "test/support/loaded-files.mjs")).href}`,
    LOADED_FILES: path.join(project.dir, run),
  };
  const { client } = await project.connect(["--role", "reader"], { env });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const loaded = project
    .read(run)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Loaded);
  await client.close();
  project.typed("serve", "--stop");
  return { names, loaded };
}

const named = (loaded: readonly Loaded[], who: Loaded["who"]): string[] =>
  loaded.filter((one) => one.who === who).map(({ file }) => path.basename(file));
const bytesOf = (loaded: readonly Loaded[], who: Loaded["who"]): number =>
  loaded.filter((one) => one.who === who).reduce((sum, { bytes }) => sum + bytes, 0);

test("a shim reads what passes lines on, and a daemon what serves: the compiler once, and no package of others", async () => {
  const first = await firstList("first");
  expect(first.names).toEqual(["notes__read"]);
  expect(first.loaded.filter(({ file }) => file.includes("node_modules"))).toEqual([]);
  expect(named(first.loaded, "daemon")).toContain("compiling.js");
  expect(bytesOf(first.loaded, "shim")).toBeLessThan(100_000);
  const again = await firstList("again");
  expect(again.names).toEqual(first.names);
  expect(named(again.loaded, "daemon")).toEqual(["cli.js", "serve.js", "serving.js", "mcp-server.js"]);
  expect(bytesOf(again.loaded, "daemon")).toBeLessThan(720_000);
});

test("the compiler isn't asked again while all that it read is the same to the byte, and a slip of it is seen", async () => {
  const isCompiled = async (run: string): Promise<boolean> =>
    named((await firstList(run)).loaded, "daemon").includes("compiling.js");
  await firstList("noted");
  expect(await isCompiled("noted-again")).toBe(false);
  // As many bytes, and no other time.
  const roles = "src/mcp/access.json";
  const [text, { atime, mtime }] = [project.read(roles), statSync(path.join(project.dir, roles))];
  project.write(roles, text.replace("notes", "motes"));
  utimesSync(path.join(project.dir, roles), atime, mtime);
  await expect(firstList("changed")).rejects.toThrow("what was built isn't what the sources say (src/mcp/access.json)");
  project.write(roles, text);
  expect(await isCompiled("put-back")).toBe(false);
  project.write("mcp/more.yaml", "roles: { other: { tools: { notes: [read] } } }\n");
  await expect(firstList("more")).rejects.toThrow("what was built isn't what the sources say");
  rmSync(path.join(project.dir, "mcp/more.yaml"));
  expect(await isCompiled("no-more")).toBe(false);
  rmSync(path.join(project.dir, "src/mcp/ACCESS.md"));
  await expect(firstList("less")).rejects.toThrow("(src/mcp/ACCESS.md)");
  await project.run("build");
  expect(await isCompiled("whole")).toBe(false);
  // What says nothing new is read once.
  project.write("rolecall.yaml", `# the harbor\n${project.read("rolecall.yaml")}`);
  expect([await isCompiled("commented"), await isCompiled("commented-again")]).toEqual([true, false]);
});

test("what isn't accepted is asked for after each start, and is no reason to believe a note", async () => {
  project.write("rolecall.yaml", project.read("rolecall.yaml").replace("[read]", "[read, write]"));
  project.write("mcp/manifests/notes.json", pinned("read", "write"));
  await project.run("build");
  for (const run of ["wider", "still wider"]) {
    const { names, loaded } = await firstList(run);
    expect([names, named(loaded, "daemon").includes("compiling.js")]).toEqual([["notes__read"], true]);
  }
  project.typed("serve", "--accept");
  const { names, loaded } = await firstList("accepted");
  expect([names, named(loaded, "daemon").includes("compiling.js")]).toEqual([["notes__read", "notes__write"], false]);
});

const pinned = (...names: readonly string[]): string =>
  JSON.stringify({ server: "notes", tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) });
