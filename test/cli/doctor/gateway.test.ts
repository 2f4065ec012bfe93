import { afterEach, beforeEach, expect, test } from "vitest";
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
