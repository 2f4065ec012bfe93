import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { takeCommand } from "../../compiler/cli/arguments.ts";
import { commands } from "../../compiler/cli/commands.ts";
import { onlyAscii, wantsColour } from "../../compiler/cli/terminal.ts";
import { displayWidth } from "../../compiler/base/display-width.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import { rolecall } from "../support/fake-terminal.ts";
import { ROOT } from "../support/root.ts";

const broken: Diagnostic = {
  code: "role/unknown-server",
  severity: "error",
  says: "no such server",
  help: undefined,
  at: undefined,
  also: [],
};

describe("help", () => {
  test.each(commands.map((command) => command.name))(
    "the page of %s fits 80 columns and shows usage and examples",
    async (name) => {
      const { exit, out } = await rolecall([name, "--help"]);
      expect(exit).toBe(0);
      for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
      expect(out.startsWith(`rolecall ${name}: `)).toBe(true);
      expect(out).toContain(`usage: rolecall ${name}`);
      expect(out).toMatch(new RegExp(`\n {2}rolecall ${name}`));
    },
  );

  test.each(commands.map((command) => command.name))(
    "the page of %s names each of its flags and no other",
    async (name) => {
      const command = await commands.find((c) => c.name === name)!.load();
      const named = new Set(command.help.match(/(?<=^ {2}--)[a-z-]+/gm));
      for (const flag of command.flags) expect([...named]).toContain(flag.name);
      for (const flag of named)
        expect(["json", "project", "quiet", "no-color", ...command.flags.map((f) => f.name)]).toContain(flag);
    },
  );

  test.each([[["--help"]], [["help", "all"]]])(
    "%j names every command that exists and fits 80 columns",
    async (argv) => {
      const { exit, out } = await rolecall(argv);
      expect(exit).toBe(0);
      for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
      for (const command of commands) expect(out).toMatch(new RegExp(`\n[^\n]*\\b${command.name}\\b`));
    },
  );

  test("the first page has a line for the commands of the first hour, the page of all for every one", async () => {
    const namesIn = async (...argv: string[]) =>
      [...(await rolecall(argv)).out.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name!);
    const six = ["init", "add", "capture", "build", "diff", "explain"];
    expect(await namesIn("--help")).toEqual(six);
    expect(await namesIn("help", "all")).toEqual(commands.map(({ name }) => name));
  });

  test.each([[["help"]], [[]], [["-h"]]])("%j is the first page", async (argv) => {
    expect(await rolecall(argv)).toEqual(await rolecall(["--help"]));
  });

  test.each([[["help", "build"]], [["build", "-h"]], [["sync", "--help"]], [["help", "sync"]], [["--help", "build"]]])(
    "%j is the page of build, which names its other name",
    async (argv) => {
      const { exit, out } = await rolecall(argv);
      expect(exit).toBe(0);
      expect(out).toContain("rolecall build: ");
      expect(out).toContain("`rolecall sync`");
    },
  );

  test("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    for (const flag of ["--version", "-v"])
      expect(await rolecall([flag])).toMatchObject({ exit: 0, out: `${version}\n`, err: "" });
  });
});

describe("wrong usage is 64, with the nearest name and the next step", () => {
  test.each([
    [["bild"], "did you mean `build`?"],
    [["explian", "x"], "did you mean `explain`?"],
    [["help", "reprot"], "did you mean `report`?"],
    [["x\u001b[2J"], "no command `x\\u001b[2J`"],
    [["build", "--chek"], "did you mean `--check`?"],
    [["--jsn"], "did you mean `--json`?"],
    [["start", "tester", "-p", "hi"], "there is no flag `-p`; what is handed on stands behind `--`"],
    [["start", "tester", "--hots", "x"], "did you mean `--host`? what is handed on stands behind `--`"],
    [["report", "--markdwon"], "did you mean `--markdown`?"],
    [["build", "extra"], "`extra` is one"],
    [["build", "--check", "--watch"], "can't be given together"],
    [["report", "--terminal", "--markdown"], "can't be given together"],
    [["report", "--json", "--markdown"], "can't be given together"],
    [["report", "--server"], "--server needs a value: --server NAME"],
    [["report", "--server", "--json"], "--server needs a value"],
    [["build", "--project="], "--project needs a value: --project DIR"],
    [["ls", "--project", "a", "--project", "b"], "--project is given twice"],
    [["build", "--check=yes"], "--check takes no value"],
    [["explain"], "explain needs a tool"],
    [["explain", "a", "b.c", "d"], "not more"],
    [["explain", "tester"], "rolecall explain tester SERVER.TOOL"],
    [["explain", "testr", "github.list_issues"], "did you mean `tester`?"],
    [["explain", "tester", "githb.list_issues"], "did you mean `github`?"],
    [["explain", "github.list_isues"], "did you mean `list_issues`?"],
    [["explain", "list_issues"], "did you mean `github.list_issues`?"],
    [["explain", "source/duplicat-key"], "did you mean `source/duplicate-key`?"],
    [["explain", "source/constructor"], "there is no code"],
    [["inspect"], "the name of one server"],
    [["inspect", "githb"], "did you mean `github`?"],
    [["inspect", "github", "--tool", "list_isues"], "did you mean `list_issues`?"],
    [["report", "--server", "githb"], "did you mean `github`?"],
  ])("%j", async (argv, says) => {
    const { exit, out, err } = await rolecall(argv);
    expect({ exit, out }).toEqual({ exit: 64, out: "" });
    expect(err).toContain(says);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
  });
});

