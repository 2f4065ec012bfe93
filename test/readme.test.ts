import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { bundledCli } from "./support/bundled-cli.ts";
import { blocksOf } from "./support/markdown.ts";
import { typeCheck } from "./types/tsc.ts";

/** README.md, played as somebody plays it who has just found it. What it shows must work as it stands. */

const ROOT = path.join(import.meta.dirname, "..");
const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const blocks = blocksOf(readme);
const cli = bundledCli();
const folder = cli.folder("garden");
afterAll(() => cli.remove());

describe("ten minutes to a first role", () => {
  test("the files can be written as they are shown", () => {
    const files = blocks.filter((block) => block.marks["file"] !== undefined);
    for (const file of files) write(file.marks["file"]!, file.text);
    expect(files.map((file) => file.marks["file"])).toEqual([
      "rolecall.yaml",
      "mcp/servers.yaml",
      "mcp/manifests/notes.json",
      "mcp/roles.yaml",
      "src/draft.ts",
      "package.json",
      "tsconfig.json",
    ]);
  });

  test("every command runs, in the order of the page", () => {
    const lines = shellLines().filter((line) => line.startsWith("rolecall "));
    expect(lines).toContain("rolecall build --check");
    for (const line of lines) expect(cli.run(line, folder), line).toMatchObject({ exit: 0, err: "" });
  });

  test("explain gives the verdicts that the page promises", () => {
    const granted = cli.run("rolecall explain writer notes.write_note", folder).out;
    expect(granted).toContain("drafts/**");
    expect(granted).toContain("mcp/roles.yaml:9");
    const refused = cli.run("rolecall explain writer notes.delete_note", folder).out;
    expect(refused).toContain("denied");
    expect(refused).toContain("nothing grants");
  });

  test("the code that uses a role compiles, as the page says", () => {
    expect(shellLines()).toContain("npx tsc");
    // In place of `npm install`, which needs the network.
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
    expect(cli.run("npx tsc", folder)).toMatchObject({ exit: 0, out: "" });
  });

  test("and under every flag that generated code promises", async () => {
    expect(await typeCheck({ folder, write, remove() {} }, "7.0", ["src"])).toEqual([]);
  });

  test("the line that may not compile is what holds the code back", () => {
    const draft = blocks.find((block) => block.marks["file"] === "src/draft.ts")!.text;
    write("src/draft.ts", draft.replace(/^.*@ts-expect-error.*\n/m, ""));
    const { exit, out } = cli.run("npx tsc --pretty false", folder);
    write("src/draft.ts", draft);
    expect(exit).not.toBe(0);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(out).toContain("delete_note");
  });

  test("output that is out of date: exit 2", () => {
    const roles = read("mcp/roles.yaml");
    write("mcp/roles.yaml", roles.replace("[write_note]", "[write_note, delete_note]"));
    const { exit, out } = cli.run("rolecall build --check", folder);
    write("mcp/roles.yaml", roles);
    expect(exit).toBe(2);
    expect(out).toContain("src/mcp/roles/writer.ts");
  });

  test("a misspelt tool: the line and the tool that was meant", () => {
    const roles = read("mcp/roles.yaml");
    write("mcp/roles.yaml", roles.replace("[write_note]", "[write_ntoe]"));
    const { exit, err } = cli.run("rolecall build", folder);
    write("mcp/roles.yaml", roles);
    expect(exit).toBe(1);
    expect(err).toContain("`write_ntoe` is not a tool of `notes`\n  mcp/roles.yaml:9:");
    expect(err).toContain("did you mean `write_note`?");
  });

  test("what comes out lies where the page says", () => {
    const promised = blocks.find((block) => block.text.startsWith("src/mcp/index.ts"))!.text;
    const paths = promised.split("\n").flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
    expect(paths).toContain(".env.example");
    write("rolecall.yaml", `${read("rolecall.yaml")}envExample: .env.example\n`);
    expect(cli.run("rolecall build", folder)).toMatchObject({ exit: 0, err: "" });
    expect(paths.filter((file) => !existsHere(file))).toEqual([]);
  });
});

describe("the commands of npm", () => {
  const named = [...readme.matchAll(/\bnpm (ci|link|start|test|run (?:--silent )?[\w:-]+)/g)].map((found) => found[1]!);

  test("are scripts of package.json", () => {
    const scripts: Readonly<Record<string, string>> = manifest.scripts;
    const wanted = named
      .filter((name) => name !== "ci" && name !== "link")
      .map((name) => name.replace(/^run (--silent )?/, ""));
    expect(wanted).toContain("start");
    expect(wanted.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test("make what `npm link` links to: nothing of dist/ is committed", () => {
    const before = readme.slice(0, readme.indexOf("npm link"));
    const made = "prepare" in manifest.scripts || before.includes("npm run bundle");
    expect(made).toBe(true);
  });
});

function shellLines(): string[] {
  const scripts = blocks.filter((block) => block.language === "sh");
  return scripts
    .flatMap((block) => block.text.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, ""))
    .filter((line) => line !== "");
}

/** `<role>` and `*` stand for some file. */
function existsHere(shown: string): boolean {
  const known: Readonly<Record<string, string>> = {
    "<role>": "writer",
    "<server>": "notes",
    "runtime/*": "runtime/contract.ts",
    "schema/*.json": "schema/source.json",
  };
  const file = Object.entries(known).reduce((at, [from, to]) => at.replace(from, to), shown);
  return existsSync(path.join(folder, file));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function read(file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}
