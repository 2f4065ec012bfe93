import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { batchArguments } from "../../compiler/io/start/run-program.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";
import { entryFor, PROGRAMS } from "../support/known-hosts.ts";
import { hostDoctor, type HostDoctor } from "../support/host-doctor.ts";

/** `rolecall start`: stand-ins of the hosts write down how they were started; the shell's line must start them alike. */
const CHOSEN = [...PROGRAMS.keys()].map((id) => entryFor(id, "tester"));

let cli: BundledCli;
let project: CaptureProject;
let doctor: HostDoctor;

/** What a stand-in does: notes how it was started, then waits, ends itself by a signal, or ends with a code. */
const STAND_IN = `#!${process.execPath}
const { writeFileSync } = require("node:fs");
const { NOTED, ROLECALL_ROLE, OPENCODE_CONFIG_CONTENT, STAND_IN: how = "0" } = process.env;
writeFileSync(NOTED, JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), ROLECALL_ROLE, OPENCODE_CONFIG_CONTENT }));
console.log("the host's own words");
if (how === "wait") {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => { writeFileSync(NOTED + ".signal", signal); process.exit(9); });
  setTimeout(() => process.exit(1), 40_000);
  writeFileSync(NOTED + ".waits", "");
} else if (how.startsWith("SIG")) process.kill(process.pid, how);
else process.exitCode = Number(how);
`;

interface Noted {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly ROLECALL_ROLE?: string;
  readonly OPENCODE_CONFIG_CONTENT?: string;
}

const noted = (): string => path.join(project.dir, "noted.json");
const surroundings = (env: Record<string, string> = {}) => ({
  PATH: `${doctor.bin}:/usr/bin:/bin`,
  HOME: project.dir,
  NOTED: noted(),
  ...env,
});

function start(args: readonly string[], env: Record<string, string> = {}, cwd = project.dir) {
  rmSync(noted(), { force: true });
  const ended = spawnSync(process.execPath, [cli.entry, "start", ...args], {
    cwd,
    env: surroundings(env),
    encoding: "utf8",
    timeout: 60_000,
  });
  return { exit: ended.status, out: ended.stdout, err: ended.stderr };
}

const readNoted = () => JSON.parse(readFileSync(noted(), "utf8")) as Noted;

beforeAll(async () => {
  cli = bundledCli();
  project = captureProject();
  doctor = hostDoctor(project);
  await doctor.built(CHOSEN.join(", "), `{ connect: ${doctor.fake()} }`);
  mkdirSync(doctor.bin, { recursive: true });
});
afterAll(() => {
  project.remove();
  cli.remove();
});
beforeEach(() => {
  for (const program of PROGRAMS.values()) {
    writeFileSync(path.join(doctor.bin, program), STAND_IN);
    chmodSync(path.join(doctor.bin, program), 0o755);
  }
});

