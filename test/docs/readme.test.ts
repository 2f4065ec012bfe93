import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { bundledCli } from "../support/bundled-cli.ts";
import { type Block, blocksOf } from "../support/markdown.ts";
import { typeCheck } from "../types/tsc.ts";
import { ROOT } from "../support/root.ts";

/** README.md, played as somebody plays it who has just found it. What it shows must work as it stands. */

const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const blocks = blocksOf(readme);
const cli = bundledCli();
const folder = cli.folder("garden");
afterAll(() => cli.remove());

/** What each line of the page said, by the line. */
const said = new Map<string, { readonly exit: number; readonly out: string; readonly err: string }>();

test("it is a page of at most 250 lines", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(251);
});

describe("ten minutes to a first role", () => {
  test("every file and every command, in the order of the page", () => {
    // In place of `npm install` and of what `npx` would fetch, which need the network.
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
    const tour = blocks.filter(({ line }) => line > lineOf("## Ten minutes"));
    for (const block of tour) play(block);
    expect([...said.keys()].filter((line) => line.startsWith("rolecall "))).toEqual([
      "rolecall capture --accept",
      "rolecall inspect notes",
      "rolecall build",
      "rolecall report --terminal",
      "rolecall explain writer notes.write_file",
      "rolecall explain writer notes.edit_file",
      "rolecall hosts",
      "rolecall start reader --host claude-code",
      "rolecall build --check",
    ]);
  });

  test("the pin is the real server's", () => {
    expect(said.get("rolecall inspect notes")!.out).toContain("14 tools");
    expect(JSON.parse(read("mcp/manifests/notes.json"))).toMatchObject({ server: "notes" });
  });

  test("explain gives the verdicts that the page promises", () => {
    const granted = said.get("rolecall explain writer notes.write_file")!.out;
    expect(granted).toContain("drafts/**");
    expect(granted).toContain("mcp/roles.yaml:14");
    const refused = said.get("rolecall explain writer notes.edit_file")!.out;
    expect(refused).toContain("denied");
    expect(refused).toContain("nothing grants");
  });

  test("the host is started as that role", () => {
    expect(said.get("rolecall start reader --host claude-code")!.out).toContain("started: --agent reader");
  });

  test("the line for Node 20 runs the code as well", () => {
    const line = /`npx -y (tsx@\S+ src\/draft\.ts)`/.exec(readme)![1]!;
    const printed = blocks.find(({ marks }) => marks["runs"] === "src/draft.ts")!.text;
    expect(line.split(" ")[0]).toBe(`tsx@${manifest.devDependencies.tsx}`);
    expect(cli.run(`npx --no ${line}`, folder)).toMatchObject({ exit: 0, out: printed });
  });

  test("and the code compiles under every flag that generated code promises", async () => {
    expect(await typeCheck({ folder, write, remove() {} }, "7.0", ["src"])).toEqual([]);
  });

  test("the line that may not compile is what holds the code back", () => {
    const draft = read("src/draft.ts");
    write("src/draft.ts", draft.replace(/^.*@ts-expect-error.*\n/m, ""));
    const { exit, out } = cli.run("npx tsc --pretty false", folder);
    write("src/draft.ts", draft);
    expect(exit).not.toBe(0);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(out).toContain("edit_file");
  });

  test("output that is out of date: exit 2", () => {
    const roles = read("mcp/roles.yaml");
    write("mcp/roles.yaml", roles.replace("[write_file, move_file]", "[write_file, move_file, edit_file]"));
    const { exit, out } = cli.run("rolecall build --check", folder);
    write("mcp/roles.yaml", roles);
    expect(exit).toBe(2);
    expect(out).toContain("src/mcp/roles/writer.ts");
  });

  test("a misspelt tool: the line and the tool that was meant", () => {
    const roles = read("mcp/roles.yaml");
    write("mcp/roles.yaml", roles.replace("[write_file, move_file]", "[write_flie, move_file]"));
    const { exit, err } = cli.run("rolecall build", folder);
    write("mcp/roles.yaml", roles);
    expect(exit).toBe(1);
    expect(err).toContain("`write_flie` is not a tool of `notes`\n  mcp/roles.yaml:11:");
    expect(err).toContain("did you mean `write_file`?");
  });

  test("what comes out lies where the page says", () => {
    const promised = blocks.find((block) => block.text.startsWith("src/mcp/index.ts"))!.text;
    const paths = promised.split("\n").flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
    expect(paths).toContain(".env.example");
    write("rolecall.yaml", `${read("rolecall.yaml")}envExample: .env.example\n`);
    expect(cli.run("rolecall build", folder)).toMatchObject({ exit: 0 });
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
    const made = "dependencies" in manifest.scripts || before.includes("npm run bundle");
    expect(made).toBe(true);
  });
});

/** A file is written, a command is run, and what a program printed is what stands below it. */
function play({ language, marks, text }: Block): void {
  if (marks["file"] !== undefined) write(marks["file"], text);
  else if (marks["adds"] !== undefined) appendFileSync(path.join(folder, marks["adds"]), text);
  else if (marks["runs"] !== undefined) expect(said.get(`node ${marks["runs"]}`)?.out).toBe(text);
  else if (language === "sh") for (const line of commandsIn(text)) run(line);
}

function commandsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, ""))
    .filter((line) => line !== "" && !line.startsWith("npm "));
}

function run(line: string): void {
  // A host isn't at hand: what is started in its place says how. And this Node may be one that doesn't take TypeScript.
  if (line.startsWith("rolecall start ")) standIn("claude");
  const typed =
    line.startsWith("node src/") && !("typescript" in process.features && process.features.typescript)
      ? line.replace("node", "npx --no tsx")
      : line;
  const ended = cli.run(`PATH="$PWD/bin:$PATH"; ${typed}`, folder);
  said.set(line, ended);
  expect({ exit: ended.exit, errors: /^error.*/m.exec(ended.err)?.[0] }, `${line}\n${ended.err}`).toEqual({
    exit: 0,
    errors: undefined,
  });
}

function standIn(command: string): void {
  write(`bin/${command}`, '#!/bin/sh\necho "started: $*"\n');
  chmodSync(path.join(folder, "bin", command), 0o755);
}

function lineOf(heading: string): number {
  return readme.slice(0, readme.indexOf(heading)).split("\n").length;
}

/** `<role>` and `*` stand for some file. */
function existsHere(shown: string): boolean {
  const known: Readonly<Record<string, string>> = {
    "<role>": "writer",
    "<server>": "notes",
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