describe("every command but explain <code>", () => {
  const questions = [
    ["explain", "tester", "github.list_issues"],
    ["explain", "github.list_issues"],
    ["inspect", "github"],
    ["ls"],
    ["plan"],
    ["report"],
    ["build"],
  ];

  test.each(questions.map((argv) => [argv]))("%j answers with 0, and JSON is JSON of format 1", async (argv) => {
    expect((await rolecall(argv)).exit).toBe(0);
    const { exit, out, err } = await rolecall([...argv, "--json"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(JSON.parse(out).format).toBe(1);
  });

  test.each(questions.map((argv) => [argv]))("%j has no answer in a project with errors", async (argv) => {
    const text = await rolecall(argv, { diagnostics: [broken] });
    expect({ exit: text.exit, out: text.out }).toEqual({ exit: 1, out: "" });
    expect(text.err).toContain("error[role/unknown-server]: no such server");
    const json = await rolecall([...argv, "--json"], { diagnostics: [broken] });
    expect({ exit: json.exit, err: json.err }).toEqual({ exit: 1, err: "" });
    expect(JSON.parse(json.out).diagnostics[0].code).toBe("role/unknown-server");
  });

  test("a code needs no project", async () => {
    const { exit, out, asked } = await rolecall(["explain", "source/duplicate-key"], { diagnostics: [broken] });
    expect({ exit, asked }).toEqual({ exit: 0, asked: [] });
    expect(out).toContain("written twice");
    expect(JSON.parse((await rolecall(["explain", "source/duplicate-key", "--json"])).out)).toMatchObject({
      format: 1,
      severity: "error",
      adjustable: false,
    });
  });

  test("the project's folder stands anywhere among the arguments", async () => {
    for (const argv of [
      ["--project", "../dock", "ls"],
      ["ls", "--project=../dock"],
    ])
      expect((await rolecall(argv)).asked).toEqual([path.resolve("/srv/dock")]);
    expect((await rolecall(["ls"])).asked).toEqual([path.resolve("/srv/harbor")]);
  });

  test("a mistake of our own is told without a stack trace, and is not the project's", async () => {
    const { exit, err } = await rolecall(["build"], {
      during: () => {
        throw new Error("boom\u001b");
      },
    });
    expect(exit).toBe(3);
    expect(err).toContain("a mistake of its own: boom\\u001b");
    expect(err).not.toContain("    at ");
  });
});

describe("the terminal", () => {
  const tty = { write: () => {}, isTerminal: true, width: 80 };
  const pipe = { ...tty, isTerminal: false };
  test.each([
    ["a terminal", tty, {}, false, true],
    ["a pipe", pipe, {}, false, false],
    ["NO_COLOR", tty, { NO_COLOR: "1" }, false, false],
    ["an empty NO_COLOR says nothing", tty, { NO_COLOR: "" }, false, true],
    ["FORCE_COLOR in a pipe", pipe, { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0", tty, { FORCE_COLOR: "0" }, false, false],
    ["NO_COLOR over FORCE_COLOR", tty, { NO_COLOR: "1", FORCE_COLOR: "1" }, false, false],
    ["--no-color over all", tty, { FORCE_COLOR: "1" }, true, false],
    ["a dumb terminal", tty, { TERM: "dumb" }, false, false],
  ])("colour: %s", (_, stream, env, flag, want) => expect(wantsColour(stream, env, flag)).toBe(want));

  test.each([
    [{}, false],
    [{ LANG: "en_US.UTF-8" }, false],
    [{ LANG: "de_DE.utf8" }, false],
    [{ LANG: "C" }, true],
    [{ LANG: "C.UTF-8", LC_ALL: "POSIX" }, true],
    [{ TERM: "linux" }, true],
  ])("only ASCII with %j: %s", (env, want) => expect(onlyAscii(env)).toBe(want));

  test("colour reaches a page, and --no-color takes it away", async () => {
    expect((await rolecall(["report"], { isTerminal: true, width: 80 })).out).toContain("\u001b[");
    for (const [argv, env] of [
      [["report", "--no-color"], {}],
      [["report"], { NO_COLOR: "1" }],
    ] as const) {
      expect((await rolecall(argv, { isTerminal: true, width: 80, env })).out).not.toContain("\u001b[");
    }
  });

  test("the command is the first word that is no flag's value", () => {
    expect(takeCommand(["--project", "a", "ls", "b"])).toEqual({ name: "ls", rest: ["--project", "a", "b"] });
    expect(takeCommand(["--json"])).toEqual({ name: undefined, rest: ["--json"] });
  });
});
