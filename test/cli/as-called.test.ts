import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asCalled, withNpx } from "../../compiler/cli/as-called.ts";
import type { Stream, Terminal } from "../../compiler/cli/terminal.ts";
import { displayWidth } from "../../compiler/base/display-width.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import { rolecall } from "../support/fake-terminal.ts";

/** Next steps are spelled as whoever reads them can type them. */

let home: string;
/** PATHs with a `rolecall` that lasts, and with one that npm put there for a run. */
let global: string;
let own: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-called-")));
  [global, own] = ["bin", "app/node_modules/.bin"].map((folder) => {
    mkdirSync(path.join(home, folder), { recursive: true });
    writeFileSync(path.join(home, folder, "rolecall"), "#!/bin/sh\n");
    chmodSync(path.join(home, folder, "rolecall"), 0o755);
    return path.join(home, folder);
  }) as [string, string];
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const CACHE = "/srv/ada/.npm/_npx/0f3a/node_modules/.bin/rolecall";
const TYPO = "there is no command `bild`; did you mean `build`?";
const broken: Diagnostic = {
  code: "server/no-connection",
  severity: "error",
  says: "it has no manifest",
  help: "capture it: rolecall capture github",
  at: { file: "mcp/a.yaml", line: 3, column: 1, length: 8, text: "rolecall build: it", textColumn: 1 },
  also: [],
};

describe("a next step", () => {
  test.each([
    ["npx's cache", CACHE, () => ""],
    ["node_modules", "/srv/harbor/node_modules/rolecall/dist/cli.js", () => ""],
    ["a script of npm, which puts it on the path for its run", CACHE, () => own],
    ["Windows", "C:\\app\\node_modules\\rolecall\\dist\\cli.js", () => ""],
  ])("from %s is called by npx", async (_, script, folder) => {
    const { err } = await rolecall(["bild"], { script, env: { PATH: folder() } });
    expect(err).toBe(`rolecall: ${TYPO}\n  npx rolecall --help shows the commands\n`);
  });

  test.each([
    ["a clone", "/srv/rolecall/dist/cli.js", () => ""],
    ["a link", "/usr/local/bin/rolecall", () => ""],
    ["a global installation", "/usr/lib/node_modules/rolecall/dist/cli.js", () => `${own}${path.delimiter}${global}`],
  ])("from %s is called by its name", async (_, script, folder) => {
    const { err } = await rolecall(["bild"], { script, env: { PATH: folder() } });
    expect(err).toBe(`rolecall: ${TYPO}\n  rolecall --help shows the commands\n`);
  });

  test("in diagnostics too, and not in the lines of a source", async () => {
    const { err } = await rolecall(["build"], { script: CACHE, diagnostics: [broken] });
    expect(err).toContain("help: capture it: npx rolecall capture github\n");
    expect(err).toContain("  3 | rolecall build: it\n");
  });

  test("is in no text of a stranger that is to be read as it is", async () => {
    const written: string[] = [];
    const stream: Stream = { write: (text) => void written.push(text), isTerminal: true, width: 80 };
    const terminal = { out: stream, err: stream, env: { PATH: "" }, cwd: "/", script: CACHE } as unknown as Terminal;
    const { out } = await asCalled(terminal);
    out.write("rolecall build\n");
    out.writeAsIs?.("rolecall build\n");
    expect(written).toEqual(["npx rolecall build\n", "rolecall build\n"]);
  });

  test("stays as it is for programs, and in pages of help", async () => {
    for (const argv of [["--help"], ["build", "--help"], ["help", "all"], ["completion", "bash"], ["plan"]])
      expect(await rolecall(argv, { script: CACHE })).toEqual(await rolecall(argv));
    const scene = { script: CACHE, diagnostics: [broken] };
    expect((await rolecall(["build", "--json"], scene)).out).toContain("capture it: rolecall capture github");
  });
});

describe("at a terminal", () => {
  const unpinned = { ...broken, says: "it has no manifest and nothing is known" };
  const shown = async (width: number, noColour: boolean) =>
    (
      await rolecall(["build", ...(noColour ? ["--no-color"] : [])], {
        script: CACHE,
        diagnostics: [unpinned],
        width,
        isTerminal: true,
        env: { LANG: "C.UTF-8" },
      })
    ).err;

  test.each([36, 38, 40, 42, 46, 47, 80])("of %i columns a next step is wrapped as it is spelled", async (width) => {
    const text = await shown(width, true);
    expect(text).not.toMatch(/npx\s*\n/);
    expect(text.includes("help: capture it: npx rolecall capture github\n")).toBe(width >= 47);
    expect(text.replaceAll(/\s+/g, " ")).toContain("help: capture it: npx rolecall capture github");
    expect(text).toContain("  3 | rolecall build: it\n");
    for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
    expect((await shown(width, false)).replace(/\x1b\[[\d;]*m/g, "")).toBe(text);
  });
});

describe("the spelling", () => {
  test.each([
    ["next: rolecall capture a, then rolecall build", "next: npx rolecall capture a, then npx rolecall build"],
    ["run `rolecall build --check`", "run `npx rolecall build --check`"],
    ["it is rolecall\n  capture that asks", "it is npx rolecall\n  capture that asks"],
    ["npx rolecall build", "npx rolecall build"],
    [
      "`npx --no rolecall serve`, npx -y --no-install rolecall asks",
      "`npx --no rolecall serve`, npx -y --no-install rolecall asks",
    ],
    ["rolecall starts the process, and rolecall.yaml", "rolecall starts the process, and rolecall.yaml"],
    ["rolecall: there is a project", "rolecall: there is a project"],
    ["@acme/rolecall build", "@acme/rolecall build"],
  ])("of %j", (text, spelled) => expect(withNpx(text, undefined)).toBe(spelled));

  test("breaks a line again that no longer fits, and never between npx and rolecall", () => {
    const text = "  next: rolecall capture a, rolecall plan\n  look at it, or rolecall build\n";
    for (let width = 20; width < 60; width++) {
      const lines = withNpx(text, width).split("\n");
      expect(lines.join("\n")).not.toMatch(/npx\s*\n/);
      expect(lines.join(" ").split(/\s+/)).toEqual(withNpx(text).split(/\s+/));
      for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(Math.max(width, 22));
    }
  });

  test("is the same in colour, which takes no columns", () => {
    const plain = "  all of it: rolecall hosts opencode";
    const painted = "  \x1b[32mall of it: \x1b[0mrolecall hosts opencode";
    expect(withNpx(painted, 40)).toBe(painted.replace("rolecall", "npx rolecall"));
    for (const width of [20, 30, 38, 39])
      expect(withNpx(painted, width).replace(/\x1b\[\d+m/g, "")).toBe(withNpx(plain, width));
  });
});

test.each([20, 40, 60])("wrong usage breaks at words, at %i columns", async (width) => {
  const { err } = await rolecall(["explain", "tester", "githb.list_issues"], { width });
  const { err: whole } = await rolecall(["explain", "tester", "githb.list_issues"]);
  expect(err.trim().split(/\s+/)).toEqual(whole.trim().split(/\s+/));
  for (const line of err.split("\n"))
    expect(displayWidth(line) <= width || !line.trim().includes(" "), line).toBe(true);
});
