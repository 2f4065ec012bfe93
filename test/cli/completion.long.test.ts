import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBashLine } from "../../compiler/cli/completion/bash-line.ts";
import { commands } from "../../compiler/cli/commands.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { captureProject, tool, type CaptureProject } from "../support/capture-project.ts";

/** `rolecall completion`: shells that really run, at a terminal, with names that were chosen to be run by them. */

/** Told apart by their first letter. Whatever is in them must arrive as it is, as one word. */
const HOSTILE = [
  "a b",
  "b'q",
  'c"q',
  "d$(touch HACKED)",
  "e`touch HACKED`",
  "f;touch HACKED;x",
  "g|touch HACKED&x",
  "h*?[a-z]",
  "i!x!!",
  "j #k",
  "k\\b",
  "l:m",
  "m=n",
  "o{a,b}",
  "p<q>HACKED",
  "r$HOME",
  "s'$(touch HACKED)'",
  "t\u00e9\u4e2d",
];
/** A control character, and one that nobody sees. */
const NEVER = ["u\nv", "w\tx", "y\u200bz"];

let cli: BundledCli;
let project: CaptureProject;
let bin: string;
/** Its name would be run too, if somebody let it. */
let folder: string;
beforeAll(async () => {
  cli = bundledCli();
  project = captureProject();
  bin = path.join(project.dir, "bin");
  project.declare({ files: "{ connect: [{ stdio: [f] }] }" }, "roles:\n  tester: { tools: { files: all } }\n");
  const tools = [...HOSTILE, ...NEVER].map((name) => tool(name));
  project.write("mcp/manifests/files.json", JSON.stringify({ server: "files", tools }));
  const { exit, err } = await project.run(["build"]);
  if (exit !== 0) throw new Error(err);
  folder = path.join(project.dir, "it's $(touch HACKED) `x`");
  mkdirSync(folder);
  // Completions are the real ones; anything else writes down what it was handed.
  project.write(
    "bin/rolecall",
    `#!${process.execPath}
const { appendFileSync } = require("node:fs");
if (process.argv[2] === "completion") require(${JSON.stringify(cli.entry)});
else appendFileSync(process.env.NOTED, JSON.stringify(process.argv.slice(2)) + "\\n");
`,
  );
  spawnSync("chmod", ["+x", path.join(bin, "rolecall")]);
});
afterAll(() => {
  project.remove();
  cli.remove();
});

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

interface Shell {
  readonly name: string;
  /** Starts it without a person's own settings; it says READY> when it waits. */
  readonly command: string;
  readonly begin: string;
}
const SHELLS: readonly Shell[] = [
  {
    name: "bash",
    command: "bash --norc --noprofile -i",
    begin: `PS1='READ''Y> '; bind 'set enable-bracketed-paste off'; eval "$(rolecall completion bash)"`,
  },
  {
    name: "zsh",
    command: "zsh -f -i",
    begin: `PS1='READ''Y> '; unsetopt zle_bracketed_paste prompt_sp; autoload -Uz compinit; compinit -u -D; source <(rolecall completion zsh)`,
  },
  {
    name: "fish",
    command: "fish --no-config -i",
    begin: "function fish_prompt; echo -n READ''Y'> '; end; rolecall completion fish | source",
  },
];

/** What the command is handed when somebody types these lines. */
async function typed({ command, begin }: Shell, lines: readonly string[], cwd: string): Promise<string[][]> {
  const noted = path.join(project.dir, "noted");
  rmSync(noted, { force: true });
  writeFileSync(noted, "");
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: project.dir, NOTED: noted, TERM: "xterm", LC_ALL: "C.UTF-8" };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env });
  let screen = "";
  child.stdout.on("data", (text: Buffer) => (screen += text.toString()));
  const prompts = () => screen.split("READY> ").length - 1;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    child.stdin.write(`${begin}\r`);
    await expect.poll(prompts, { timeout: 20_000 }).toBeGreaterThan(0);
    for (const [i, line] of lines.entries()) {
      child.stdin.write(line);
      child.stdin.write("\r");
      await expect
        .poll(() => readFileSync(noted, "utf8").split("\n").length - 1, { timeout: 20_000, message: line })
        .toBe(i + 1);
    }
  } finally {
    child.stdin.end("\rexit\r");
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(late);
  }
  return readFileSync(noted, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as string[]);
}

const left = () => readdirSync(project.dir, { recursive: true }).filter((file) => String(file).endsWith("HACKED"));

describe.each(SHELLS)("$name", (shell) => {
  const isThere = has(shell.command.split(" ")[0]!) && has("script");
  test.skipIf(!isThere)(
    "names arrive as they are, and nothing in one is run",
    async () => {
      const lines = HOSTILE.map((name) => `rolecall explain tester files.${name[0]}\t`);
      const handed = await typed(shell, lines, project.dir);
      expect(handed).toEqual(HOSTILE.map((name) => ["explain", "tester", `files.${name}`]));
      expect(left()).toEqual([]);
    },
    120_000,
  );

  // Bash is offered none but plain names there: its quotes would have to be escaped by us, and differently in each.
  test.skipIf(!isThere || shell.name === "bash").each(['"', "'"])(
    "in a quote %s too",
    async (quote) => {
      const lines = HOSTILE.map((name) => `rolecall explain tester ${quote}files.${name[0]}\t`);
      const handed = await typed(shell, lines, project.dir);
      expect(handed).toEqual(HOSTILE.map((name) => ["explain", "tester", `files.${name}`]));
      expect(left()).toEqual([]);
    },
    120_000,
  );

  test.skipIf(!isThere)(
    "commands, flags, roles, servers, hosts and codes are completed, from a folder below too",
    async () => {
      const lines = [
        "rolecall expl\ttes\tfiles.a\t",
        "rolecall star\ttes\t--ho\topenc\t",
        "rolecall start tester --host=openc\t",
        "rolecall --proj\t. insp\tfil\t",
        "rolecall explain source/no-pr\t",
        "rolecall calls --aud\t",
        // Each closes the quote by itself.
        'rolecall doctor "fil\t --host codex',
      ];
      const handed = await typed(shell, lines, folder);
      expect(handed).toEqual([
        ["explain", "tester", "files.a b"],
        ["start", "tester", "--host", "opencode"],
        ["start", "tester", "--host=opencode"],
        ["--project", ".", "inspect", "files"],
        ["explain", "source/no-project"],
        ["calls", "--audit"],
        ["doctor", "files", "--host", "codex"],
      ]);
      expect(left()).toEqual([]);
    },
    120_000,
  );
});

