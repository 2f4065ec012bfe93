import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../compiler/cli/command.ts";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { displayWidth } from "../../../compiler/base/display-width.ts";
import { isOnPath } from "../../../compiler/io/start/find-program.ts";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, TESTER, type HostDoctor } from "../../support/host-doctor.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** How `rolecall doctor --host H --role R` is asked, and the command of the host. */
let project: CaptureProject;
let doctor: HostDoctor;
beforeEach(() => {
  project = captureProject();
  doctor = hostDoctor(project);
});
afterEach(() => project.remove());

describe("how it is asked", () => {
  beforeEach(() =>
    doctor.built(
      "opencode, { id: cursor, role: writer }",
      `{ connect: ${doctor.fake()} }`,
      `${TESTER}  writer: { tools: { notes: all } }\n`,
    ),
  );

  test.each([
    [
      ["--host", "opencod", "--role", "tester"],
      "there is no host `opencod`; did you mean `opencode`?\n  `rolecall hosts` shows them all\n",
    ],
    [
      ["--host", "codex", "--role", "tester"],
      "this project doesn't write for Codex\n  add `codex` to `hosts` in rolecall.yaml, and build\n",
    ],
    [
      ["--host", "opencode", "--role", "testr"],
      "there is no role `testr`; did you mean `tester`?\n  its roles: tester, writer\n",
    ],
    [
      ["--host", "cursor", "--role", "tester"],
      "Cursor is given the files of `writer` alone\n  rolecall doctor --host cursor --role writer\n",
    ],
    [["--host", "opencode"], "--host and --role belong together\n"],
    [["--role", "tester"], "--host and --role belong together\n"],
    [
      ["notes", "--host", "opencode", "--role", "tester"],
      "--host takes no server names: the role's servers are asked\n",
    ],
  ])("%j is wrong usage", async (argv, says) => {
    const { exit, out, err } = await project.run(["doctor", ...argv]);
    expect([exit, out]).toEqual([64, ""]);
    expect(err).toContain(`rolecall: ${says}`);
    expect(project.has("starts")).toBe(false);
  });

  test("a project with errors is told, and nothing is looked at", async () => {
    project.write("mcp/broken.yaml", "roles: { x: { tools: { nots: all } } }\n");
    const { exit, err } = await doctor.look("opencode");
    expect([exit, err.includes("did you mean `notes`?")]).toEqual([1, true]);
  });

  test("the project is compiled once", async () => {
    const asked: string[] = [];
    const counting: Engine = {
      ...engine,
      compile: (...args) => (asked.push("compile"), engine.compile(...args)),
      build: (...args) => (asked.push("build"), engine.build(...args)),
    };
    const run = runInProcess((argv, terminal) => main(argv, terminal, counting), { PATH: doctor.bin });
    const { printed } = await run(["doctor", "--host", "opencode", "--role", "tester"], project.dir);
    expect(printed).toContain("tester on OpenCode");
    expect(asked).toEqual(["build"]);
  });

  test("a record of the probes can be kept", async () => {
    doctor.install("opencode");
    await doctor.look("opencode", {}, "tester", "--record", "calls.jsonl");
    expect(JSON.parse(readFileSync(path.join(project.dir, "calls.jsonl"), "utf8"))).toMatchObject({
      server: "notes",
      probe: "reachable",
    });
  });

  test("it fits a terminal of 80 columns", async () => {
    project.write(
      "rolecall.yaml",
      project
        .read("rolecall.yaml")
        .replace(
          "] }]",
          '], env: { A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_SOMEBODY_THOUGHT_OF: "${A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_SOMEBODY_THOUGHT_OF}" } }]',
        ),
    );
    const { out } = await project.run(["doctor", "--host", "opencode", "--role", "tester"], {
      types: [],
      env: { NO_COLOR: "1" },
    });
    expect(out).toContain("A_VERY_LONG_NAME");
    for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });
});

describe("the host's command", () => {
  test.each([
    ["claude-code", "claude"],
    ["opencode", "opencode"],
    ["codex", "codex"],
    ["gemini-cli", "gemini"],
    ["copilot-cli", "copilot"],
  ])("%s is looked up as `%s`, and not run", async (host, program) => {
    await doctor.built(host, `{ connect: ${doctor.fake()} }`);
    const { exit, out } = await doctor.look(host);
    expect(exit).toBe(1);
    expect(out).toContain(`\n${program} isn't on the PATH\n  next: install `);
    doctor.install(program);
    expect(await doctor.found(host)).toMatchObject({ exit: 0, command: { name: program, found: true } });
    expect(project.has("was-run")).toBe(false);
  });

  test("an editor is opened without one", async () => {
    await doctor.built("{ id: cursor, role: tester }, vscode", `{ connect: ${doctor.fake()} }`);
    expect(await doctor.found("cursor")).toMatchObject({ exit: 0, command: { name: "cursor-agent", found: false } });
    expect(await doctor.found("vscode")).toMatchObject({ exit: 0, command: null });
  });

  test("what can't be run, or is a folder, is none", () => {
    mkdirSync(path.join(doctor.bin, "claude"), { recursive: true });
    writeFileSync(path.join(doctor.bin, "codex"), "");
    doctor.install("gemini");
    const finds = (name: string, PATH: string) => isOnPath(name, { PATH }, project.dir, "linux");
    expect(["claude", "codex", "gemini"].map((name) => finds(name, doctor.bin))).toEqual([false, false, true]);
    expect(finds("gemini", "/nowhere:bin")).toBe(true);
    expect(isOnPath("gemini", {}, project.dir, "linux")).toBe(false);
    writeFileSync(path.join(doctor.bin, "opencode.CMD"), "");
    chmodSync(path.join(doctor.bin, "opencode.CMD"), 0o755);
    expect(isOnPath("opencode", { Path: `/nowhere;${doctor.bin}` }, project.dir, "win32")).toBe(true);
  });
});
