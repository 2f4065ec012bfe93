import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { main } from "../../compiler/cli/main.ts";
import { engine } from "../../compiler/cli/engine.ts";
import { runInProcess } from "../support/run-cli.ts";
import { localLinks } from "../support/markdown.ts";
import { typeCheck, type Compiler, type Project } from "../types/tsc.ts";
import { ROOT } from "../support/root.ts";

/** The projects in examples/: their output is committed, up to date, and compiles. */

const FOLDER = path.join(ROOT, "examples");
const COMPILERS: readonly Compiler[] = ["7.0", "5.2"];
const folders = readdirSync(FOLDER)
  .filter((name) => existsSync(path.join(FOLDER, name, "README.md")))
  .sort();
/** Those with a .gitignore are built by small-examples.long.test.ts. */
const names = folders
  .filter((name) => existsSync(path.join(FOLDER, name, "rolecall.yaml")))
  .filter((name) => !existsSync(path.join(FOLDER, name, ".gitignore")));
const rolecall = runInProcess((argv, terminal) => main(argv, terminal, engine));
const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-examples-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("there are examples, and each is listed", () => {
  const listed = localLinks(readFileSync(path.join(FOLDER, "README.md"), "utf8")).sort();
  expect(names.length).toBeGreaterThan(0);
  expect(listed).toEqual(folders);
});

describe.each(names)("%s", (name) => {
  const folder = path.join(home, name);
  const copied = () => {
    // What a build leaves beside the project says nothing about what is committed.
    if (!existsSync(folder))
      cpSync(path.join(FOLDER, name), folder, {
        recursive: true,
        filter: (file) => path.basename(file) !== ".rolecall",
      });
    return folder;
  };

  test("has its output committed and up to date", async () => {
    const { exit, printed } = await rolecall(["build", "--check", "--no-cache"], copied());
    expect(printed).toMatch(/^up to date: \d+ files\n$/m);
    expect(exit).toBe(0);
  });

  test.each(COMPILERS)("compiles with TypeScript %s", async (compiler) => {
    const project = typescriptProject(copied());
    expect(await typeCheck(project, compiler, ["src"])).toEqual([]);
  });

  test("has a README", () => {
    expect(existsSync(path.join(FOLDER, name, "README.md"))).toBe(true);
  });
});

function typescriptProject(folder: string): Project {
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  if (!existsSync(path.join(folder, "node_modules"))) {
    // They need packages of the hosts, whose own types don't pass this check: test/hosts compiles them.
    const hosts = path.join(folder, "src/mcp/hosts");
    for (const file of existsSync(hosts) ? readdirSync(hosts) : [])
      rmSync(path.join(folder, "src/mcp", `runtime-${file}`));
    rmSync(hosts, { recursive: true, force: true });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
    write("package.json", '{ "type": "module" }\n');
  }
  return { folder, write, remove() {} };
}

test("degraded: a team works on while a server is killed and comes back", { timeout: 30_000 }, () => {
  const printed = execFileSync("npm", ["run", "--silent", "example:degraded"], { cwd: ROOT, encoding: "utf8" });
  const story = [
    "hour 1   wind south-west, 6",
    "! a storm: the weather server is killed, and doesn't start again",
    ". weather is down: it was ended by SIGKILL",
    "hour 2   wind not known",
    "> weather can't be reached: it ended with exit code 1.",
    "> Say that the weather isn't known, and keep the lamp lit.",
    "! the storm is over",
    ". weather is connected, over stdio",
    "1: wind south-west, 6\n  2: wind not known\n  3: wind not known",
    "The keeper worked on.",
  ];
  const places = story.map((line, i) => printed.indexOf(line, i === 0 ? 0 : printed.indexOf(story[i - 1]!)));
  expect(
    places.filter((place) => place === -1),
    printed,
  ).toEqual([]);
  expect(Math.max(...printed.split("\n").map((line) => line.length)), printed).toBeLessThan(80);
});