describe("candidates", () => {
  const asked = (words: readonly string[], cwd = project.dir) => {
    const ended = spawnSync(process.execPath, [cli.entry, "completion", "--words", "--", ...words], {
      cwd,
      encoding: "utf8",
    });
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    return ended.stdout.split("\n").slice(0, -1);
  };

  test("a name that a line can't carry, or nobody sees, isn't one", () => {
    expect(asked(["explain", "tester", "files."]).sort()).toEqual(HOSTILE.map((name) => `files.${name}`).sort());
  });

  test.each([
    [
      ["explain", ""],
      ["tester", "files."],
    ],
    [["explain", "t"], ["tester"]],
    [["explain", "tester", ""], ["files."]],
    [["explain", "tester", "files.a b", ""], []],
    [["start", "x", "--host", "claude-c"], ["claude-code"]],
    [["start", "--host", "codex", ""], ["tester"]],
    [["start", "tester", "--host=claude-c"], ["--host=claude-code"]],
    [["start", "tester", "--host", "codex", "--", ""], [":files"]],
    [["start", "tester", "--timeout", ""], []],
    [["inspect", "files", ""], []],
    [["capture", "files", ""], ["files"]],
    [["completion", "z"], ["zsh"]],
    [["help", "cap"], ["capture"]],
    [["--project", ""], [":files"]],
    [["calls", "--server", ""], ["files"]],
    [["calls", ""], [":files"]],
    [["nonsense", ""], []],
    [["doctor", "--rec"], ["--record"]],
    [["doctor", "--role", "tester", "--ro"], []],
  ])("%j: %j", (words, wanted) => expect(asked(words)).toEqual(wanted));

  test("all commands with their other names, and help", () => {
    const names = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(asked([""]).sort()).toEqual([...names, "help"].sort());
  });

  test("without a build the project is compiled; whatever is wrong with it, nothing is said", async () => {
    const other = captureProject();
    try {
      expect(asked(["start", ""], other.dir)).toEqual([]);
      other.declare({ files: "{ connect: [{ stdio: [f] }] }" }, "roles:\n  writer: { tools: { files: [write] } }\n");
      expect(asked(["start", ""], other.dir)).toEqual(["writer"]);
      expect(existsSync(path.join(other.dir, "src"))).toBe(false);
      other.write("rolecall.yaml", "version: 1\nproject: [");
      expect(asked(["start", ""], other.dir)).toEqual([]);
      other.write("rolecall.yaml", "version: 1\nproject: x\nout: 'elsewhere dir' # moved\n");
      other.write(
        "elsewhere dir/access.json",
        JSON.stringify({ format: 1, project: "x", guards: {}, servers: {}, roles: { reader: { servers: {} } } }),
      );
      expect(asked(["start", ""], other.dir)).toEqual(["reader"]);
    } finally {
      other.remove();
    }
  });

  test("a script for each shell, and no other", async () => {
    for (const { name } of SHELLS)
      expect((await project.run(["completion", name])).out).toContain("rolecall completion");
    const { exit, err } = await project.run(["completion", "zhs"]);
    expect([exit, err]).toEqual([
      64,
      "rolecall: there is no script for `zhs`; did you mean `zsh`?\n  rolecall completion bash, zsh or fish\n",
    ]);
    expect((await project.run(["completion"])).exit).toBe(64);
  });
});

test.each([
  ["rolecall ", "", { words: ["rolecall", ""], kept: "", isInQuote: false }],
  ["rolecall ex", "ex", { words: ["rolecall", "ex"], kept: "", isInQuote: false }],
  ['rolecall  a\\ b \'c d\' "e\\"f" g', "g", { words: ["rolecall", "a b", "c d", 'e"f', "g"], kept: "" }],
  ["rolecall x 'a b", "'a b", { words: ["rolecall", "x", "a b"], kept: "", isInQuote: true }],
  ["rolecall --host=co", "co", { words: ["rolecall", "--host=co"], kept: "--host=" }],
  ["rolecall --host=", "=", { words: ["rolecall", "--host="], kept: "--host=" }],
  ["rolecall files.a:b", "b", { words: ["rolecall", "files.a:b"], kept: "files.a:" }],
  ["rolecall a\\ b:c", "c", { words: ["rolecall", "a b:c"], kept: "a b:" }],
  ["rolecall a\\", "a\\", { words: ["rolecall", "a\\"], kept: "" }],
  ["", "", { words: [""], kept: "" }],
])("a line of bash: %j, of which it replaces %j", (line, replaced, read) => {
  expect(readBashLine(line, replaced)).toMatchObject(read);
});
