import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, withEnv, type HostDoctor } from "../../support/host-doctor.ts";

/** A role that is reached through `rolecall serve`: what it would find is what that process finds. */
let project: CaptureProject;
let doctor: HostDoctor;
beforeEach(() => {
  project = captureProject();
  doctor = hostDoctor(project);
});
afterEach(() => project.remove());

const SERVED = "{ id: codex, via: serve }";

test("the command that the host's files start has to be there", async () => {
  await doctor.built(SERVED, `{ connect: ${doctor.fake()} }`);
  doctor.install("codex");
  const { exit, out } = await doctor.look("codex");
  expect(exit).toBe(1);
  expect(out).toContain("rolecall isn't found, and Codex's files start it\n");
  expect(out).toContain("`serve: { command: [npx, --no, rolecall] }`");
  doctor.install("rolecall");
  expect(await doctor.found("codex")).toMatchObject({
    exit: 0,
    ready: true,
    gateway: { name: "rolecall", found: true },
  });
});

test("what is behind it is told, and what could go around it", async () => {
  await doctor.built(SERVED, `{ connect: ${doctor.fake()} }`);
  for (const program of ["codex", "rolecall"]) doctor.install(program);
  const { out } = await doctor.look("codex");
  expect(out).toContain("through rolecall serve, which holds every rule; exec_command");
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "can start rolecall serve as another role, or say yes in rolecall asks",
  );
  const found = (await doctor.found("codex")) as unknown as { through: object[]; shells: string[] };
  expect(found.through).toContainEqual({ server: "notes", tool: "list" });
  expect(found.shells).toContain("exec_command");
});

test("variables are those of the process that serves: of its file, then of where it is started", async () => {
  await doctor.built(SERVED, `{ connect: ${withEnv(doctor.fake(), 'TOKEN: "${TOKEN}"')} }`);
  for (const program of ["codex", "rolecall"]) doctor.install(program);
  const { exit, out } = await doctor.look("codex");
  expect(exit).toBe(1);
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "TOKEN isn't set; rolecall serve looks for it in .env, then where it is",
  );
  project.write(".env", "TOKEN=test\n");
  expect(await doctor.found("codex")).toMatchObject({ exit: 0, variables: [{ name: "TOKEN", isSet: true }] });
});

describe("what rolecall serve reads is the whole output, and it refuses where that isn't what the sources say", () => {
  const ACCESS = "src/mcp/access.json";
  const take = (file: string): void => rmSync(path.join(project.dir, file), { recursive: true });
  const start = async () => project.run(["start", "tester", "--host", "codex"], { env: { PATH: doctor.bin } });
  beforeEach(async () => {
    await doctor.built(`${SERVED}, opencode, ai-sdk`, `{ connect: ${doctor.fake()} }`);
    for (const program of ["codex", "opencode", "rolecall"]) doctor.install(program);
  });

  test("a file that is missing, edited or left over is named, and neither goes on", async () => {
    take(ACCESS);
    const { exit, out } = await doctor.look("codex");
    expect([exit, out]).toEqual([1, expect.stringContaining(`\n${ACCESS} is missing\n  next: rolecall build\n`)]);
    expect(await start()).toMatchObject({ exit: 1, err: expect.stringContaining(`${ACCESS} is missing`) });
    await project.run(["build"]);
    expect(await doctor.found("codex")).toMatchObject({ exit: 0, ready: true, files: [{ state: "up-to-date" }] });
    project.write(ACCESS, project.read(ACCESS).replace("harbor", "garden"));
    project.write("mcp/hosts/opencode/tester.json", "{}\n");
    expect((await doctor.found("codex")).files.slice(1)).toEqual([
      { path: "mcp/hosts/opencode/tester.json", state: "differs", key: null },
      { path: ACCESS, state: "differs", key: null },
    ]);
    await project.run(["build"]);
    project.write("rolecall.yaml", project.read("rolecall.yaml").replace("opencode, ", ""));
    expect((await doctor.look("codex")).out).toContain(
      "\nmcp/hosts/opencode/tester.json is left from an earlier build\n",
    );
  });

  test("of many the first are named", async () => {
    take("src/mcp");
    const { exit, out } = await doctor.look("codex");
    expect([exit, out]).toEqual([1, expect.stringMatching(/\nand \d+ more\n {2}next: rolecall build\n/)]);
    expect(out.match(/ is missing\n/g)).toHaveLength(10);
    expect((await doctor.found("codex")).files.length).toBeGreaterThan(11);
  });

  test("a program of yours needs it as well; a host that is told of servers doesn't", async () => {
    take("src/mcp/runtime.ts");
    expect(await doctor.found("ai-sdk")).toMatchObject({ exit: 1, ready: false });
    expect(await doctor.found("opencode")).toMatchObject({ exit: 0, ready: true });
  });
});