describe("a role is started on a host", () => {
  test.each([...PROGRAMS.keys()])("%s: as the line that is shown starts it", (host) => {
    const { exit, out, err } = start(["tester", "--host", host, "--", "--own", "it's `x` & $(y)"]);
    expect([exit, out, err]).toEqual([0, "the host's own words\n", ""]);
    const started = readNoted();
    expect(started.cwd).toBe(project.dir);
    expect(started.argv.slice(-2)).toEqual(["--own", "it's `x` & $(y)"]);
    const profile = path.join(project.dir, ".codex", "harbor-tester.config.toml");
    const copied = existsSync(profile) ? readFileSync(profile, "utf8") : undefined;
    expect(copied !== undefined).toBe(host === "codex");
    rmSync(path.dirname(profile), { recursive: true, force: true });

    const shown = start(["tester", "--host", host, "--print", "--", "--own", "it's `x` & $(y)"]);
    expect([shown.exit, existsSync(noted())]).toEqual([0, false]);
    const { status, stderr } = spawnSync("sh", ["-c", shown.out], {
      cwd: project.dir,
      env: surroundings(),
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(readNoted()).toEqual(started);
    expect(existsSync(profile) ? readFileSync(profile, "utf8") : undefined).toBe(copied);
    rmSync(path.dirname(profile), { recursive: true, force: true });
  });

  test("what is handed over is the role's own file", () => {
    start(["tester", "--host", "opencode"]);
    expect(JSON.parse(readNoted().OPENCODE_CONFIG_CONTENT!)).toEqual(
      JSON.parse(project.read("mcp/hosts/opencode/tester.json")),
    );
    start(["tester", "--host", "gemini-cli"]);
    expect(readNoted()).toMatchObject({
      ROLECALL_ROLE: "tester",
      argv: expect.arrayContaining(["--allowed-mcp-server-names", "notes"]),
    });
  });

  test("a person's folder of profiles is where the variable says, and empty says nothing", () => {
    const home = path.join(project.dir, "elsewhere");
    expect(start(["tester", "--host", "codex"], { CODEX_HOME: home }).exit).toBe(0);
    expect(existsSync(path.join(home, "harbor-tester.config.toml"))).toBe(true);
    expect(existsSync(path.join(project.dir, ".codex"))).toBe(false);
    expect(start(["tester", "--host", "codex"], { CODEX_HOME: "" }).exit).toBe(0);
    expect(existsSync(path.join(project.dir, ".codex", "harbor-tester.config.toml"))).toBe(true);
  });

  test("from a folder below, in the project's folder", () => {
    const below = path.join(project.dir, "mcp", "manifests");
    const { exit, err } = start(["tester", "--host", "claude-code"], {}, below);
    expect([exit, err]).toEqual([0, "rolecall: the project in ../..\n"]);
    expect(readNoted().cwd).toBe(project.dir);
  });
});

describe("how it ends is how the host ended", () => {
  test.each(["1", "7", "64"])("with exit code %s", (code) => {
    expect(start(["tester", "--host", "claude-code"], { STAND_IN: code }).exit).toBe(Number(code));
  });

  test("by a signal of its own", () => {
    expect(start(["tester", "--host", "claude-code"], { STAND_IN: "SIGKILL" }).exit).toBe(137);
    expect(start(["tester", "--host", "claude-code"], { STAND_IN: "SIGTERM" }).exit).toBe(143);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s reaches it, and it says how it ends", async (signal) => {
    for (const file of [noted(), `${noted()}.waits`, `${noted()}.signal`]) rmSync(file, { force: true });
    const child = spawn(process.execPath, [cli.entry, "start", "tester", "--host", "claude-code"], {
      cwd: project.dir,
      env: surroundings({ STAND_IN: "wait" }),
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", (code, by) => resolve(code ?? by)));
    try {
      await expect.poll(() => existsSync(`${noted()}.waits`), { timeout: 30_000 }).toBe(true);
      child.kill(signal);
      expect(await ended).toBe(9);
      expect(readFileSync(`${noted()}.signal`, "utf8")).toBe(signal);
    } finally {
      child.kill("SIGKILL");
    }
  });
});

describe("what stops a start", () => {
  const stopped = (args: readonly string[], env?: Record<string, string>) => {
    const ended = start(args, env);
    expect(existsSync(noted())).toBe(false);
    return ended;
  };

  test("the command isn't on the PATH", () => {
    rmSync(path.join(doctor.bin, "claude"));
    const { exit, out, err } = stopped(["tester", "--host", "claude-code"]);
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("claude isn't on the PATH\n  next: install Claude Code");
    expect(err.split("isn't on the PATH")).toHaveLength(2);
    rmSync(path.join(doctor.bin, "cursor-agent"));
    expect(stopped(["tester", "--host", "cursor"])).toEqual({
      exit: 1,
      out: "",
      err: "rolecall: cursor-agent isn't on the PATH\n  open the project in Cursor, or install Cursor's command\n",
    });
  });

  test("a file that is out of date, told as JSON too", () => {
    const file = "mcp/hosts/claude-code/tester.mcp.json";
    const before = project.read(file);
    project.write(file, before.replace("notes", "other"));
    const { exit, err } = stopped(["tester", "--host", "claude-code"]);
    expect([exit, err.includes(`${file} is out of date`)]).toEqual([1, true]);
    const json = stopped(["tester", "--host", "claude-code", "--json"]);
    expect(json.exit).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ format: 1, host: "claude-code", ready: false });
    project.write(file, before);
  });

  test("a host's folder that can't be written", () => {
    const home = path.join(project.dir, "a-file");
    writeFileSync(home, "");
    const { exit, err } = stopped(["tester", "--host", "codex"], { CODEX_HOME: home });
    expect(exit).toBe(3);
    expect(err).toMatch(/^rolecall: `mcp\/hosts\/codex\/tester\.config\.toml` can't be handed over: /);
  });

  test.each([
    [["testr", "--host", "codex"], "there is no role `testr`; did you mean `tester`?"],
    [["tester", "--host", "claude"], "there is no host `claude`; did you mean `claude-code`?"],
    [["tester", "--host", "ai-sdk"], "this project doesn't write for AI SDK"],
    [["tester", "--host", "vscode"], "this project doesn't write for VS Code"],
    [["tester"], "start needs a host"],
    [[], "start needs a role and a host"],
    [["tester", "codex", "--host", "codex"], "start takes one role, and `codex` is a second word"],
  ])("%j", (args, says) => {
    const { exit, err } = stopped(args as string[]);
    expect([exit, err.split("\n")[0]]).toEqual([64, `rolecall: ${says}`]);
  });
});

test("hosts that no command starts say what to do instead", async () => {
  const other = captureProject();
  try {
    const own = hostDoctor(other);
    await own.built("ai-sdk, vscode, mcp-servers", `{ connect: ${own.fake()} }`);
    const said = async (host: string) => (await other.run(["start", "tester", "--host", host])).err;
    expect(await said("ai-sdk")).toBe(
      'rolecall: AI SDK isn\'t started by a command\n  write in your program: tools: await aiTools(team().as("tester"))\n',
    );
    expect(await said("vscode")).toContain("open the project in VS Code and choose the agent `tester`; ");
    expect(await said("mcp-servers")).toContain("its files are data for tools of your own");
  } finally {
    other.remove();
  }
});

test("the command as data", () => {
  const { out } = start(["tester", "--host", "opencode", "--print", "--json", "--", "-x"]);
  expect(JSON.parse(out)).toEqual({
    format: 1,
    copied: null,
    env: { OPENCODE_CONFIG_CONTENT: { textOf: "mcp/hosts/opencode/tester.json" } },
    command: "opencode",
    args: ["--agent", "tester", "-x"],
  });
});

/** On Windows npm's commands are batch files, read by the command line and by a C program after it. */
test.each([
  [["--agent", "tester"], '^^^"--agent^^^" ^^^"tester^^^"'],
  [['a "b" & c'], '^^^"a^^^ \\^^^"b\\^^^"^^^ ^^^&^^^ c^^^"'],
  [["%PATH%"], '^^^"^^^%PATH^^^%^^^"'],
  [["ends\\"], '^^^"ends\\\\^^^"'],
])("a batch file is handed %j", (args, words) => {
  expect(batchArguments("C:\\a b\\claude.cmd", args)).toEqual([
    "/d",
    "/s",
    "/c",
    `"^"C:\\a^ b\\claude.cmd^" ${words}"`,
  ]);
});

test("a line break would end a batch file's command line: it is refused", () => {
  expect(() => batchArguments("claude.cmd", ["a\n& b"])).toThrow("line break");
});
